/** The PATCH of an update: journalled where it may revise, and looked for when its answer is lost, never sent blindly again. */

import type { Answered } from "../../client/endpoints";
import { mayHaveBeenApplied } from "../../client/errors";
import { UnfinishedError } from "../../failure";
import { holds } from "../../fields/compare";
import type { Properties } from "../../fields/value";
import { urnOf } from "../../host/carried";
import { type Intent, JournalConflict } from "../../journal/journal";
import { momentOf } from "../../journal/moment";
import { sentence } from "../../verdict/describe";
import { findRevision } from "../../waiting/revisions";
import { updateIntent } from "../intent";
import { type Plan, revises } from "../plan";
import { conflicted, labelOf, type Operation, tell } from "../rollout/await";
import { UNCERTAIN_SINCE } from "../state";
import { createdWithinInDoubt, type Made } from "./attribution";

/** An update that reached the service: what it answered, when it was sent, and what it made where a look told that. */
export interface Sent {
  readonly answer: Answered;
  readonly at: number;
  readonly made?: Made | undefined;
}

/** An update that may have reached the service, by which it is known there. */
export interface Trace {
  /** What was sent, as on the wire. */
  readonly body: Properties;
  /** Whether it makes, or may make, a revision. */
  readonly revises: boolean;
  /** The latest revision before. */
  readonly before: unknown;
  /** When it was sent, in ms since 1970. */
  readonly sentAt: number;
  /** When it could no longer arrive, where that is known. */
  readonly overAt?: number;
}

/** What a look has found of an update. */
export interface Shown {
  /** Undefined where nothing has looked for a revision. */
  readonly made: Made | undefined;
}

/** One PATCH on its way. */
interface Sending {
  readonly operation: Operation;
  readonly body: Properties;
  readonly olds: Properties;
  readonly trace: Trace;
  /** For the journal; undefined where repeating it is harmless, or what begins it is guarded itself. */
  readonly intent: Intent | undefined;
}

/** The PATCH. When its answer is lost, a look at the service tells whether it was applied: it is never sent blindly again. */
export async function patch(
  operation: Operation,
  body: Properties,
  olds: Properties,
  plan: Plan,
  sentAt: number,
): Promise<Sent> {
  const { session, inputs, kind } = operation;
  const intent = kind === "update" && revises(plan) ? updateIntent(operation, body, olds) : undefined;
  const trace = { body, revises: plan.verdict !== "inPlace", before: olds.latestRevisionId, sentAt };
  const sending = { operation, body, olds, trace, intent };
  try {
    return { answer: await send(sending), at: sentAt };
  } catch (error) {
    if (error instanceof JournalConflict) throw conflicted(inputs, error);
    if (!mayHaveBeenApplied(error)) {
      if (intent !== undefined) await session.updates.drop(intent.urn, intent.serviceUrl);
      throw error;
    }
    const lostAnswer = error as Error;
    await tell(
      session,
      inputs,
      `it is not certain whether the update was applied (${lostAnswer.message}); looking`,
    );
    return { ...(await settleTheDoubt(sending, lostAnswer)), at: sentAt };
  }
}

async function send({ operation, body, trace, intent }: Sending): Promise<Answered> {
  const { service, session, id } = operation;
  if (intent === undefined) return service.endpoints.updateDeployment(id, body);
  const { sentAt } = trace;
  const answer = await service.endpoints.updateDeployment(id, body, () =>
    // Whichever try arrives, it was not sent before the first.
    session.updates.sending(intent, {
      ...momentOf(service, session.clock),
      sentAt,
      serviceTime: sentAt + service.endpoints.clockAhead,
    }),
  );
  await noteAnswer(operation, answer.resource);
  return answer;
}

/** Notes in the journal what the service answered to the update, or shows of it. */
export function noteAnswer({ session, service, inputs }: Operation, resource: Properties): Promise<void> {
  const latest = resource.latest_revision_id;
  const answer = typeof latest === "string" ? latest : null;
  return session.updates.answered(urnOf(inputs), service.connection.baseUrl, answer);
}

/** Finds the update on the service, or sends it once more if it is not there; a doubt that stays is remembered. */
async function settleTheDoubt(sending: Sending, lostAnswer: Error): Promise<Omit<Sent, "at">> {
  const { operation, olds, trace, intent } = sending;
  try {
    const found = await appliedAnyway(operation, trace, lostAnswer);
    if (found === undefined) return { answer: await send(sending) };
    if (intent !== undefined) await noteAnswer(operation, found.answer.resource);
    return found;
  } catch (error) {
    const reason =
      `${labelOf(operation.inputs)}: it is not known whether the update was applied: ${sentence((error as Error).message)} ` +
      "The next up looks first, and makes no second revision";
    const asUncertain = { ...olds, [UNCERTAIN_SINCE]: trace.sentAt, rolloutState: "unfinished" };
    throw new UnfinishedError(operation.id, asUncertain, reason, { cause: error });
  }
}

/** A request whose answer was lost may still be on its way; it is looked for this often, this far apart. */
const LOOKS = 3;
const BETWEEN_LOOKS_MS = 700;

async function appliedAnyway(
  operation: Operation,
  trace: Trace,
  lostAnswer: Error,
): Promise<Omit<Sent, "at"> | undefined> {
  const { service, session, id } = operation;
  for (let look = 0; look < LOOKS; look += 1) {
    await session.clock.sleep(BETWEEN_LOOKS_MS);
    // Where nothing else is answered either, a look of each resource would only add to what brings the service down.
    if (service.endpoints.isFailing) throw lostAnswer;
    const resource = await service.directory.fresh(id);
    const shown = resource && (await showsTheUpdate(operation, resource, trace));
    if (shown) return { answer: { resource, serviceTime: undefined }, made: shown.made };
  }
  return undefined;
}

/** Whether the deployment, as it was just read, provably shows the update. */
export async function showsTheUpdate(
  { service, id }: Operation,
  resource: Properties,
  { body, revises, before, sentAt, overAt }: Trace,
): Promise<Shown | undefined> {
  if (
    !holds(resource.source_config, body.source_config) ||
    !holds(resource.source_revision_config, body.source_revision_config)
  )
    return undefined;
  if (!revises) return { made: undefined };
  const latest = resource.latest_revision_id;
  // Without a new revision only an update that need not make one can have been applied, and secrets do not show.
  if (typeof latest !== "string" || latest === before) return undefined;
  const revision = await findRevision(service.endpoints, id, latest);
  return createdWithinInDoubt(service.endpoints, revision, sentAt, overAt)
    ? { made: { made: true, revision } }
    : undefined;
}
