/** The embedded service's HTTP server: reads requests, applies faults, finds routes, sends answers. */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { setTimeout } from "node:timers/promises";
import type { RequestFault } from "../faults";
import { Router } from "../router";
import type { EmulatedService } from "../service";
import {
  Answer,
  answerToError,
  ORIGIN,
  type Received,
  type RecordedRequest,
  Refusal,
  receive,
  recordOf,
  requiredJson,
  send,
} from "./message";

const HTML = "<!doctype html><title>Sign in</title><p>Sign in to the network to continue.</p>";
// Without this limit on recorded requests, a long-running service would run out of memory.
const MOST_RECORDS = 100_000;

export class EmulatorServer {
  readonly requests: RecordedRequest[] = [];
  private readonly http: Server;
  private readonly router: Router;
  private readonly closing = new AbortController();

  constructor(
    private readonly service: EmulatedService,
    log?: (line: string) => void,
  ) {
    this.router = new Router(service);
    this.http = createServer((request, response) => {
      if (log) logEnd(request, response, log);
      void this.respond(request, response);
    });
  }

  /** Resolves to the port. */
  listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.http.once("error", reject);
      this.http.listen(port, host, () => resolve((this.http.address() as { port: number }).port));
    });
  }

  unref(): void {
    this.http.unref();
    this.http.on("connection", (socket) => socket.unref());
  }

  /** Stops at once: closes all connections and drops delayed answers. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.http.close(() => resolve());
      this.http.closeAllConnections();
      this.closing.abort();
    });
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const received = await receive(request);
      await this.serve(received, response);
    } catch (error) {
      // If reading failed because the caller hung up, nobody waits for an answer.
      if (!request.complete || this.closing.signal.aborted) response.destroy();
      else send(response, answerToError(error));
    }
  }

  private async serve(received: Received, response: ServerResponse): Promise<void> {
    const entry = recordOf(received);
    this.requests.push(entry);
    if (this.requests.length > MOST_RECORDS) this.requests.splice(0, this.requests.length - MOST_RECORDS);
    const fault = this.service.faults.forRequest(entry);
    await this.pause(this.service.behaviour.latencyMs + (fault?.kind === "delay" ? fault.ms : 0));
    const answer = await this.answer(received, fault);
    if (!answer || this.closing.signal.aborted) {
      response.destroy();
      return;
    }
    entry.status = answer.status;
    response.setHeader("date", new Date().toUTCString());
    send(response, answer);
  }

  /** Returns undefined if a fault drops the connection before the answer is sent. */
  private async answer(received: Received, fault: RequestFault | undefined): Promise<Answer | undefined> {
    if (fault?.kind === "drop-before") return undefined;
    if (fault?.kind === "html") return new Answer(200, HTML, { contentType: "text/html; charset=utf-8" });
    if (fault?.kind === "status") return faultAnswer(fault);
    const answer = await this.perform(received).catch(answerToError);
    if (fault?.kind === "drop-after") return undefined;
    return fault?.kind === "status-after" ? faultAnswer(fault) : answer;
  }

  private async perform(received: Received): Promise<Answer> {
    const { request, method, url } = received;
    const incoming = {
      method,
      path: url.pathname,
      query: url.searchParams,
      key: this.authorize(request),
      body: () => requiredJson(received),
    };
    return this.router.answer(incoming, (ms) => this.pause(ms));
  }

  /** The caller's key. If the service requires a key, refuses a missing key with 401 and a wrong key with 403. */
  private authorize(request: IncomingMessage): string | undefined {
    const { apiKey, authHeader } = this.service.behaviour;
    const header = request.headers[authHeader.toLowerCase()];
    const key = Array.isArray(header) ? header.join(", ") : header;
    if (apiKey === undefined || key === apiKey) return key;
    if (key === undefined) throw new Refusal(401, `Header ${authHeader} is required.`);
    throw new Refusal(403, "Forbidden: the API key is not known.");
  }

  /** Rejects if the server closes before the pause ends. */
  private async pause(ms: number): Promise<void> {
    if (ms > 0) await setTimeout(ms, undefined, { signal: this.closing.signal });
  }
}

/** Logs one line when the request has ended. Leaves out the query, which may contain a secret. */
function logEnd(request: IncomingMessage, response: ServerResponse, log: (line: string) => void): void {
  const { method, url = "/" } = request;
  const began = performance.now();
  response.once("close", () => {
    const path = URL.canParse(url, ORIGIN) ? new URL(url, ORIGIN).pathname : "?";
    const status = response.writableFinished ? response.statusCode : "dropped";
    log(`${method} ${path} ${status} ${Math.round(performance.now() - began)} ms`);
  });
}

function faultAnswer(fault: Extract<RequestFault, { status: number }>): Answer {
  const { status, body = { detail: STATUS_CODES[status] ?? "Error" }, headers } = fault;
  const contentType =
    fault.contentType ?? (typeof body === "string" ? "text/plain; charset=utf-8" : undefined);
  return new Answer(status, body, { contentType, headers });
}
