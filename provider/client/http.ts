/**
 * Sends requests over HTTP, with a connection pool, the credential and limits. Returns JSON or throws a typed error.
 */
import type { Dispatcher } from "undici";
import type { connectionRows, SettingValues } from "../schema/settings";
import { type HttpAnswer, isSegment, readAnswer } from "./answer";
import { alarmOf, type Clock, systemClock } from "./clock";
import { ConfigurationError, type RequestPlace, ServiceError, UnreachableError } from "./errors";
import { faultOfWay, openPool } from "./network";
import { Budget, quotaOf, type RetryQuota, withRetries } from "./retry";

type Limits = "requestTimeoutSeconds" | "maxRetries" | "maxConcurrency";

export interface HttpOptions extends Pick<SettingValues<typeof connectionRows>, "baseUrl" | Limits> {
  readonly headers: { readonly [name: string]: string };
  readonly clock?: Clock;
  /** The quota of retries. By default, this process shares one quota among all requests to the service. */
  readonly quota?: RetryQuota;
  /** If an answer is not JSON, the error gives this advice about the address. */
  readonly addressAdvice?: string;
  /** Awaited right before each try. If the call throws, the request is not sent. */
  readonly gate?: (request: HttpRequest) => Promise<void>;
}

export type Query = { readonly [parameter: string]: string | number | boolean | undefined };

export interface HttpRequest {
  /** The operation's name in error messages, such as `update deployment`. */
  readonly operation: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  /** The time limit of one try; by default, the connection's limit. */
  readonly timeoutSeconds?: number;
  /** Awaited right before each try. If the call throws, the request is not sent. */
  readonly beforeSending?: (() => Promise<void>) | undefined;
  /**
   * Whether this request skips the `maxConcurrency` queue. Set this if another request, which already holds a slot,
   * waits for this request in `beforeSending`. Otherwise, both requests could wait forever.
   */
  readonly withoutTurn?: boolean | undefined;
}

/** How long an idle connection stays open. Most pauses between two polls of a rollout are shorter. */
const KEEP_ALIVE_MS = 10_000;

export class Http {
  readonly #options: HttpOptions;
  readonly #clock: Clock;
  readonly #quota: RetryQuota;
  #pool: Dispatcher | undefined;
  #inFlight = 0;
  #clockAhead = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#quota = options.quota ?? quotaOf(options.baseUrl);
  }

  /** Sends the request, and retries it while a retry is safe. Throws a ServiceError. */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const clock = this.#clock;
    const budget = new Budget(clock, this.#secondsFor(request) * 1000);
    const { method } = request;
    const { maxRetries } = this.#options;
    const policy = { method, maxRetries, clock, budget, quota: this.#quota };
    return withRetries(policy, () => this.#sendOnce(request, body, budget));
  }

  /** Whether the client has stopped retrying, because too many requests to this service have just failed. */
  get isFailing(): boolean {
    return this.#quota.isSpent;
  }

  /** The service's clock is ahead of the local clock by at least this many ms; 0 before the first dated answer. */
  get clockAhead(): number {
    return this.#clockAhead;
  }

  placeOf({ operation, method, path }: HttpRequest): RequestPlace {
    const { baseUrl, addressAdvice } = this.#options;
    return { operation, method, url: baseUrl + path, ...(addressAdvice && { addressAdvice }) };
  }

  async close(): Promise<void> {
    await this.#pool?.close();
    this.#pool = undefined;
  }

  #secondsFor(request: HttpRequest): number {
    return request.timeoutSeconds ?? this.#options.requestTimeoutSeconds;
  }

  async #sendOnce(request: HttpRequest, body: string | undefined, budget: Budget): Promise<HttpAnswer> {
    if (!request.withoutTurn) await this.#turn();
    try {
      await this.#quota.untilOpen(this.#clock, budget);
      await request.beforeSending?.();
      await this.#options.gate?.(request);
      return await this.#exchange(request, body, budget);
    } finally {
      if (!request.withoutTurn) this.#passTurn();
    }
  }

  async #exchange(request: HttpRequest, body: string | undefined, budget: Budget): Promise<HttpAnswer> {
    const place = this.placeOf(request);
    const seconds = Math.min(this.#secondsFor(request), Math.max(1, budget.left / 1000));
    const timer = new AbortController();
    const stop = alarmOf(this.#clock, seconds * 1000, () => timer.abort());
    try {
      const response = await this.#dispatch(request, place.url, body, timer.signal);
      const answer = await readAnswer(place, response, () => this.#clock.now());
      if (answer.serviceTime !== undefined) this.#clockAhead = answer.serviceTime - this.#clock.now();
      return answer;
    } catch (error) {
      throw unreachableError(place, error, timer.signal.aborted, seconds);
    } finally {
      stop();
    }
  }

  #dispatch(
    request: HttpRequest,
    url: string,
    body: string | undefined,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    this.#pool ??= openPool(this.#options.baseUrl, {
      connections: this.#options.maxConcurrency,
      // Each request already has a time limit, so these two limits are turned off.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
    });
    const { origin, pathname, search } = new URL(url + queryOf(request.query));
    return this.#pool.request({
      origin,
      path: pathname + search,
      method: request.method,
      signal,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...this.#options.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
  }

  async #turn(): Promise<void> {
    if (this.#inFlight < this.#options.maxConcurrency) this.#inFlight += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** The request that has waited longest gets the next slot, so that no newer request overtakes an older one. */
  #passTurn(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#inFlight -= 1;
  }
}

/** A path with its values encoded. Throws a RangeError for a value that cannot be one segment of a path. */
export function path(strings: TemplateStringsArray, ...values: string[]): string {
  return strings.reduce((whole, literal, index) => {
    const value = values[index - 1] as string;
    if (!isSegment(value)) throw new RangeError(`${JSON.stringify(value)} cannot be a part of a path`);
    return whole + encodeURIComponent(value) + literal;
  });
}

export function queryOf(query: Query = {}): string {
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined);
  if (parameters.length === 0) return "";
  return `?${new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

function unreachableError(place: RequestPlace, error: unknown, isLate: boolean, seconds: number): unknown {
  if (error instanceof ServiceError || error instanceof ConfigurationError) return error;
  const late = { words: `got no answer within ${Math.round(seconds * 10) / 10} s`, remedy: "", isSent: true };
  const { words, remedy, isSent } = isLate ? late : faultOfWay(error, place.url);
  return new UnreachableError(place, words, isSent, error, remedy);
}
