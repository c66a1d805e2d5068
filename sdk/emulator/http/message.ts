/** The requests that the embedded service receives and records for tests, and its answers and refusals. */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { jsonIn } from "../../../provider/schema/value";

/** One fault in the `detail` of a 422. */
export interface Detail {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** An answer that refuses the request. Code that handles a request throws the refusal, and the server sends it. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly detail: string | readonly Detail[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(
      typeof detail === "string"
        ? detail
        : detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; "),
    );
  }
}

export function invalid(loc: Detail["loc"], msg: string, type: string): Refusal {
  return new Refusal(422, [{ loc, msg, type }]);
}

export function notFound(title: string, id: string): Refusal {
  return new Refusal(404, `${title} ${id} not found.`);
}

export class Answer {
  constructor(
    readonly status: number,
    /** Undefined for an answer without a body. */
    readonly body?: unknown,
    readonly more: {
      readonly contentType?: string | undefined;
      readonly headers?: Readonly<Record<string, string>> | undefined;
      /** White space to send before the body. */
      readonly lead?: string;
    } = {},
  ) {}
}

export function answerToError(error: unknown): Answer {
  if (error instanceof Refusal)
    return new Answer(error.status, { detail: error.detail }, { headers: error.headers });
  return new Answer(500, { detail: `Internal error: ${error instanceof Error ? error.message : error}` });
}

export function send(response: ServerResponse, { status, body, more }: Answer): void {
  if (response.destroyed) return;
  const isEmpty = body === undefined || status === 204 || status === 304;
  const text = typeof body === "string" && more.contentType ? body : JSON.stringify(body);
  const content = isEmpty ? "" : (more.lead ?? "") + text;
  response.writeHead(status, {
    ...(content === "" ? {} : { "Content-Type": more.contentType ?? "application/json" }),
    ...(status === 204 || status === 304 ? {} : { "Content-Length": Buffer.byteLength(content) }),
    ...more.headers,
  });
  response.end(content);
}

const LARGEST_BODY = 16 * 1024 * 1024;

export interface Received {
  readonly request: IncomingMessage;
  readonly method: string;
  readonly url: URL;
  readonly text: string;
}

export interface RecordedRequest {
  readonly method: string;
  /** The path without the query, not decoded. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The body: parsed JSON, or a string if the body is not JSON; undefined if the request had no body. */
  readonly body: unknown;
  /** Status of the answer; 0 until the answer is sent, and 0 if the connection was dropped. */
  status: number;
  readonly headers: IncomingHttpHeaders;
  /** When the request arrived, in milliseconds since 1970. */
  readonly at: number;
}

/** The base URL that completes the path of a request. */
export const ORIGIN = "http://emulator";

export async function receive(request: IncomingMessage): Promise<Received> {
  const url = new URL(request.url ?? "/", ORIGIN);
  return { request, method: request.method ?? "GET", url, text: await textOf(request) };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= LARGEST_BODY) chunks.push(chunk);
  }
  if (size > LARGEST_BODY) throw new Refusal(413, `The body has more than ${LARGEST_BODY} bytes.`);
  return Buffer.concat(chunks).toString("utf8");
}

export function recordOf({ request, method, url, text }: Received): RecordedRequest {
  const json = jsonIn(text);
  return {
    method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    body: json === undefined ? text || undefined : json,
    status: 0,
    headers: request.headers,
    at: Date.now(),
  };
}

/** Refuses any content type except JSON with 415, and invalid JSON with 422. */
export function requiredJson({ request, text }: Received): unknown {
  if (text === "") throw invalid(["body"], "a JSON body is required", "missing");
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new Refusal(415, "Content-Type must be application/json.");
  const body = jsonIn(text);
  if (body === undefined) throw invalid(["body"], "is not valid JSON", "json_invalid");
  return body;
}
