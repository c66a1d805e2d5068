/** Waiting for the revision of one deployment: until it runs, fails, is superseded or the time is over. */

import { RefusedError } from "../failure";
import type { Properties } from "../fields/value";
import { Follow, type Followed } from "./follow";
import type { Poller } from "./poller";
import type { Step } from "./statusLog";

export interface Outcome {
  readonly end: "deployed" | "failed" | "timeout";
  /** The revision at the end: a newer one when the first was superseded. */
  readonly revisionId: string | undefined;
  readonly status: string | undefined;
  /** Each status that was seen, in order, with its duration. */
  readonly steps: readonly Step[];
  readonly seconds: number;
  /** The listed deployment that runs it; undefined where the revision showed the end. */
  readonly resource: Properties | undefined;
}

export interface Wait extends Omit<Followed, "tellStatus" | "tellNewer"> {
  /** The revision to wait for, where it was just read: that is the first look. */
  readonly revision?: Properties;
  readonly tell: Followed["tellNewer"];
  /** Takes what only matters while the wait lasts. */
  readonly progress?: (words: string) => Promise<void>;
}

/**
 * Waits for the revision. Throws the errors of the service, and a RefusedError when the deployment is gone; a failed
 * revision is a result.
 */
export async function waitForRollout(
  poller: Poller,
  { tell, progress, revision, ...followed }: Wait,
): Promise<Outcome> {
  const follow = new Follow(poller, { ...followed, tellStatus: tell, tellNewer: tell });
  if (revision !== undefined) await follow.seesRevision(revision);
  const seen = told(progress);
  await poller.watch([follow], () => seen(follow));
  const { end, revisionId, status, resource, log, isGone } = follow;
  if (isGone) throw new RefusedError(`the service has the deployment no longer (${status}).`);
  const ended = end === "waiting" ? "timeout" : end;
  return { end: ended, revisionId, status, steps: log.steps(), seconds: log.total(), resource };
}

const FIRST_SECONDS = 10;
const LONGEST_SECONDS = 60;

/** Tells how it stands: soon at first, later once a minute, since a log keeps every line. */
function told(progress: NonNullable<Wait["progress"]> = async () => {}): (follow: Follow) => Promise<void> {
  let dueAt = FIRST_SECONDS;
  return async ({ end, status, log }) => {
    const seconds = log.total();
    if (end !== "waiting" || seconds < dueAt) return;
    dueAt = seconds + Math.min(LONGEST_SECONDS, seconds);
    await progress(`${status ?? "waiting for its revision"}, ${Math.round(seconds)} s`);
  };
}
