/**
 * A clock for whole operations over real connections: pauses take no time, and time-outs end when they are rung. The
 * service in this process goes by it too, as two machines do whose clocks are right.
 */
import type { Clock } from "../../../provider/client/clock";

const realNow = Date.now;
afterEach(() => {
  Date.now = realNow;
});

export class TurnedClock implements Clock {
  #ahead = 0;
  readonly #alarms = new Set<{ readonly at: number; readonly ring: () => void }>();
  /** Called with each pause. */
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
    // Whatever is under way goes on first.
    await new Promise((resolve) => setImmediate(resolve));
  }

  alarm(milliseconds: number, ring: () => void): () => void {
    const alarm = { at: this.now() + milliseconds, ring };
    this.#alarms.add(alarm);
    return () => void this.#alarms.delete(alarm);
  }

  /** Time goes on to the next alarm, which rings. */
  ringNext(): void {
    const [next] = [...this.#alarms].sort((one, other) => one.at - other.at);
    if (next === undefined) return;
    this.#alarms.delete(next);
    this.#ahead += Math.max(0, next.at - this.now());
    next.ring();
  }
}
