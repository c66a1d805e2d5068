/** The runtime API of one running deployment, for scripts: threads, runs, join, state. */
import { LONGEST_TIMEOUT_SECONDS } from "../schema/settings";
import { isProperties, type Properties, propertiesIn } from "../schema/value";
import { type HttpAnswer, isSegment, oneLine } from "./answer";
import { type Clock, systemClock } from "./clock";
import { type RuntimeClientOptions, runtimeConnection } from "./connection";
import {
  BadRequestError,
  type RequestPlace,
  RunFailedError,
  RunRefusedError,
  StatusError,
  UnexpectedAnswerError,
} from "./errors";
import { Http, type HttpRequest, path } from "./http";
import { isTemporary } from "./retry";

export type { RuntimeClientOptions } from "./connection";

/** A thread: a conversation that keeps its messages from run to run. */
export interface Thread {
  /** Id of the thread. */
  readonly threadId: string;
}

/** A run of the graph on a thread. */
export interface Run {
  /** Id of the run. */
  readonly runId: string;
  /** Id of the run's thread. */
  readonly threadId: string;
}

/** The state of a thread. */
export interface ThreadState {
  /** The thread's messages and other values. */
  readonly values: ThreadValues;
}

/** A run to start. */
export interface NewRun {
  /** Name under which the graph is deployed. */
  readonly assistantId: string;
  /** Messages for the thread, and any other input of the graph. */
  readonly input: { readonly messages: readonly NewMessage[]; readonly [name: string]: unknown };
  /**
   * How to handle this run if another run is in progress on the thread. With `reject`, the deployment refuses this run,
   * `createRun` throws a RunRefusedError, and the other run continues. The deployment defines all other values.
   */
  readonly multitaskStrategy?: string | undefined;
}

/** The pause before a retry of an interrupted join. */
const JOIN_PAUSE_MS = 500;
/** If a connection lasted this long before a cut, the cut is not a sign of a broken service. */
const LONG_JOIN_MS = 5_000;

/**
 * Talks to one running deployment.
 *
 * The constructor throws a ConfigurationError for invalid options, and a failed request throws a ServiceError. A POST
 * is sent again only when the deployment has certainly not processed it.
 */
export class RuntimeClient {
  readonly #http: Http;
  /** Sends each join once. `joinRun` does the retries, until its `timeoutSeconds` have passed. */
  readonly #joins: Http;
  readonly #maxRetries: number;
  readonly #clock: Clock;

  constructor(options: RuntimeClientOptions) {
    const connection = runtimeConnection(options);
    this.#http = new Http(connection);
    this.#joins = new Http({ ...connection, maxRetries: 0 });
    this.#maxRetries = connection.maxRetries;
    this.#clock = connection.clock ?? systemClock;
  }

