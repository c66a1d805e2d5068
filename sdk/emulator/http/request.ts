/** Requests as they arrive: their text, their JSON, and the record of them for tests. */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { invalid, Refusal } from "./answer";

const LARGEST_BODY = 16 * 1024 * 1024;

/** A request that has been read to its end. */
export interface Received {
  readonly request: IncomingMessage;
  readonly method: string;
  readonly url: URL;
  readonly text: string;
}

export interface RecordedRequest {
  readonly method: string;
  /** Without the query, not decoded. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Parsed when it is JSON, otherwise the text; undefined when there is none. */
  readonly body: unknown;
  /** Status of the answer; 0 before it is sent, and when the connection was dropped. */
  status: number;
  readonly headers: IncomingHttpHeaders;
  /** When it arrived, in milliseconds since 1970. */
  readonly at: number;
}

export async function receive(request: IncomingMessage): Promise<Received> {
  const url = new URL(request.url ?? "/", "http://emulator");
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
  return {
    method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    body: jsonOrText(text),
    status: 0,
    headers: request.headers,
    at: Date.now(),
  };
}

function jsonOrText(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The JSON of a request that must have some: 415 for another content type, 422 for what is no JSON. */
export function requiredJson({ request, text }: Received): unknown {
  if (text === "") throw invalid(["body"], "a JSON body is required", "missing");
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new Refusal(415, "Content-Type must be application/json.");
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(["body"], "is not valid JSON", "json_invalid");
  }
}
