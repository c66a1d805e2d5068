/** One request over HTTP: connection pool, credential, limits; answers as JSON or a typed error. */
import type { Dispatcher } from "undici";
import { type RequestPlace, StatusError, UnexpectedAnswerError, UnreachableError } from "./errors";
import { type Clock, systemClock, withRetries } from "./retry";

export interface HttpOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly headers: { readonly [name: string]: string };
  readonly requestTimeoutSeconds: number;
  readonly maxRetries: number;
  /** Most requests in flight. */
  readonly maxConcurrency: number;
  readonly clock?: Clock;
}

export interface HttpRequest {
  /** What is asked for, for error messages: `update deployment`. */
  readonly operation: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: { readonly [name: string]: string | number | boolean | undefined };
  readonly body?: unknown;
}

export interface HttpAnswer {
  readonly body: unknown;
  /** The service's clock at its answer in ms since 1970, to the second, if it told. */
  readonly serviceTime: number | undefined;
}

const LARGEST_BODY = 64 * 1024 * 1024;
const LONGEST_DETAIL = 1000;

export class Http {
  readonly #options: HttpOptions;
  readonly #clock: Clock;
  #pool: Dispatcher | undefined;
  #inFlight = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Sends the request, again where that is safe. Throws a ServiceError. */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    return withRetries(request.method, this.#options.maxRetries, this.#clock, () => this.#sendOnce(request));
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    await this.#pool?.close();
    this.#pool = undefined;
  }

  async #sendOnce(request: HttpRequest): Promise<HttpAnswer> {
    await this.#turn();
    const place = {
      operation: request.operation,
      method: request.method,
      url: this.#options.baseUrl + request.path,
    };
    const signal = AbortSignal.timeout(this.#options.requestTimeoutSeconds * 1000);
    try {
      const response = await this.#dispatch(request, place.url, signal);
      return await readAnswer(place, response);
    } catch (error) {
      throw unreachable(place, error, signal, this.#options.requestTimeoutSeconds);
    } finally {
      this.#inFlight -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #dispatch(request: HttpRequest, url: string, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    // Loaded with the first request: a plan without any starts faster.
    const undici = await import("undici");
    this.#pool ??= new undici.Agent({
      connections: this.#options.maxConcurrency,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: 10_000,
    });
    return undici.request(url + queryOf(request.query), {
      dispatcher: this.#pool,
      method: request.method,
      signal,
      headers: {
        accept: "application/json",
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
        ...this.#options.headers,
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    });
  }

  async #turn(): Promise<void> {
    while (this.#inFlight >= this.#options.maxConcurrency) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#inFlight += 1;
  }
}

/** A path with its values encoded; values that would leave their segment are refused. */
export function path(strings: TemplateStringsArray, ...values: string[]): string {
  return strings.reduce((whole, literal, index) => {
    const value = values[index - 1] as string;
    if (value === "" || value === "." || value === "..") {
      throw new RangeError(`"${value}" cannot be a part of a path`);
    }
    return whole + encodeURIComponent(value) + literal;
  });
}

function queryOf(query: HttpRequest["query"]): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  if (given.length === 0) return "";
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

async function readAnswer(place: RequestPlace, response: Dispatcher.ResponseData): Promise<HttpAnswer> {
  const text = await readText(place, response.body);
  const { statusCode: status, headers } = response;
  if (status < 200 || status > 299) {
    throw new StatusError(place, status, detailOf(text, status), retryAfterSeconds(headers["retry-after"]));
  }
  const serviceTime = Date.parse(String(headers.date));
  return {
    body: status === 204 ? undefined : parse(place, text, String(headers["content-type"] ?? "")),
    serviceTime: Number.isNaN(serviceTime) ? undefined : serviceTime,
  };
}

async function readText(place: RequestPlace, body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > LARGEST_BODY)
      throw new UnexpectedAnswerError(place, `answered with more than ${LARGEST_BODY} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(place: RequestPlace, text: string, contentType: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const what =
      contentType.includes("html") || /^\s*</.test(text) ? "an HTML page" : contentType || "something";
    throw new UnexpectedAnswerError(
      place,
      `answered with ${what} where JSON was expected; is the base URL that of the service's API?`,
    );
  }
}

/** The service's own words in one line: a `detail` text, a list of `{loc, msg}`, or the beginning of the body. */
function detailOf(text: string, status: number): string {
  if (status >= 300 && status < 400)
    return "a redirect, which is not followed so that no credential goes elsewhere";
  const detail = detailIn(text);
  const words = (detail ?? (/^\s*</.test(text) ? "an HTML page" : text)).replace(/\s+/g, " ").trim();
  return words.length > LONGEST_DETAIL ? `${words.slice(0, LONGEST_DETAIL)}…` : words;
}

function detailIn(text: string): string | undefined {
  try {
    const body = JSON.parse(text) as { detail?: unknown; message?: unknown; error?: unknown } | null;
    const detail = body?.detail ?? body?.message ?? body?.error;
    if (typeof detail === "string") return detail;
    if (!Array.isArray(detail)) return undefined;
    return detail.map(issueOf).join("; ");
  } catch {
    return undefined;
  }
}

function issueOf(issue: { loc?: unknown; msg?: unknown } | null): string {
  const place = Array.isArray(issue?.loc) ? issue.loc.filter((part) => part !== "body").join(".") : "";
  const words = typeof issue?.msg === "string" ? issue.msg : JSON.stringify(issue);
  return place === "" ? words : `${place}: ${words}`;
}

function retryAfterSeconds(header: string | string[] | undefined): number | undefined {
  if (typeof header !== "string") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const moment = Date.parse(header);
  return Number.isNaN(moment) ? undefined : Math.max(0, (moment - Date.now()) / 1000);
}

/** Faults of the way there, of which none reached the service. */
const BEFORE_SENDING = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "CERT_HAS_EXPIRED",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

function unreachable(place: RequestPlace, error: unknown, signal: AbortSignal, seconds: number): unknown {
  if (error instanceof StatusError || error instanceof UnexpectedAnswerError) return error;
  const { code, message } = error as { code?: string; message?: string };
  if (signal.aborted) return new UnreachableError(place, `got no answer within ${seconds} s`, true, error);
  const never = code !== undefined && BEFORE_SENDING.has(code);
  const words = never
    ? `could not reach the service (${code})`
    : `lost the connection (${code ?? message ?? "unknown"})`;
  return new UnreachableError(place, words, !never, error);
}