  /** POST /threads. */
  async createThread(): Promise<Thread> {
    const request = { operation: "create thread", method: "POST", path: "/threads", body: {} } as const;
    return { threadId: this.#idIn(await this.#http.send(request), "thread_id") };
  }

  /**
   * POST /threads/{threadId}/runs. Returns when the run is accepted, before the run ends.
   *
   * Throws a RunRefusedError if another run is in progress on the thread.
   */
  async createRun(threadId: string, run: NewRun): Promise<Run> {
    const { assistantId, input, multitaskStrategy } = run;
    if (typeof assistantId !== "string" || assistantId.trim() === "")
      throw new BadRequestError("allowed: a string that is not empty", "assistantId");
    const request = {
      operation: "create run",
      method: "POST",
      path: path`/threads/${threadId}/runs`,
      body: { assistant_id: assistantId, input, multitask_strategy: multitaskStrategy },
    } as const;
    const answer = await this.#http.send(request).catch((error: unknown) => {
      throw isRefusal(error, multitaskStrategy)
        ? new RunRefusedError(this.#http.placeOf(request), error)
        : error;
    });
    return { runId: this.#idIn(answer, "run_id"), threadId };
  }

  /**
   * GET /threads/{threadId}/runs/{runId}/join. Returns the thread's values when the run has ended. If the connection
   * is cut, sends the request again until `timeoutSeconds` (default 600) have passed.
   *
   * Throws a RunFailedError if the run failed or does not exist.
   */
  async joinRun(
    threadId: string,
    runId: string,
    { timeoutSeconds = 600 }: { timeoutSeconds?: number } = {},
  ): Promise<ThreadState> {
    const request = {
      operation: "join run",
      method: "GET",
      path: path`/threads/${threadId}/runs/${runId}/join`,
    } as const;
    const body = await this.#joined(request, this.#clock.now() + timeoutSeconds * 1000);
    if (isProperties(body) && body.__error__ !== undefined && body.__error__ !== null)
      throw failureIn(this.#joins.placeOf(request), body.__error__);
    return { values: valuesOf(body) };
  }

  /** GET /threads/{threadId}/state. */
  async getState(threadId: string): Promise<ThreadState> {
    const request = {
      operation: "read thread state",
      method: "GET",
      path: path`/threads/${threadId}/state`,
    } as const;
    const { body, place } = await this.#http.send(request);
    if (isProperties(body) && (isProperties(body.values) || body.values === null))
      return { values: valuesOf(body.values) };
    throw new UnexpectedAnswerError(place, "without the thread's values");
  }

  /** Closes the connections. The connections also close by themselves soon after the last request. */
  async close(): Promise<void> {
    await Promise.all([this.#http.close(), this.#joins.close()]);
  }

  async #joined(request: HttpRequest, deadline: number): Promise<unknown> {
    for (let failures = 1; ; failures += 1) {
      const started = this.#clock.now();
      const timeoutSeconds = Math.min(Math.max(1, deadline - started) / 1000, LONGEST_TIMEOUT_SECONDS);
      try {
        return (await this.#joins.send({ ...request, timeoutSeconds })).body;
      } catch (error) {
        if (this.#clock.now() - started > LONG_JOIN_MS) failures = 1;
        const isLate = this.#clock.now() + JOIN_PAUSE_MS >= deadline;
        if (!isTemporary(error) || isLate || failures > this.#maxRetries) throw error;
        await this.#clock.sleep(JOIN_PAUSE_MS);
      }
    }
  }

  #idIn({ body, place }: HttpAnswer, name: "thread_id" | "run_id"): string {
    const id = isProperties(body) ? body[name] : undefined;
    if (isSegment(id)) return id;
    throw new UnexpectedAnswerError(place, `without a ${name}`);
  }
}

function failureIn(place: RequestPlace, failure: unknown): RunFailedError {
  const { error, message } = isProperties(failure) ? failure : { error: failure, message: undefined };
  return new RunFailedError(place, wordsIn(error), wordsIn(message));
}

function wordsIn(value: unknown): string {
  if (value === undefined || value === null) return "";
  return oneLine(typeof value === "string" ? value : JSON.stringify(value));
}

/** A message of a run's input. */
export interface NewMessage {
  /** Role of the author, such as `user`. */
  readonly role: string;
  /** Text, or a list of parts. */
  readonly content: string | readonly unknown[];
}

/** A message of a thread. */
export interface Message {
  /** Type of the message, such as `human` or `ai`. */
  readonly type: string;
  /** Text, or a list of parts. */
  readonly content: string | readonly unknown[];
  readonly [name: string]: unknown;
}

/** A thread's messages and the graph's other values, under the graph's own names. */
export interface ThreadValues {
  /** The thread's messages; empty before the first run. */
  readonly messages: readonly Message[];
  readonly [name: string]: unknown;
}

export function valuesOf(body: unknown): ThreadValues {
  const values: Properties = propertiesIn(body);
  const messages = Array.isArray(values.messages) ? values.messages.filter(isProperties) : [];
  return { ...values, messages: messages as unknown as Message[] };
}

/** The text of a message, with its parts joined. Parts without text, such as images, are skipped. */
export function textOfMessage({ content }: { readonly content: unknown }): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map(textOfPart).join("");
}

function textOfPart(part: unknown): string {
  if (typeof part === "string") return part;
  return isProperties(part) && typeof part.text === "string" ? part.text : "";
}

/** Whether another run caused the error. The contract's status is 409, but some services answer 422 without JSON. */
const isRefusal = (error: unknown, strategy: string | undefined): error is StatusError =>
  error instanceof StatusError &&
  (error.status === 409 || (error.status === 422 && strategy === "reject" && !error.inJson));
