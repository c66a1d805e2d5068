/** Questions that come within a moment of each other, answered together. */
import type { Clock } from "./client/retry";

/** The engine's calls of one moment arrive this close to each other. */
const MOMENT_MS = 4;
/** However steadily they come, none waits longer than so many moments. */
const MOST_MOMENTS = 5;

type Answers<T> = (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;

export class Gathering<T> {
  readonly #clock: Clock;
  readonly #answer: Answers<T>;
  #open: { readonly keys: Set<string>; readonly answers: Promise<ReadonlyMap<string, T>> } | undefined;

  constructor(clock: Clock, answer: Answers<T>) {
    this.#clock = clock;
    this.#answer = answer;
  }

  /** The answer for this key: asked anew, together with all others of this moment. */
  async ask(key: string): Promise<T | undefined> {
    const open = this.#open ?? this.#begin();
    open.keys.add(key);
    return (await open.answers).get(key);
  }

  #begin() {
    const keys = new Set<string>();
    this.#open = { keys, answers: this.#gathered(keys) };
    return this.#open;
  }

  async #gathered(keys: ReadonlySet<string>): Promise<ReadonlyMap<string, T>> {
    for (let moment = 0, before = -1; moment < MOST_MOMENTS && keys.size > before; moment += 1) {
      before = keys.size;
      await this.#clock.sleep(MOMENT_MS);
    }
    this.#open = undefined;
    return this.#answer([...keys]);
  }
}
