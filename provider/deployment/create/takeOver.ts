/** What an interrupted creation made goes on from there, on the same road as after an answer. */
import { RefusedError } from "../../failure";
import type { Properties } from "../../fields/value";
import type { Entry } from "../../journal/journal";
import type { Service, Session } from "../../service/session";
import { claim } from "../claim";
import { withSent } from "../intent";
import { planUpdate } from "../plan";
import { labelOf, type Operation, waits, warn } from "../rollout/await";
import { outputsOf } from "../state";
import { carryOut } from "../update/carryOut";
import type { Recovered } from "./recover";

/** Takes over what the interrupted run made; what the program has changed since is sent. */
export async function takeOver(
  session: Session,
  service: Service,
  inputs: Properties,
  { resource, entry, because }: Recovered,
): Promise<{ id: string; outputs: Properties }> {
  const id = resource.id as string;
  const { profile } = service.connection;
  claim(service, id, inputs);
  await session.journal.made(entry.urn, entry.serviceUrl, id);
  await warn(session, inputs, `takes over ${id}, which an interrupted run made: ${because}`);
  const rollout = { status: undefined, state: waits(inputs) ? "unfinished" : "not awaited" } as const;
  const revisionId = resource.latest_revision_id ?? undefined;
  const told = { body: undefined, olds: {}, revisionId };
  const recorded = outputsOf(withSent(inputs, entry), resource, rollout, service.connection, told);
  const olds = { ...recorded, latestRevisionId: resource.latest_revision_id, ...unknownSecrets(entry) };
  const plan = planUpdate(olds, inputs, profile);
  if (plan.verdict === "replace") {
    throw new RefusedError(
      `${labelOf(inputs)}: ${id}, which an interrupted run made, differs in what cannot be changed: ${plan.replaces.join(", ")}. ` +
        "Set that back for one up, which takes it over, and change it then",
    );
  }
  const operation: Operation = {
    session,
    service,
    kind: "create",
    id,
    inputs,
    told: { body: {}, olds: recorded, revisionId },
  };
  return { id, outputs: await carryOut(operation, olds, plan) };
}

/** No trace of their values is kept, so all are sent again: they may have changed since. */
function unknownSecrets({ secretNames, token }: Entry): Properties {
  if (secretNames.length === 0) return {};
  return { secrets: Object.fromEntries(secretNames.map((name) => [name, token])) };
}
