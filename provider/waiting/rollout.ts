/** Waits for one deployment's revision until it runs or fails, or the time is over. */

import { RefusedError } from "../failure";
import type { Properties } from "../fields/value";
import { Follow, type FollowOptions } from "./follow";
import type { Poller } from "./poller";
import type { Stage } from "./statusLog";

export interface WaitEnd {
  readonly end: "deployed" | "failed" | "timeout";
  /** The revision at the end: a newer one if that superseded the first. */
  readonly revisionId: string | undefined;
  readonly status: string | undefined;
  /** Why it failed, in the service's words; undefined if there are none. */
  readonly reason: string | undefined;
  /** Each status in order, with its duration. */
  readonly steps: readonly Stage[];
  readonly seconds: number;
  /** The deployment in the listing that showed the end; undefined if a read of the revision showed it. */
  readonly resource: Properties | undefined;
}

export interface Wait extends Omit<FollowOptions, "tellStatus" | "tellNewer"> {
  /** The revision to wait for, if the caller has just read it; saves the first read. */
  readonly revision?: Properties;
  readonly tell: FollowOptions["tellNewer"];
  /** Shows lines that matter only during the wait. */
  readonly progress?: (words: string) => Promise<void>;
}

/**
 * Waits for the revision. A failed revision is a result. Throws the service's errors, and a RefusedError if the
 * deployment is gone.
 */
export async function waitForRollout(
  poller: Poller,
  { tell, progress, revision, ...followed }: Wait,
): Promise<WaitEnd> {
  const follow = new Follow(poller, { ...followed, tellStatus: tell, tellNewer: tell });
  if (revision !== undefined) await follow.seesRevision(revision);
  const report = teller(progress);
  await poller.watch([follow], () => report(follow));
  const { end, revisionId, status, reason, resource, log, isGone } = follow;
  if (isGone) throw new RefusedError(`the service no longer has the deployment (${status}).`);
  const ended = end === "waiting" ? "timeout" : end;
  return { end: ended, revisionId, status, reason, steps: log.steps(), seconds: log.total(), resource };
}

const FIRST_SECONDS = 10;
const LONGEST_SECONDS = 60;

/** Reports progress: often at first, later once a minute, because a log keeps every line. */
function teller(progress: NonNullable<Wait["progress"]> = async () => {}): (follow: Follow) => Promise<void> {
  let dueAt = FIRST_SECONDS;
  return async ({ end, status, log }) => {
    const seconds = log.total();
    if (end !== "waiting" || seconds < dueAt) return;
    dueAt = seconds + Math.min(LONGEST_SECONDS, seconds);
    await progress(`${status ?? "waiting for its revision"}, ${Math.round(seconds)} s`);
  };
}
