/** The system's clock, which tests replace. */

export interface Clock {
  now(): number;
  /** Resolves after the given number of milliseconds, or as soon as `waking` aborts. */
  sleep(milliseconds: number, waking?: AbortSignal): Promise<void>;
  /** Calls `ring` after the given number of milliseconds. The returned function cancels the alarm. */
  alarm?(milliseconds: number, ring: () => void): () => void;
}

export const systemClock: Required<Clock> = {
  now: () => Date.now(),
  sleep: (milliseconds, waking) =>
    new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        waking?.removeEventListener("abort", wake);
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

/** Sets an alarm on the given clock, or on the system's clock if the given clock has no alarms. */
export function alarmOf(clock: Clock, milliseconds: number, ring: () => void): () => void {
  return clock.alarm?.(milliseconds, ring) ?? systemClock.alarm(milliseconds, ring);
}
