/** Time, so that tests can turn it. */

export interface Clock {
  now(): number;
  /** No longer than until it is woken. */
  sleep(milliseconds: number, waking?: AbortSignal): Promise<void>;
  /** Rings after that long unless it is stopped by calling what it answers; the system's timer where a clock has none. */
  alarm?(milliseconds: number, ring: () => void): () => void;
}

export const systemClock: Required<Clock> = {
  now: () => Date.now(),
  sleep: (milliseconds, waking) =>
    new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      waking?.addEventListener("abort", wake, { once: true });
    }),
  alarm: (milliseconds, ring) => {
    const timer = setTimeout(ring, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** An alarm of the clock, or of the system where the clock has none. */
export function alarmOf(clock: Clock, milliseconds: number, ring: () => void): () => void {
  return clock.alarm?.(milliseconds, ring) ?? systemClock.alarm(milliseconds, ring);
}
