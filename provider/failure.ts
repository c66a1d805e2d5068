/** An operation that failed after the service did something: the resource stays in the state, with what is known. */
import { SpokenError, type Words } from "./fields/ownWords";
import type { Properties } from "./fields/value";

export class UnfinishedError extends SpokenError {
  override readonly name = "UnfinishedError";
  readonly id: string;
  /** Outputs. They note that the operation is incomplete: the recorded inputs are still those of the one before. */
  readonly properties: Properties;
  readonly reasons: readonly Words[];

  constructor(id: string, properties: Properties, reason: Words, options?: { cause?: unknown }) {
    super(reason, options);
    this.id = id;
    this.properties = { ...properties, incomplete: true };
    this.reasons = [reason];
  }
}

/** What the program asks for cannot be done; the message says why and what to do. */
export class RefusedError extends SpokenError {
  override readonly name = "RefusedError";
}
