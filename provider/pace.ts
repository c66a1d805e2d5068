/** How fast the waits of a process go: what they share so that each of them asks less. */
import type { Clock } from "./client/retry";

const SHORTEST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** A pause is longer by this part of what was waited: the end is seen that much late at most. */
const PART_OF_ELAPSED = 0.25;
/** Nobody asks while none of the revisions so far was ready: the quickest one's time, less this part. */
const PART_NOT_ASKED = 0.8;
const FIRST_LOOK_MS = 2_000;
const LONGEST_BETWEEN_LOOKS_MS = 10_000;
/** A revision that takes so much longer than the others did may have stalled. */
const STALLED_AFTER = 1.5;
const MOST_REMEMBERED = 50;

export class Pace {
  readonly #clock: Clock;
  readonly #took: number[] = [];
  #waiting = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether only one wait is under way: it need not go through a listing. */
  get isAlone(): boolean {
    return this.#waiting <= 1;
  }

  async counted<T>(wait: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    try {
      return await wait();
    } finally {
      this.#waiting -= 1;
    }
  }

  /** A revision was ready after so long. */
  learns(milliseconds: number): void {
    this.#took.push(milliseconds);
    if (this.#took.length > MOST_REMEMBERED) this.#took.shift();
  }

  /**
   * How long to pause after so long a wait. Where several wait, they pause to the same moments, so that one request
   * tells of all.
   */
  pause(elapsed: number): number {
    const quickest = this.#took.length === 0 ? 0 : Math.min(...this.#took) * PART_NOT_ASKED;
    const grown = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS + elapsed * PART_OF_ELAPSED);
    const pause = Math.max(grown, Math.min(LONGEST_PAUSE_MS, quickest - elapsed));
    if (this.isAlone) return pause;
    const grid = SHORTEST_PAUSE_MS * 2 ** Math.floor(Math.log2(pause / SHORTEST_PAUSE_MS));
    const now = this.#clock.now();
    return Math.max(1, Math.floor((now + pause) / grid) * grid - now);
  }

  /** After so long a wait a revision is looked at by itself, since a listing does not tell of all that may happen. */
  get firstLookMs(): number {
    if (this.#took.length === 0) return FIRST_LOOK_MS;
    const slowest = Math.max(...this.#took) * STALLED_AFTER;
    return Math.min(LONGEST_BETWEEN_LOOKS_MS, Math.max(FIRST_LOOK_MS, slowest));
  }

  /** From one such look to the next, ever more rarely. */
  betweenLooksMs(looks: number): number {
    return Math.min(LONGEST_BETWEEN_LOOKS_MS, FIRST_LOOK_MS * 2 ** looks);
  }
}
