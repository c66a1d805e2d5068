/** The HTTP side: reads requests, lets faults happen, finds routes, writes answers. */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { answerControl, type Control } from "./controlRoutes";
import type { RequestFault } from "./faults";
import { readQuery } from "./query";
import { type RecordedRequest, record } from "./recording";
import { Answered, Refusal } from "./refusal";
import { asRecorded, readText, requiredJson } from "./requestBody";
import type { Route } from "./route";
import { findRoute, routesOf } from "./routes";
import type { Service } from "./service";

export interface Answer {
  readonly status: number;
  /** Undefined: no body. */
  readonly body?: unknown;
  readonly contentType?: string;
  /** White space before the body. */
  readonly lead?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Received {
  readonly request: IncomingMessage;
  readonly method: string;
  readonly url: URL;
  readonly text: string;
}

const HTML = "<!doctype html><title>Sign in</title><p>Sign in to the network to go on.</p>";

export class EmulatorServer {
  readonly requests: RecordedRequest[] = [];
  private readonly http: Server;
  private readonly routes: readonly Route[];
  private readonly pauses = new Set<NodeJS.Timeout>();

  constructor(
    private readonly service: Service,
    private readonly control: Control,
  ) {
    this.routes = routesOf(service);
    this.http = createServer((request, response) => void this.respond(request, response));
  }

  /** Starts listening; the port that it got. */
  listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.http.once("error", reject);
      this.http.listen(port, host, () => resolve((this.http.address() as { port: number }).port));
    });
  }

  /** Stops at once: open connections are cut, delayed answers never come. */
  close(): Promise<void> {
    for (const pause of this.pauses) clearTimeout(pause);
    return new Promise((resolve) => {
      this.http.close(() => resolve());
      this.http.closeAllConnections();
    });
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? "/", "http://emulator");
      const text = await readText(request);
      const received = { request, method: request.method ?? "GET", url, text };
      if (url.pathname.startsWith("/_emulator/")) {
        send(response, await this.guarded(() => answerControl(this.control, this.requests, received)));
      } else {
        await this.serve(received, response);
      }
    } catch (error) {
      // Reading fails when the caller hangs up, and then nobody is there to be answered.
      if (!request.complete) response.destroy();
      else send(response, answerOf(error));
    }
  }

  private async serve(received: Received, response: ServerResponse): Promise<void> {
    const entry = this.record(received);
    const fault = this.service.faults.forRequest({ method: entry.method, path: entry.path });
    await this.pause(this.service.behaviour.latencyMs + (fault?.kind === "delay" ? fault.ms : 0));
    const answer = await this.guarded(() => this.answer(received, fault));
    if (!answer) {
      response.destroy();
      return;
    }
    entry.status = answer.status;
    send(response, answer);
  }

  /** The answer, when there is to be one: a dropped connection has none. */
  private async answer(received: Received, fault: RequestFault | undefined): Promise<Answer | undefined> {
    if (fault?.kind === "drop-before") return undefined;
    if (fault?.kind === "html") return { status: 200, body: HTML, contentType: "text/html; charset=utf-8" };
    if (fault?.kind === "status") return faultAnswer(fault);
    const answer = await this.perform(received);
    if (fault?.kind === "drop-after") return undefined;
    return fault?.kind === "status-after" ? faultAnswer(fault) : answer;
  }

  private async perform(received: Received): Promise<Answer> {
    try {
      const { request, method, url, text } = received;
      const key = this.authorize(request);
      const { route, params } = findRoute(this.routes, { method, path: url.pathname });
      const query = readQuery(route.query ?? {}, url.searchParams);
      const hasBody = (method === "POST" || method === "PATCH") && !route.bodyless;
      const body = hasBody ? requiredJson(request, text) : undefined;
      const call = { method, path: url.pathname, params, query, body, key };
      const heldMs = route.heldMs?.(call) ?? 0;
      await this.pause(heldMs);
      const result = route.handle(call);
      // On disk before anybody hears of it: what was answered survives a crash.
      if (method !== "GET") this.service.store.save();
      const answered = result instanceof Answered ? result : new Answered(route.status ?? 200, result);
      return { status: answered.status, body: answered.body, ...(heldMs > 0 && { lead: "\n" }) };
    } catch (error) {
      return answerOf(error);
    }
  }

  /** The caller's key; 401 without the one that is asked for, 403 with another. */
  private authorize(request: IncomingMessage): string | undefined {
    const { apiKey, authHeader } = this.service.behaviour;
    const given = request.headers[authHeader.toLowerCase()];
    const key = Array.isArray(given) ? given.join(", ") : given;
    if (apiKey === undefined || key === apiKey) return key;
    if (key === undefined) throw new Refusal(401, `Header ${authHeader} is required.`);
    throw new Refusal(403, "Forbidden: the API key is not known.");
  }

  private async guarded<T>(make: () => T | Answer | Promise<T | Answer>): Promise<T | Answer> {
    try {
      return await make();
    } catch (error) {
      return answerOf(error);
    }
  }

  private record({ request, method, url, text }: Received): RecordedRequest {
    const entry: RecordedRequest = {
      method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      body: asRecorded(text),
      status: 0,
      headers: request.headers,
      at: Date.now(),
    };
    record(this.requests, entry);
    return entry;
  }

  private pause(ms: number): Promise<void> {
    if (ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const pause = setTimeout(() => {
        this.pauses.delete(pause);
        resolve();
      }, ms);
      this.pauses.add(pause);
    });
  }
}

function answerOf(error: unknown): Answer {
  if (error instanceof Refusal) {
    return { status: error.status, body: { detail: error.detail }, headers: error.headers };
  }
  return {
    status: 500,
    body: { detail: `Internal error: ${error instanceof Error ? error.message : error}` },
  };
}

function faultAnswer({
  status,
  body,
  contentType,
  headers,
}: Extract<RequestFault, { status: number }>): Answer {
  const content = body === undefined ? { detail: STATUS_CODES[status] ?? "Error" } : body;
  const type = contentType ?? (typeof content === "string" ? "text/plain; charset=utf-8" : undefined);
  return { status, body: content, ...(type && { contentType: type }), ...(headers && { headers }) };
}

function send(response: ServerResponse, { status, body, contentType, lead = "", headers }: Answer): void {
  if (response.destroyed) return;
  const isEmpty = body === undefined || status === 204 || status === 304;
  const words = typeof body === "string" && contentType ? body : JSON.stringify(body);
  const content = isEmpty ? "" : lead + words;
  response.writeHead(status, {
    ...(isEmpty ? {} : { "Content-Type": contentType ?? "application/json" }),
    ...(status === 204 || status === 304 ? {} : { "Content-Length": Buffer.byteLength(content) }),
    ...headers,
  });
  response.end(content);
}
