/** One retry policy for every request. */
import { ServiceError, StatusError, UnreachableError } from "./errors";

/** Time as the policy sees it, so that tests can turn it. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
/** All tries of one request together take no longer, but for pauses that the service itself asked for. */
const BUDGET_MS = 120_000;
/** A service that asks for a longer pause is not waited for: its answer is the error. */
const LONGEST_ASKED_PAUSE_MS = 600_000;

/**
 * Runs the request again while that is safe: a read after any passing fault, anything else only when the service
 * has certainly not seen it or refused it unread (429).
 */
export async function withRetries<T>(
  method: string,
  maxRetries: number,
  clock: Clock,
  request: () => Promise<T>,
): Promise<T> {
  const started = clock.now();
  let paused = 0;
  for (let retry = 0; ; retry += 1) {
    try {
      return await request();
    } catch (error) {
      const asked = askedPause(error);
      const pause = jitter(retry);
      const spent = clock.now() - started - paused;
      if (retry >= maxRetries || !mayRepeat(method, error)) throw error;
      if (asked > LONGEST_ASKED_PAUSE_MS || spent + pause > BUDGET_MS) throw error;
      await clock.sleep(asked + pause);
      paused += asked;
    }
  }
}

function mayRepeat(method: string, error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  if (error instanceof StatusError && error.status === 429) return true;
  if (error instanceof UnreachableError && !error.mayHaveBeenApplied) return true;
  if (method !== "GET") return false;
  if (error instanceof StatusError)
    return error.status === 408 || (error.status >= 500 && error.status !== 501);
  return error instanceof UnreachableError;
}

function askedPause(error: unknown): number {
  return error instanceof StatusError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
}

/** Full jitter, also on top of a pause that was asked for: every waiting client comes back at another moment. */
function jitter(retry: number): number {
  return Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retry);
}
