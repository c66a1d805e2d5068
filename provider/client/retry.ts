/** The retry policy of every request, and the limit on all retries for a failing service. */
import type { Clock } from "./clock";
import { ServiceError, StatusError, UnreachableError } from "./errors";

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
/** First pause in ms after a 429 without Retry-After. Rate limits count requests over a second or longer. */
const FIRST_CLOSING_MS = 1_000;
/** Longest total time of all tries of one request, including the pauses between the tries. */
const BUDGET_MS = 600_000;

/** Time limit for all tries of one request, counted from its first try. */
export class Budget {
  readonly #clock: Clock;
  readonly milliseconds: number;
  #deadline: number | undefined;

  /** `longestTryMs` is the time limit of one try. All tries together get at least this much time. */
  constructor(clock: Clock, longestTryMs: number) {
    this.#clock = clock;
    this.milliseconds = Math.max(BUDGET_MS, longestTryMs);
  }

  /** The milliseconds left. The time starts when `left` is first read, so the wait for a slot does not count. */
  get left(): number {
    this.#deadline ??= this.#clock.now() + this.milliseconds;
    return this.#deadline - this.#clock.now();
  }
}

interface RetryPolicy {
  readonly method: string;
  readonly maxRetries: number;
  readonly clock: Clock;
  readonly budget: Budget;
  readonly quota: RetryQuota;
}

/**
 * Retries the request while a retry is safe. A read is retried after any temporary failure. A write is retried only
 * if the service never saw the request, or refused it without processing it (429). Retries after a 429 do not count
 * toward `maxRetries`, because the load of all requests together causes a 429.
 */
export async function withRetries<T>(policy: RetryPolicy, request: () => Promise<T>): Promise<T> {
  const { method, maxRetries, clock, quota } = policy;
  for (let retry = 0; ; ) {
    try {
      const answer = await request();
      quota.earn();
      return answer;
    } catch (error) {
      // A permanent refusal shows that the service works.
      if (error instanceof StatusError && !isTemporary(error)) quota.earn();
      if (isThrottled(error)) quota.close(clock.now(), error.retryAfterSeconds);
      if (retry >= maxRetries || !mayRepeat(method, error)) throw error;
      const least = isThrottled(error) ? quota.closedFor(clock.now()) : requestedPause(error);
      const pause = least + jitter(retry);
      const refusal = refusalOf(policy, error, pause);
      if (refusal !== undefined) throw error.because(refusal);
      if (!isThrottled(error)) retry += 1;
      await clock.sleep(pause);
    }
  }
}

function mayRepeat(method: string, error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  if (isThrottled(error)) return true;
  if (error instanceof UnreachableError && !error.mayHaveBeenApplied) return true;
  return method === "GET" && isTemporary(error);
}

/** Whether the same request may succeed a little later. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof StatusError)
    return [408, 429].includes(error.status) || (error.status >= 500 && error.status !== 501);
  return error instanceof UnreachableError;
}

const isThrottled = (error: unknown): error is StatusError =>
  error instanceof StatusError && error.status === 429;

/** The reason not to retry the request; undefined if the request may be retried. */
function refusalOf({ budget, quota }: RetryPolicy, error: ServiceError, pauseMs: number): string | undefined {
  const { left, milliseconds } = budget;
  if (pauseMs >= left) {
    const limit = `only ${seconds(left)} of the ${seconds(milliseconds)} allowed for all tries are left`;
    return requestedPause(error) > 0
      ? `the service asks to wait ${seconds(requestedPause(error))}, but ${limit}. Try again later`
      : `it was not sent again: ${limit}`;
  }
  if (isThrottled(error) || quota.take()) return undefined;
  return "it was not sent again: too many requests to this service have just failed";
}

const seconds = (milliseconds: number): string => `${Math.ceil(milliseconds / 1000)} s`;

function requestedPause(error: unknown): number {
  return error instanceof StatusError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
}

/** Full jitter. Even a pause that the service requested gets jitter, so that clients do not all return at once. */
const jitter = (retry: number): number => Math.random() * doubled(FIRST_PAUSE_MS, retry);

const doubled = (milliseconds: number, times: number): number =>
  Math.min(LONGEST_PAUSE_MS, milliseconds * 2 ** times);

/** Maximum number of retries for all requests together. Answers give retries back. */
const MOST_RETRIES = 30;
/** Retries that each answer gives back. Retries never run out while two out of three requests get an answer. */
const EARNED_RETRIES = 0.5;

export class RetryQuota {
  #left = MOST_RETRIES;
  /** Number of pauses after 429s since the service's last good answer. */
  #closings = 0;
  #opensAt = 0;

  /** Takes one retry. Returns false if no retry is left. */
  take(): boolean {
    if (this.isSpent) return false;
    this.#left -= 1;
    return true;
  }

  /** Gives retries back. Call this after each answer that shows that the service works. */
  earn(): void {
    this.#closings = 0;
    this.#left = Math.min(MOST_RETRIES, this.#left + EARNED_RETRIES);
  }

  get isSpent(): boolean {
    return this.#left < 1;
  }

  /** Starts a pause after a 429. Without Retry-After, the pause doubles each time until a good answer comes. */
  close(now: number, retryAfterSeconds = 0): void {
    // During a pause, only a further 429 with a Retry-After prolongs the pause.
    const wasOpen = this.closedFor(now) === 0;
    const pause = retryAfterSeconds * 1000 || (wasOpen ? doubled(FIRST_CLOSING_MS, this.#closings) : 0);
    this.#opensAt = Math.max(this.#opensAt, now + pause);
    if (wasOpen) this.#closings += 1;
  }

  closedFor(now: number): number {
    return Math.max(0, this.#opensAt - now);
  }

  /** Resolves when the pause after a 429 has ended, or at once if the pause would outlast the budget. */
  async untilOpen(clock: Clock, budget: Budget): Promise<void> {
    for (;;) {
      const pause = this.closedFor(clock.now());
      if (pause === 0 || pause >= budget.left) return;
      await clock.sleep(pause);
    }
  }
}

const quotas = new Map<string, RetryQuota>();

/** The quota that this process shares among all requests to the service at that address. */
export function quotaOf(baseUrl: string): RetryQuota {
  const { origin } = new URL(baseUrl);
  const quota = quotas.get(origin) ?? new RetryQuota();
  quotas.set(origin, quota);
  return quota;
}
