/** Counts the deployments of a plan that each wait for a rollout of their own, and says once what many of them cost. */
import { availableParallelism } from "node:os";
import { type OwnWords, ours } from "../fields/ownWords";

/** How many calls the engine makes at a time, unless it is told otherwise. */
const AT_A_TIME = 4 * availableParallelism();
/** From so many on the waits come in three rows or more, one after the other. */
const FEW = 2 * AT_A_TIME;

export class Waits {
  readonly #tell: (words: OwnWords) => Promise<void>;
  #count = 0;

  constructor(tell: (words: OwnWords) => Promise<void>) {
    this.#tell = tell;
  }

  /** One more is planned. */
  async note(): Promise<void> {
    this.#count += 1;
    if (this.#count !== FEW + 1) return;
    const words = `more than ${FEW} deployments of this plan wait each for a rollout of its own, and the engine lets about ${AT_A_TIME} of them wait at a time. Declare them with rollout: {wait: false} and one Rollout that waits for all, or give pulumi up a larger --parallel`;
    await this.#tell(ours(words)).catch(() => undefined);
  }
}
