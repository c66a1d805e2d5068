/** The errors of operations. */

import type { State } from "./schema/recorded";
import { PlacedError } from "./schema/words";

/** The operation failed halfway. The engine keeps the resource in the state, with these `properties`. */
export class UnfinishedError extends PlacedError {
  override readonly name = "UnfinishedError";
  readonly id: string;
  /** The outputs so far, marked `incomplete`, because the recorded inputs are still the old inputs. */
  readonly properties: State;

  constructor(id: string, properties: State, words: string, place?: string, cause?: unknown) {
    super(words, place, cause);
    this.id = id;
    this.properties = { ...properties, incomplete: true };
  }
}

/** The operation cannot be carried out. The message gives the reason and the remedy. */
export class RefusedError extends PlacedError {
  override readonly name = "RefusedError";
}
