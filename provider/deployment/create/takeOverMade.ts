/** What an interrupted creation made goes on from there, on the same road as after an answer. */
import type { Call } from "../../call";
import type { Properties } from "../../fields/value";
import type { Entry } from "../../journal/entry";
import type { Created } from "../../resource";
import { claim } from "../claim";
import { withSent } from "../intent";
import { begun } from "../operation";
import { planUpdate } from "../plan";
import { outputsOf } from "../state";
import { applyTo } from "../update/carryOut";
import type { Recovered } from "./recover";

/** Takes over what the interrupted run made; what the program has changed since is sent. */
export async function takeOverMade(
  call: Call,
  inputs: Properties,
  { resource, entry, because }: Recovered,
): Promise<Created> {
  const id = resource.id as string;
  claim(call, id);
  await call.run.creations.answered(entry, { id });
  await call.warn(`takes over ${id}, which an interrupted run made: ${because}`);
  const latestRevisionId = resource.latest_revision_id;
  const made = { inputs: withSent(inputs, entry), olds: {}, sent: {}, revisionId: latestRevisionId };
  const recorded = outputsOf(call, made, resource, begun(inputs));
  const olds = { ...recorded, latestRevisionId, ...unknownSecrets(entry) };
  const plan = planUpdate(olds, inputs, call.profile);
  if (plan.verdict === "replace") {
    throw call.refuse(
      `${id}, which an interrupted run made, differs in what cannot be changed: ${plan.replaces.join(", ")}. ` +
        "Set that back for one up, which takes it over, and change it then",
    );
  }
  return { id, outputs: await applyTo(call, id, plan) };
}

/** No trace of their values is kept, so all are sent again: they may have changed since. */
function unknownSecrets({ secretNames, token }: Entry): Properties {
  if (secretNames.length === 0) return {};
  return { secrets: Object.fromEntries(secretNames.map((name) => [name, token])) };
}
