/** How many retries a failing service gets in all, so that they do not make its outage worse. */

/** Retries of all requests together before the service has to answer one. */
const MOST = 30;
/** What each answer gives back: a service of which two requests in three succeed can be retried for ever. */
const EARNED = 0.5;

export class RetryQuota {
  #left = MOST;

  /** One retry, if there is one left. */
  take(): boolean {
    if (this.isSpent) return false;
    this.#left -= 1;
    return true;
  }

  /** The service has answered. */
  earn(): void {
    this.#left = Math.min(MOST, this.#left + EARNED);
  }

  /** Whether no retry is left. */
  get isSpent(): boolean {
    return this.#left < 1;
  }
}

const quotas = new Map<string, RetryQuota>();

/** The one quota of this process for the service at that address. */
export function quotaOf(baseUrl: string): RetryQuota {
  const { origin } = new URL(baseUrl);
  const quota = quotas.get(origin) ?? new RetryQuota();
  quotas.set(origin, quota);
  return quota;
}
