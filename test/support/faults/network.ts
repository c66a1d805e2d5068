/** A proxy that stands in front of the embedded service, and applies network faults to chosen requests. */
import { request as ask, createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** The service's answer to a forwarded request. */
interface Forwarded {
  readonly status: number;
  readonly body: Buffer;
}

export interface Meeting {
  readonly socket: Socket;
  forward(): Promise<Forwarded>;
  /** Makes the client's request time out at once, because no answer will arrive. */
  timeOut(): void;
}

const head = (status: string, length: number | string, more = "") =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n${more}\r\n`;

/** Answers the request, and does not forward it. */
const refusal =
  (status: string, more = "") =>
  async ({ socket }: Meeting) =>
    void socket.end(`${head(status, 15, more)}{"detail":"no"}`);

/** `connection refused` has no function: for this fault, the proxy does not listen. */
export const FAULTS = {
  "connection refused": undefined,
  "reset before the request is read": async ({ socket }) => void socket.resetAndDestroy(),
  "reset after the request is handled, before an answer": async ({ socket, forward }) => {
    await forward();
    socket.resetAndDestroy();
  },
  "reset within the head": async ({ socket, forward }) => {
    await forward();
    socket.write("HTTP/1.1 200 OK\r\ncontent-ty", () => socket.destroy());
  },
  "reset within the body": async ({ socket, forward }) => {
    const { body } = await forward();
    socket.write(head("200 OK", body.length));
    socket.write(body.subarray(0, body.length / 2), () => setImmediate(() => socket.destroy()));
  },
  "no answer, request not handled": async ({ timeOut }) => timeOut(),
  "no answer, but request handled": async ({ forward, timeOut }) => {
    await forward();
    timeOut();
  },
  "slow drip": async ({ socket, forward, timeOut }) => {
    const { body } = await forward();
    socket.write(head("200 OK", body.length));
    for (const byte of body.subarray(0, 5)) socket.write(Buffer.from([byte]));
    setImmediate(timeOut);
  },
  "content-length too long": async ({ socket, forward }) => {
    const { body } = await forward();
    socket.write(head("200 OK", body.length + 7));
    socket.end(body);
  },
  "content-length too short": async ({ socket, forward }) => {
    const { body } = await forward();
    socket.end(`${head("200 OK", body.length - 7)}${body}`);
  },
  "garbage bytes": async ({ socket, forward }) => {
    await forward();
    socket.end(Buffer.from([0, 255, 10, 13, 1, 200, 13, 10, 13, 10]));
  },
  "empty body": async ({ socket, forward }) => {
    await forward();
    socket.end(head("200 OK", 0));
  },
  "cut JSON": async ({ socket, forward }) => {
    const half = (await forward()).body.subarray(0, 40);
    socket.end(`${head("200 OK", half.length)}${half}`);
  },
  "408": refusal("408 Request Timeout"),
  "429 with Retry-After": refusal("429 Too Many Requests", "retry-after: 2\r\n"),
  "500 after the request is handled": async ({ socket, forward }) => {
    await forward();
    socket.end(head("500 Internal Server Error", 0));
  },
  "502 with a page, after the request is handled": async ({ socket, forward }) => {
    await forward();
    socket.end(
      "HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 12\r\n\r\n<h1>Bad</h1>",
    );
  },
  "503 with Retry-After": refusal("503 Service Unavailable", "retry-after: 3\r\n"),
} satisfies { readonly [name: string]: ((meeting: Meeting) => Promise<void>) | undefined };
export type FaultName = keyof typeof FAULTS;

export class Way {
  /** The fault for a request; undefined if the proxy forwards the request without a fault. */
  faultOf: (request: { readonly method: string; readonly path: string }) => FaultName | undefined = () =>
    undefined;
  onTimeOut: () => void = () => {};
  /** Number of requests that have arrived at the proxy. */
  count = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port = 0;

  constructor(readonly target: string) {
    this.#server = createServer((incoming, response) => void this.#meet(incoming, response.socket as Socket));
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => {}).on("close", () => this.#sockets.delete(socket));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async listen(): Promise<void> {
    if (this.#server.listening) return;
    await new Promise<void>((done) => this.#server.listen(this.#port, "127.0.0.1", done));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Stops listening, and destroys the open connections. */
  async close(): Promise<void> {
    const closed = new Promise((done) => this.#server.close(done));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #meet(incoming: IncomingMessage, socket: Socket): Promise<void> {
    this.count += 1;
    const chunks: Buffer[] = [];
    const { method = "", url = "", headers } = incoming;
    const fault = this.faultOf({ method, path: url.replace(/\?.*/, "") });
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const forward = () => forwarded(this.target + url, method, headers, Buffer.concat(chunks));
    const applyFault = fault === undefined ? undefined : FAULTS[fault];
    if (applyFault !== undefined) return applyFault({ socket, forward, timeOut: this.onTimeOut });
    const { status, body } = await forward();
    const date = `date: ${new Date(Date.now()).toUTCString()}\r\n`;
    socket.end(`${head(`${status} OK`, body.length, `${date}connection: close\r\n`)}${body}`);
  }
}

function forwarded(
  url: string,
  method: string,
  headers: IncomingMessage["headers"],
  body: Buffer,
): Promise<Forwarded> {
  return new Promise((resolve, reject) => {
    const clientRequest = ask(url, { method, headers, agent: false }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) });
    });
    clientRequest.on("error", reject).end(body);
  });
}
