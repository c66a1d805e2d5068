/** How often to poll. */

const SHORTEST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** Each pause includes this fraction of the time waited so far. The fraction limits how late the end is noticed. */
const PART_OF_ELAPSED = 0.25;
/** Before this fraction of the fastest rollout's time has passed, polling is pointless. */
const PART_NOT_POLLED = 0.8;
const FIRST_LOOK_MS = 2_000;
const LONGEST_BETWEEN_LOOKS_MS = 10_000;
/** A revision that takes this many times as long as the slowest rollout so far may have stalled. */
const STALLED_AFTER = 1.5;
const MOST_REMEMBERED = 50;

export class Pace {
  readonly #took: number[] = [];

  /** Records how long a revision took from its creation until it ran. */
  learns(milliseconds: number): void {
    this.#took.push(milliseconds);
    if (this.#took.length > MOST_REMEMBERED) this.#took.shift();
  }

  /** The next pause after a wait of `elapsed` ms. `age`: ms since the revision's creation, if known. */
  pause(elapsed: number, age: number | undefined): number {
    const grown = SHORTEST_PAUSE_MS + elapsed * PART_OF_ELAPSED;
    const isKnown = age !== undefined && this.#took.length > 0;
    const untilQuickest = isKnown ? Math.min(...this.#took) * PART_NOT_POLLED - age : 0;
    return Math.min(LONGEST_PAUSE_MS, Math.max(grown, untilQuickest));
  }

  /** The end of a pause, rounded so that one request serves all waits that can share it. */
  sharedMoment(now: number, pause: number): number {
    const grid = SHORTEST_PAUSE_MS * 2 ** Math.floor(Math.log2(pause / SHORTEST_PAUSE_MS));
    return Math.floor((now + pause) / grid) * grid;
  }

  /** When to read the revision for the first time. The read is necessary because a listing does not show failures. */
  get firstLookMs(): number {
    if (this.#took.length === 0) return FIRST_LOOK_MS;
    const slowest = Math.max(...this.#took) * STALLED_AFTER;
    return Math.min(LONGEST_BETWEEN_LOOKS_MS, Math.max(FIRST_LOOK_MS, slowest));
  }

  /** The time between two reads of the revision, which grows with the number of reads so far. */
  betweenLooksMs(looks: number): number {
    return Math.min(LONGEST_BETWEEN_LOOKS_MS, FIRST_LOOK_MS * 2 ** looks);
  }
}
