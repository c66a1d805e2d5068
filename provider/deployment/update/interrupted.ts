/** What an earlier run has left in doubt: an update that it sent without recording what came of it. */
import { deploymentRows } from "../../fields/deployment";
import type { Properties } from "../../fields/value";
import { rowsToWire } from "../../fields/wire";
import { urnOf } from "../../host/carried";
import type { Entry, Unreadable } from "../../journal/journal";
import { momentOf } from "../../journal/moment";
import { updateIntent } from "../intent";
import type { Plan } from "../plan";
import { patchBody } from "../request";
import { type Operation, warn } from "../rollout/await";
import { isDoubtful, UNCERTAIN_SINCE } from "../state";
import type { Trace } from "./patch";

/** What is known of an update of which no state tells whether the service has it. */
export interface Doubt {
  /** Undefined where nothing is known of what was sent. */
  readonly trace: Trace | undefined;
  /** The latest revision that the service answered, null where it named none; undefined while it had not. */
  readonly answer: string | null | undefined;
  /** The arguments that were sent, as far as they are no secrets. */
  readonly sent: Properties;
  /** The names of the secrets that were sent; undefined where it carried none. */
  readonly secretNames: readonly string[] | undefined;
  /** From then on, by our clock, it can no longer arrive. */
  readonly overAt: number;
  /** The journal's entry, where there is one that can be read. */
  readonly entry: { readonly file: string; readonly entry: Entry } | undefined;
}

/** What an earlier run has left in doubt about the deployment; undefined for nothing. */
export async function doubtAbout(
  operation: Operation,
  olds: Properties,
  plan: Plan,
): Promise<Doubt | undefined> {
  const { session, service, id, inputs } = operation;
  const { baseUrl, profile } = service.connection;
  const found = await session.updates.find(urnOf(inputs), baseUrl);
  const entry = found?.entry;
  if (found !== undefined && entry !== undefined) {
    if ("reason" in entry) return afterUnreadable(operation, found.file, entry);
    if (entry.id === id) return afterEntry(operation, found.file, entry);
    // Of a deployment that this resource no longer is.
    await session.updates.drop(urnOf(inputs), baseUrl);
  }
  if (!isDoubtful(olds)) return undefined;
  const body = patchBody(olds, inputs, plan, profile);
  const intent = updateIntent(operation, body ?? {}, olds);
  const sentAt = olds[UNCERTAIN_SINCE] as number;
  const trace = body && { body, revises: plan.verdict !== "inPlace", before: olds.latestRevisionId, sentAt };
  const secretNames = intent.carries.includes("secrets") ? intent.secretNames : undefined;
  return { trace, answer: undefined, sent: intent.sent, secretNames, overAt: 0, entry: undefined };
}

function afterEntry({ session, service }: Operation, file: string, entry: Entry): Doubt {
  const { sent, known, sentAt, overAt, answer, carries, secretNames } = entry;
  const now = session.clock.now();
  const body = rowsToWire(deploymentRows, sent, service.connection.profile);
  return {
    trace: { body, revises: true, before: known[0] ?? null, sentAt, overAt },
    answer,
    sent,
    secretNames: carries?.includes("secrets") ? secretNames : undefined,
    overAt: answer === undefined ? Math.min(overAt, now + overAt - sentAt) : 0,
    entry: { file, entry },
  };
}

/** A file of the journal that says nothing: any update may have been sent until then, also one of secrets. */
async function afterUnreadable(
  { session, service, inputs }: Operation,
  file: string,
  { changedAt, reason }: Unreadable,
): Promise<Doubt> {
  const { sentAt, overAt } = momentOf(service, session.clock);
  await warn(session, inputs, `the journal's file ${file} cannot be read: ${reason}`);
  await session.updates.drop(urnOf(inputs), service.connection.baseUrl);
  return {
    trace: undefined,
    answer: undefined,
    sent: {},
    secretNames: [],
    overAt: Math.min(changedAt + overAt - sentAt, overAt),
    entry: undefined,
  };
}
