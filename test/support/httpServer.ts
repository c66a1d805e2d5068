/** Used by the client's tests: a raw HTTP server for each test, a client of this server, and a fake clock. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../../provider/client/clock";
import { Http, type HttpOptions } from "../../provider/client/http";
import type { ProfileName } from "../endpoints/table";
import { watch } from "../endpoints/watching";

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

export interface Served {
  readonly url: string;
  readonly seen: Seen[];
  /** Number of connections that clients have opened so far. */
  readonly sockets: () => number;
  /** Maximum number of requests in progress at one time. */
  readonly mostAtOnce: () => number;
}

export type Handler = (request: Seen, response: ServerResponse, number: number) => unknown;

const servers: Server[] = [];
const clients: Http[] = [];

afterEach(async () => {
  jest.useRealTimers();
  for (const server of servers) server.closeAllConnections();
  await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))));
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

export async function serving(handler: Handler, profile: ProfileName = "contract"): Promise<Served> {
  const seen: Seen[] = [];
  let sockets = 0;
  let now = 0;
  let most = 0;
  const server = createServer(async (request, response) => {
    now += 1;
    most = Math.max(most, now);
    response.on("close", () => {
      now -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers, rawHeaders } = request;
    const entry = { method, url, headers, rawHeaders, body: Buffer.concat(chunks).toString() };
    seen.push(entry);
    await handler(entry, response, seen.length);
  });
  server.keepAliveTimeout = 0;
  server.on("connection", () => {
    sockets += 1;
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  watch(url, profile);
  return {
    url,
    seen,
    sockets: () => sockets,
    mostAtOnce: () => most,
  };
}

export function json(response: ServerResponse, body: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

export function httpTo(url: string, options: Partial<HttpOptions> = {}): Http {
  const http = new Http({
    baseUrl: url,
    headers: {},
    requestTimeoutSeconds: 10,
    maxRetries: 0,
    maxConcurrency: 8,
    ...options,
  });
  clients.push(http);
  return http;
}

/** A fake clock. A sleep takes no time, and `slept` has the length of each sleep. */
export interface TurnedClock extends Clock {
  readonly slept: number[];
  turn(milliseconds: number): void;
}

export function turnedClock(start = Date.now()): TurnedClock {
  let moment = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => moment,
    sleep: async (milliseconds) => {
      slept.push(milliseconds);
      moment += milliseconds;
    },
    turn: (milliseconds) => {
      moment += milliseconds;
    },
  };
}

/** The error with which the promise was rejected. */
export async function failureOf<E = Error>(promise: Promise<unknown>): Promise<E> {
  const outcome = await promise.then(
    () => undefined,
    (error: E) => error,
  );
  if (outcome === undefined) throw new Error("the promise was not rejected");
  return outcome;
}
