/** What an earlier run left in doubt: an update that it sent without recording the result. */

import { deploymentRows } from "../../fields/deployment";
import { isProperties, laidOver, type Properties } from "../../fields/value";
import { rowsToWire } from "../../fields/wire";
import type { Entry, Unreadable } from "../../journal/entry";
import { provenBy, updateIntent } from "../intent";
import { isEmpty } from "../request";
import { isDoubtful } from "../state";
import { type Trace, traceOf } from "./patch";
import type { Update } from "./plannedUpdate";

/** What is known of an update that no state confirms. */
export interface Doubt {
  /** Undefined if it is not known what was sent. */
  readonly trace: Trace | undefined;
  /** The latest revision that the service answered, null where it named none; undefined while it had not. */
  readonly answer: string | null | undefined;
  /** The arguments that were sent, as far as the journal tells or proves them; secrets left out. */
  readonly sent: Properties;
  /** The names of the secrets that were sent; undefined where it carried none. */
  readonly secretNames: readonly string[] | undefined;
  /** Those of the program's secrets of which the journal proves that they were sent. */
  readonly secrets: Properties;
  /** When it can no longer arrive, by our clock. */
  readonly overAt: number;
  /** The journal's entry, if there is a readable one. */
  readonly entry: { readonly file: string; readonly entry: Entry } | undefined;
}

/** What an earlier run has left in doubt about the deployment; undefined for nothing. */
export async function doubtAbout(update: Update): Promise<Doubt | undefined> {
  const { call, id, olds } = update;
  const { updates } = call.run;
  const left = await updates.openEntry(call.key);
  if (left !== undefined) {
    const { file, entry } = left;
    if ("reason" in entry) return afterUnreadable(update, file, entry);
    if (entry.id === id) return afterEntry(update, file, entry);
    // The entry is about a deployment that this resource replaced.
    await updates.drop(call.key);
  }
  return isDoubtful(olds) ? afterState(update, olds.uncertainSince as number) : undefined;
}

/** Only the state notes the doubt: today's arguments stand for those that were sent. */
function afterState(update: Update, sentAt: number): Doubt {
  const { sent, carries, secretNames } = updateIntent(update.call, update.id, update);
  return {
    trace: isEmpty(update.body) ? undefined : traceOf(update, sentAt),
    answer: undefined,
    sent,
    secretNames: carries.includes("secrets") ? secretNames : undefined,
    secrets: {},
    overAt: 0,
    entry: undefined,
  };
}

function afterEntry({ call, news }: Update, file: string, entry: Entry): Doubt {
  const { secrets, ...others } = provenBy(entry, news, call.service.connection.macKey);
  const { sent, known, sentAt, overAt, answer, carries, secretNames } = entry;
  const body = rowsToWire(deploymentRows, sent, call.profile);
  return {
    trace: { body, revises: true, before: known[0] ?? null, sentAt, overAt },
    answer,
    sent: laidOver(sent, others) as Properties,
    secretNames: carries?.includes("secrets") ? secretNames : undefined,
    secrets: isProperties(secrets) ? secrets : {},
    overAt: answer === undefined ? Math.min(overAt, call.run.clock.now() + overAt - sentAt) : 0,
    entry: { file, entry },
  };
}

/** An unreadable file of the journal: any update may have been sent until its last change, also one of secrets. */
async function afterUnreadable(
  { call }: Update,
  file: string,
  { changedAt, reason }: Unreadable,
): Promise<Doubt> {
  const { sentAt, overAt } = call.moment();
  await call.warn(`the journal's file ${file} cannot be read: ${reason}`);
  await call.run.updates.drop(call.key);
  return {
    trace: undefined,
    answer: undefined,
    sent: {},
    secretNames: [],
    secrets: {},
    overAt: Math.min(changedAt + overAt - sentAt, overAt),
    entry: undefined,
  };
}
