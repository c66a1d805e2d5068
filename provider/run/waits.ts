/** Counts the deployments of a plan that each wait for a rollout of their own, and says once what many of them cost. */
import { availableParallelism } from "node:os";

/** How many calls the engine makes at a time for each core, unless it is told otherwise. */
const CALLS_PER_CORE = 4;
/** From more rows than this on, one after the other, the waits are worth a word. */
const FEW_ROWS = 2;

export class Waits {
  readonly #tell: (words: string) => Promise<void>;
  readonly #atATime: number;
  #count = 0;

  /** `parallel`: what the engine's environment says of it; a flag of its command line is not seen here. */
  constructor(tell: (words: string) => Promise<void>, parallel: string | undefined) {
    this.#tell = tell;
    const given = Number(parallel);
    this.#atATime = Number.isInteger(given) && given > 0 ? given : CALLS_PER_CORE * availableParallelism();
  }

  /** One more is planned. */
  async note(): Promise<void> {
    this.#count += 1;
    const few = FEW_ROWS * this.#atATime;
    if (this.#count !== few + 1) return;
    const words = `more than ${few} deployments of this plan wait each for a rollout of its own, and without --parallel the engine lets about ${this.#atATime} of them wait at a time. Declare them with rollout: {wait: false} and one Rollout that waits for all, or give pulumi up a larger --parallel`;
    await this.#tell(words).catch(() => undefined);
  }
}
