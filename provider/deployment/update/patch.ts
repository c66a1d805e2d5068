/** The PATCH of an update: journalled where it may create a revision, and never sent blindly again after a lost answer. */

import type { Call } from "../../call";
import type { Answered } from "../../client/endpoints";
import type { UnfinishedError } from "../../failure";
import { holds } from "../../fields/compare";
import type { Properties } from "../../fields/value";
import { sentence } from "../../fields/words";
import type { Entry } from "../../journal/entry";
import { say } from "../../verdict/sentences";
import { findRevision } from "../../waiting/revisions";
import { updateIntent } from "../intent";
import { revises } from "../plan";
import { createdWithinInDoubt, type Made } from "./attribution";
import type { Update } from "./plannedUpdate";

/** An update that reached the service: the answer, the time of sending, and what it made if a look showed that. */
export interface Sent {
  readonly answer: Answered;
  readonly at: number;
  readonly made?: Made | undefined;
}

/** What identifies an update that may have reached the service. */
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

/** What the service shows of an update. */
export interface Shown {
  /** Undefined if nobody looked for a revision. */
  readonly made: Made | undefined;
}

/** How often to look for an update whose answer was lost. */
const LOOKS = 3;

/** What identifies the update if it is sent at that moment. */
export function traceOf({ body, verdict, olds }: Update, sentAt: number): Trace {
  return { body, revises: verdict !== "inPlace", before: olds.latestRevisionId, sentAt };
}

/** The PATCH. When its answer is lost, a look at the service tells whether it was applied. `at`: the moment of sending. */
export function patch(update: Update, at: number): Promise<Sent> {
  const { call, id, body } = update;
  const { endpoints } = call.service;
  return call.sendOnce<Sent>({
    journalled: revises(update)
      ? { journal: call.run.updates, intent: updateIntent(call, id, update) }
      : undefined,
    // No try was sent before the first.
    moment: () => ({ ...call.moment(), sentAt: at, serviceTime: at + endpoints.clockAhead }),
    send: async (beforeSending) => ({
      answer: await endpoints.updateDeployment(id, body, beforeSending),
      at,
    }),
    noteOf: ({ answer }) => noteOf(answer.resource),
    lost: {
      begin: (error) => call.tell(say.updateUncertain({ message: error.message })),
      looks: LOOKS,
      find: (error) => appliedAnyway(update, at, error),
      otherwise: "send again",
      explain: (failure) => inDoubt(update, at, failure),
    },
  });
}

/** What the journal notes of the service's answer. */
export function noteOf({ latest_revision_id: latest }: Properties): Required<Pick<Entry, "answer">> {
  return { answer: typeof latest === "string" ? latest : null };
}

/** The doubt stays in the state: the next run looks before it sends. */
function inDoubt({ call, id, olds }: Update, at: number, failure: Error): UnfinishedError {
  const reason = `it is not known whether the update was applied: ${sentence(failure.message)} The next up looks first, and makes no second revision`;
  const asUncertain = { ...olds, uncertainSince: at, rolloutState: "unfinished" };
  return call.unfinished(id, asUncertain, reason, failure);
}

async function appliedAnyway(update: Update, at: number, lostAnswer: Error): Promise<Sent | undefined> {
  const { call, id } = update;
  const { endpoints, directory } = call.service;
  // If the service answers nothing at all, one look per resource would only add to its load.
  if (endpoints.isFailing) throw lostAnswer;
  const resource = await directory.fresh(id);
  const shown = resource && (await showsTheUpdate(call, id, resource, traceOf(update, at)));
  return shown && { answer: { resource, serviceTime: undefined }, made: shown.made, at };
}

/** Whether the deployment provably shows the update. */
export async function showsTheUpdate(
  { service }: Call,
  id: string,
  resource: Properties,
  { body, revises, before, sentAt, overAt }: Trace,
): Promise<Shown | undefined> {
  const sections = ["source_config", "source_revision_config"];
  if (!sections.every((section) => holds(resource[section], body[section]))) return undefined;
  if (!revises) return { made: undefined };
  const latest = resource.latest_revision_id;
  // Without a new revision, only an update that need not make one can have arrived; secrets do not show.
  if (typeof latest !== "string" || latest === before) return undefined;
  const revision = await findRevision(service.endpoints, id, latest);
  return createdWithinInDoubt(service.endpoints, revision, sentAt, overAt)
    ? { made: { made: true, revision } }
    : undefined;
}
