/** All errors that requests throw, and the predicates that distinguish the errors. */
import { redacted } from "../schema/secrecy";
import { escapeControls, PlacedError } from "../schema/words";

export interface RequestPlace {
  /** Name of the operation, such as `update deployment`. */
  readonly operation: string;
  readonly method: string;
  /** The address without the query, because the query may contain the names of other resources. */
  readonly url: string;
  /** If an answer is not JSON, the error gives this advice about the address. */
  readonly addressAdvice?: string;
  /** The answer's status; undefined before the answer. */
  readonly status?: number;
}

/** The base class of all errors that a failed request throws. */
export abstract class ServiceError extends Error {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /** Whether the service may have applied the request despite the failure. */
  abstract readonly mayHaveBeenApplied: boolean;

  constructor(place: RequestPlace, words: string, options?: { cause?: unknown }) {
    super(escapeControls(`${place.operation}: ${place.method} ${redacted(place.url)} ${words}`), options);
    this.name = new.target.name;
    this.operation = place.operation;
    this.method = place.method;
    this.url = place.url;
  }

  /** Extends the message with the reason why the request was not retried. */
  because(words: string): this {
    this.message += `; ${words}`;
    return this;
  }
}

/** The service answered with a status other than success. */
export class StatusError extends ServiceError {
  constructor(
    place: RequestPlace,
    readonly status: number,
    /** The service's message, on one line. */
    readonly detail: string,
    /** Seconds that the service asked the client to wait; undefined if the service did not ask. */
    readonly retryAfterSeconds: number | undefined = undefined,
    readonly inJson = false,
  ) {
    super(place, `answered ${status}${detail === "" ? "" : `: ${detail}`}`);
  }

  get mayHaveBeenApplied(): boolean {
    return this.status >= 500 || this.status === 408;
  }
}

/** The service refused the run because another run is in progress on the same thread. The other run continues. */
export class RunRefusedError extends StatusError {
  constructor(place: RequestPlace, { status, detail, retryAfterSeconds, inJson }: StatusError) {
    super(place, status, detail || "another run is in progress on the thread", retryAfterSeconds, inJson);
  }

  override get mayHaveBeenApplied(): boolean {
    return false;
  }
}

/** The run ended with an error, which the service reported with status 200. */
export class RunFailedError extends ServiceError {
  readonly mayHaveBeenApplied = true;

  constructor(
    place: RequestPlace,
    /** Type of the error, such as `ValueError`. */
    readonly error: string,
    readonly detail: string,
  ) {
    const words = [error, detail].filter((each) => each !== "").join(": ");
    super(place, `answered that the run failed: ${words}`);
  }
}

/** No answer came: the service was not reachable, the connection broke, or the answer took too long. */
export class UnreachableError extends ServiceError {
  constructor(
    place: RequestPlace,
    words: string,
    readonly mayHaveBeenApplied: boolean,
    cause?: unknown,
    /** A sentence that says what to do; empty if the cause is not known. */
    readonly remedy = "",
  ) {
    super(place, remedy === "" ? words : `${words}. ${remedy}`, { cause });
  }
}

/** The answer does not match the contract: the answer is not JSON, or a field has the wrong type. */
export class UnexpectedAnswerError extends ServiceError {
  readonly mayHaveBeenApplied = true;
  readonly status: number | undefined;

  /** `words`, such as `with no page`, follow `answered` in the message. */
  constructor(place: RequestPlace, words: string) {
    super(place, `answered ${place.status === undefined ? "" : `${place.status} `}${words}`);
    this.status = place.status;
  }
}

/** A setting is missing or wrong. The message names the setting and says what to do. */
export class ConfigurationError extends PlacedError {
  override readonly name = "ConfigurationError";
}

/** The contract does not allow a value or a filter. Nothing was sent. */
export class BadRequestError extends PlacedError {
  override readonly name = "BadRequestError";
}

const hasStatus =
  (...statuses: number[]) =>
  (error: unknown): error is StatusError =>
    error instanceof StatusError && statuses.includes(error.status);

export const isNotFound = hasStatus(404);
export const isConflict = hasStatus(409);
export const isForbidden = hasStatus(403);
export const isUnauthorized = hasStatus(401);
/** Whether the service refused the query. The service may not know the filter, or may accept fewer values. */
export const isQueryRefused = hasStatus(400, 404, 414, 422);
export const isUnsupported = hasStatus(404, 405, 501);
/** Whether a deletion may have been refused because the resource is gone. A service may answer 422 to an unknown id. */
export const mayBeGone = hasStatus(404, 405, 422, 501);

export function mayHaveBeenApplied(error: unknown): boolean {
  return error instanceof ServiceError && error.mayHaveBeenApplied;
}
