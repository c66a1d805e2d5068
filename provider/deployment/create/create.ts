/** `create`: never a second deployment of a name. What an earlier run left is recovered, the name looked up, then posted once. */

import type { Call } from "../../call";
import { own } from "../../fields/ownWords";
import type { Properties } from "../../fields/value";
import type { Entry } from "../../journal/entry";
import type { Created } from "../../resource";
import { say } from "../../verdict/sentences";
import { claim } from "../claim";
import { withSent } from "../intent";
import { begun, keeping, type Operation, settled, waits } from "../operation";
import { planUpdate } from "../plan";
import { awaitRollout } from "../rollout/await";
import { outputsOf } from "../state";
import { applyTo } from "../update/carryOut";
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
  const operation: Operation = { call, id, inputs, olds: {}, sent: "everything", revisionId };
  const outputs = await keeping(operation, resource, async () => {
    await call.service.directory.remember(resource);
    return waits(inputs) ? awaitRollout(operation, resource) : settled(operation, resource, begun(inputs));
  });
  return { id, outputs };
}

async function adopt(call: Call, inputs: Properties, { id, resource, plan }: Adoption): Promise<Created> {
  claim(call, id);
  await call.tell(say.adopted({ id }));
  const found = { inputs, olds: {}, sent: {}, revisionId: resource.latest_revision_id };
  const resting = { status: undefined, state: "not awaited" } as const;
  const recorded = outputsOf(call, found, resource, resting);
  const olds = { ...recorded, ...plan.olds, secrets: undefined };
  return { id, outputs: await applyTo(call, id, { ...plan, olds }) };
}

/** Takes over what the interrupted run made; what the program has changed since is sent. */
async function takeOverMade(
  call: Call,
  inputs: Properties,
  { resource, entry, because }: Recovered,
): Promise<Created> {
  const id = resource.id as string;
  claim(call, id);
  await call.run.creations.answered(entry, { id });
  await call.warn(own`takes over ${id}, which an interrupted run made: ${because}`);
  const latestRevisionId = resource.latest_revision_id;
  const made = { inputs: withSent(inputs, entry), olds: {}, sent: {}, revisionId: latestRevisionId };
  const recorded = outputsOf(call, made, resource, begun(inputs));
  const olds = { ...recorded, latestRevisionId, ...unknownSecrets(entry) };
  const plan = planUpdate(olds, inputs, call.profile);
  if (plan.verdict === "replace") {
    throw call.refuse(
      own`${id}, which an interrupted run made, differs in what cannot be changed: ${plan.replaces.join(", ")}. Set that back for one up, which takes it over, and change it then`,
    );
  }
  return { id, outputs: await applyTo(call, id, plan) };
}

/** No trace of their values is kept, so all are sent again: they may have changed since. */
function unknownSecrets({ secretNames, token }: Entry): Properties {
  if (secretNames.length === 0) return {};
  return { secrets: Object.fromEntries(secretNames.map((name) => [name, token])) };
}
