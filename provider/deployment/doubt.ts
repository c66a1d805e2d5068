/** An update whose answer was lost: looked for on the service, and never sent blindly again. */
import { createdSinceInDoubt } from "../attribution";
import type { Answered } from "../client/endpoints";
import { mayHaveBeenApplied } from "../client/errors";
import { sentence } from "../describe";
import { UnfinishedError } from "../failure";
import { isProperties, type Properties, sameValue } from "../fields/value";
import { findRevision } from "../revisions";
import { labelOf, type Operation, tell } from "./finish";
import type { Plan } from "./plan";
import { UNCERTAIN_SINCE } from "./state";

/** An update that reached the service: what it answered, and when it was sent. */
export interface Sent {
  readonly answer: Answered;
  readonly at: number;
}

/** The PATCH. When its answer is lost, a look at the service tells whether it was applied: it is never sent blindly again. */
export async function patch(
  operation: Operation,
  body: Properties,
  olds: Properties,
  plan: Plan,
  sentAt: number,
): Promise<Sent> {
  const { service, session, inputs, id } = operation;
  try {
    return { answer: await service.endpoints.updateDeployment(id, body), at: sentAt };
  } catch (error) {
    if (!mayHaveBeenApplied(error)) throw error;
    const lostAnswer = error as Error;
    await tell(
      session,
      inputs,
      `it is not certain whether the update was applied (${lostAnswer.message}); looking`,
    );
    return { answer: await settleTheDoubt(operation, body, olds, plan, sentAt, lostAnswer), at: sentAt };
  }
}

/** Finds the update on the service, or sends it once more if it is not there; a doubt that stays is remembered. */
async function settleTheDoubt(
  operation: Operation,
  body: Properties,
  olds: Properties,
  plan: Plan,
  sentAt: number,
  lostAnswer: Error,
): Promise<Answered> {
  try {
    const found = await appliedAnyway(operation, body, olds, plan, sentAt, lostAnswer);
    if (found !== undefined) return { resource: found, serviceTime: undefined };
    return await operation.service.endpoints.updateDeployment(operation.id, body);
  } catch (error) {
    const reason =
      `${labelOf(operation.inputs)}: it is not known whether the update was applied: ${sentence((error as Error).message)} ` +
      "The next up looks first, and makes no second revision";
    const asUncertain = { ...olds, [UNCERTAIN_SINCE]: sentAt, rolloutState: "unfinished" };
    throw new UnfinishedError(operation.id, asUncertain, reason, { cause: error });
  }
}

/** A request whose answer was lost may still be on its way; it is looked for this often, this far apart. */
const LOOKS = 3;
const BETWEEN_LOOKS_MS = 700;

async function appliedAnyway(
  operation: Operation,
  body: Properties,
  olds: Properties,
  plan: Plan,
  sentAt: number,
  lostAnswer: Error,
): Promise<Properties | undefined> {
  const { service, session, id } = operation;
  for (let look = 0; look < LOOKS; look += 1) {
    await session.clock.sleep(BETWEEN_LOOKS_MS);
    // Where nothing else is answered either, a look of each resource would only add to what brings the service down.
    if (service.endpoints.isFailing) throw lostAnswer;
    const resource = await service.directory.fresh(id);
    if (resource !== undefined && (await showsTheUpdate(operation, resource, body, olds, plan, sentAt)))
      return resource;
  }
  return undefined;
}

export async function showsTheUpdate(
  operation: Operation,
  resource: Properties,
  body: Properties,
  olds: Properties,
  plan: Plan,
  sentAt: number,
): Promise<boolean> {
  if (
    !holds(resource.source_config, body.source_config) ||
    !holds(resource.source_revision_config, body.source_revision_config)
  )
    return false;
  if (plan.verdict === "inPlace") return true;
  const latest = resource.latest_revision_id;
  if (typeof latest === "string" && latest !== olds.latestRevisionId) {
    const { endpoints } = operation.service;
    return createdSinceInDoubt(endpoints, await findRevision(endpoints, operation.id, latest), sentAt);
  }
  // Without a new revision only an update that need not make one can have been applied, and secrets do not show.
  return false;
}

/** Whether the service holds what was sent, whatever else it has. */
export function holds(live: unknown, sent: unknown): boolean {
  if (sent === undefined) return true;
  if (!isProperties(sent)) return sent === null ? live === null || live === undefined : sameValue(live, sent);
  return isProperties(live)
    ? Object.entries(sent).every(([name, value]) => holds(live[name], value))
    : Object.keys(sent).length === 0;
}
