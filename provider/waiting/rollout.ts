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
  /** How long each status took that was seen, in order. */
  readonly steps: readonly Step[];
  readonly seconds: number;
  /** The deployment that was seen to run it, where it was the deployment that was looked at. */
  readonly resource: Properties | undefined;
}

export interface Wait extends Omit<Followed, "tellStatus" | "tellNewer"> {
  readonly tell: (words: string) => Promise<void>;
}

/**
 * Waits for the revision. Never throws for what the revision does; faults of the service's answers go through, and a
 * deployment that is gone is one.
 */
export async function waitForRollout(poller: Poller, { tell, ...followed }: Wait): Promise<Outcome> {
  const follow = new Follow(poller, { ...followed, tellStatus: tell, tellNewer: tell });
  await poller.watch([follow]);
  const { end, revisionId, status, resource, log, isGone } = follow;
  if (isGone) throw new RefusedError(`the service has the deployment no longer (${status}).`);
  const ended = end === "waiting" ? "timeout" : end;
  return { end: ended, revisionId, status, steps: log.steps(), seconds: log.total(), resource };
}
