/** `create`: never a second deployment of a name. What an earlier run left is recovered, the name looked up, then posted once. */

import type { Call } from "../../call";
import { isProperties, type Properties } from "../../fields/value";
import type { Entry } from "../../journal/entry";
import type { Created } from "../../resource";
import { say } from "../../verdict/sentences";
import { provenBy, withSent } from "../intent";
import { planUpdate } from "../plan";
import { createBody } from "../request";
import { awaitRollout } from "../rollout/await";
import { outputsOf } from "../state";
import { keepsDeployment } from "../unique";
import { applyTo } from "../update/update";
import { begun, keeping, waits } from "../write";
import { type Adoption, findAdoption } from "./adopt";
import { createAlone } from "./alone";
import { type Recovered, recover } from "./recover";

export function createDeployment(call: Call, inputs: Properties): Promise<Created> {
  return call.reporting(call.run.creations, () => createOnce(call, inputs));
}

async function createOnce(call: Call, inputs: Properties): Promise<Created> {
  const recovered = await recover(call, inputs);
  if (recovered !== undefined) return takeOverMade(call, inputs, recovered);
  const adoption = await findAdoption(call, inputs);
  if (adoption !== undefined) {
    const adopted = await adopt(call, inputs, adoption);
    await call.run.creations.drop(call.key);
    return adopted;
  }
  const resource = await createAlone(call, inputs);
  const id = resource.id as string;
  call.service.fleet.claim(id, call.urn);
  const revisionId = resource.latest_revision_id ?? undefined;
  const write = { call, id, olds: {}, news: inputs, body: createBody(inputs, call.profile), revisionId };
  const outputs = await keeping(write, resource, async () => {
    call.service.directory.remember(resource);
    return waits(inputs) ? awaitRollout(write, resource) : outputsOf(write, resource, begun(inputs));
  });
  return { id, outputs };
}

async function adopt(call: Call, inputs: Properties, { id, resource, plan }: Adoption): Promise<Created> {
  keepsDeployment(call, id);
  await call.tell(say.adopted({ id }));
  const write = { call, id, olds: {}, news: inputs, body: {}, revisionId: resource.latest_revision_id };
  const recorded = outputsOf(write, resource, { status: undefined, state: "not awaited" });
  const olds = { ...recorded, ...plan.olds, secrets: undefined };
  return { id, outputs: await applyTo(call, id, { ...plan, olds }, resource) };
}

/** Takes over what the interrupted run made; what the program has changed since is sent. */
async function takeOverMade(
  call: Call,
  inputs: Properties,
  { resource, file, entry, because }: Recovered,
): Promise<Created> {
  const id = resource.id as string;
  keepsDeployment(call, id);
  const plan = planUpdate(recordOf(call, inputs, resource, entry), inputs, call.profile);
  if (plan.verdict === "replace") {
    throw call.refuse(
      `${id}, which an interrupted run made, differs in what cannot be changed: ${plan.replaces.join(", ")}. Set that back for one up, which takes it over, and change it then`,
    );
  }
  const { creations, takeovers } = call.run;
  if (entry.id === id) creations.inherit(file, entry);
  else await creations.answered(entry, { id });
  const warn = () => call.warn(`takes over ${id}, which an interrupted run made: ${because}`);
  const isLast = () => creations.idsLeft(call.key).length === 0;
  await takeovers.tell({ id, warn }, isLast);
  return { id, outputs: await applyTo(call, id, plan, resource) };
}

/** The state that the interrupted run would have left, had it not waited. */
function recordOf(call: Call, inputs: Properties, resource: Properties, entry: Entry): Properties {
  const proven = provenBy(entry, inputs, call.service.connection.macKey);
  const latestRevisionId = resource.latest_revision_id;
  const news = withSent(inputs, entry, proven);
  const write = { call, id: resource.id as string, olds: {}, news, body: {}, revisionId: latestRevisionId };
  const recorded = outputsOf(write, resource, begun(inputs));
  return { ...recorded, latestRevisionId, ...secretsSent(entry, proven) };
}

/** Those of which the journal does not prove that they are as they were sent are sent again: they may have changed since. */
function secretsSent({ secretNames, token }: Entry, { secrets }: Properties): Properties {
  if (secretNames.length === 0) return {};
  const proven = isProperties(secrets) ? secrets : {};
  return { secrets: Object.fromEntries(secretNames.map((name) => [name, proven[name] ?? token])) };
}
