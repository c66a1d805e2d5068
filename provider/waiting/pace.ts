/** How often those are asked for that are waited for. */

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
  readonly #took: number[] = [];

  /** A revision was ready so long after it was made. */
  learns(milliseconds: number): void {
    this.#took.push(milliseconds);
    if (this.#took.length > MOST_REMEMBERED) this.#took.shift();
  }

  /** How long to pause after so long a wait; `age`: since the revision was made, where that is known. */
  pause(elapsed: number, age: number | undefined): number {
    const grown = SHORTEST_PAUSE_MS + elapsed * PART_OF_ELAPSED;
    const isKnown = age !== undefined && this.#took.length > 0;
    const untilQuickest = isKnown ? Math.min(...this.#took) * PART_NOT_ASKED - age : 0;
    return Math.min(LONGEST_PAUSE_MS, Math.max(grown, untilQuickest));
  }

  /** The end of such a pause where several wait: those moments are few, so that one request tells of all. */
  sharedMoment(now: number, pause: number): number {
    const grid = SHORTEST_PAUSE_MS * 2 ** Math.floor(Math.log2(pause / SHORTEST_PAUSE_MS));
    return Math.floor((now + pause) / grid) * grid;
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
