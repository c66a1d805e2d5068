/** An operation that failed after the service did something: the resource stays in the state with what is known. */

import type { Properties } from "./fields/value";
import { PlacedError } from "./fields/words";

export class UnfinishedError extends PlacedError {
  override readonly name = "UnfinishedError";
  readonly id: string;
  /** Outputs, marked incomplete: the recorded inputs are still those of the operation before. */
  readonly properties: Properties;

  constructor(id: string, properties: Properties, words: string, place?: string, cause?: unknown) {
    super(words, place, cause);
    this.id = id;
    this.properties = { ...properties, incomplete: true };
  }
}

/** The request cannot be carried out; the message says why and what to do. */
export class RefusedError extends PlacedError {
  override readonly name = "RefusedError";
}
