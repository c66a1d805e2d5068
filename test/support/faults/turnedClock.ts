/**
 * A clock for whole operations over real connections. Sleeps take no time, and a time-out expires only when the test
 * calls `ringNext`. The service in this process uses the same clock, like a machine whose clock is synchronized.
 */
import type { Clock } from "../../../provider/client/clock";

const realNow = Date.now;
afterEach(() => {
  Date.now = realNow;
});

export class TurnedClock implements Clock {
  #ahead = 0;
  readonly #alarms = new Set<{ readonly at: number; readonly ring: () => void }>();
  /** Called at each sleep. */
  onSleep: () => Promise<void> | void = () => {};

  constructor() {
    Date.now = () => this.now();
  }

  now(): number {
    return realNow() + this.#ahead;
  }

  async sleep(milliseconds: number): Promise<void> {
    this.#ahead += milliseconds;
    await this.onSleep();
    // Lets pending work continue before the sleep ends.
    await new Promise((resolve) => setImmediate(resolve));
  }

  alarm(milliseconds: number, ring: () => void): () => void {
    const alarm = { at: this.now() + milliseconds, ring };
    this.#alarms.add(alarm);
    return () => void this.#alarms.delete(alarm);
  }

  /** Moves the time to the next alarm, and rings that alarm. */
  ringNext(): void {
    const [next] = [...this.#alarms].sort((one, other) => one.at - other.at);
    if (next === undefined) return;
    this.#alarms.delete(next);
    this.#ahead += Math.max(0, next.at - this.now());
    next.ring();
  }
}
