/** Questions that come within a moment of each other, answered together. */
import type { Clock } from "../client/clock";

/** The engine's calls of one moment arrive this close to each other. */
const MOMENT_MS = 4;
/** However steadily they come, none waits longer than so many moments. */
const MOST_MOMENTS = 5;

type Answered<T> = Promise<ReadonlyMap<string, T>>;
type Answers<T> = (keys: readonly string[]) => Answered<T>;

export class Gathering<T> {
  readonly #clock: Clock;
  readonly #answer: Answers<T>;
  readonly #enough: number;
  #open:
    | { readonly keys: Set<string>; readonly full: AbortController; readonly answers: Answered<T> }
    | undefined;

  /** `enough`: with so many, more would change nothing about how they are answered, and none waits any longer. */
  constructor(clock: Clock, answer: Answers<T>, enough = Number.POSITIVE_INFINITY) {
    this.#clock = clock;
    this.#answer = answer;
    this.#enough = enough;
  }

  /** The answer for this key: asked anew, together with all others of this moment. */
  async ask(key: string): Promise<T | undefined> {
    const open = this.#open ?? this.#begin();
    open.keys.add(key);
    if (open.keys.size >= this.#enough) open.full.abort();
    return (await open.answers).get(key);
  }

  #begin() {
    const [keys, full] = [new Set<string>(), new AbortController()];
    this.#open = { keys, full, answers: this.#gathered(keys, full.signal) };
    return this.#open;
  }

  async #gathered(keys: ReadonlySet<string>, full: AbortSignal): Answered<T> {
    for (let moment = 0, before = -1; moment < MOST_MOMENTS && keys.size > before; moment += 1) {
      if (full.aborted) break;
      before = keys.size;
      await this.#clock.sleep(MOMENT_MS, full);
    }
    this.#open = undefined;
    return this.#answer([...keys]);
  }
}
