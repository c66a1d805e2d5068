/** What the service answers, and how it refuses. */
import type { ServerResponse } from "node:http";

/** One entry of the `detail` of a 422: where, what, and of which type. */
export interface Detail {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** Thrown anywhere below a route; the server turns it into an answer. */
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

export function notFound(what: string, id: string): Refusal {
  return new Refusal(404, `${what} ${id} not found.`);
}

/** A route returns one when its status depends on the outcome. */
export class Answer {
  constructor(
    readonly status: number,
    /** Undefined: no body. */
    readonly body?: unknown,
    readonly more: {
      readonly contentType?: string | undefined;
      readonly headers?: Readonly<Record<string, string>> | undefined;
      /** White space before the body. */
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
  const { contentType, headers, lead = "" } = more;
  const isEmpty = body === undefined || status === 204 || status === 304;
  const text = typeof body === "string" && contentType ? body : JSON.stringify(body);
  const content = isEmpty ? "" : lead + text;
  response.writeHead(status, {
    ...(isEmpty ? {} : { "Content-Type": contentType ?? "application/json" }),
    ...(status === 204 || status === 304 ? {} : { "Content-Length": Buffer.byteLength(content) }),
    ...headers,
  });
  response.end(content);
}
