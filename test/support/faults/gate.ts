/** A proxy in front of the embedded service. It holds back chosen requests or their answers forever. */
import { createServer, request as forward, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * `request`: the request never reaches the service. `answer`: the service handles the request, but the client never
 * gets the answer.
 */
interface Hold {
  readonly what: "request" | "answer";
  readonly method: string;
  readonly path: RegExp;
  /** If set, the gate holds a request only after a request with this method has arrived. */
  readonly after: string | undefined;
  readonly reached: () => void;
}

interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly at: number;
}

export class Gate {
  /** Every request that has arrived at the gate, oldest first. */
  readonly arrivals: Arrival[] = [];
  readonly #holds = new Set<Hold>();
  readonly #unanswered = new Set<IncomingMessage>();
  readonly #server: Server;
  url = "";

  private constructor(readonly service: string) {
    this.#server = createServer((request, response) => {
      const { method = "", url = "" } = request;
      const [path = ""] = url.split("?");
      this.arrivals.push({ method, path, at: Date.now() });
      this.#unanswered.add(request);
      response.on("close", () => this.#unanswered.delete(request));
      const hold = [...this.#holds].find(
        (each) => each.method === method && each.path.test(path) && this.#hasCome(each.after),
      );
      if (hold) this.#holds.delete(hold);
      if (hold?.what === "request") return hold.reached();
      this.#passOn(request, (status, headers, body) => {
        if (hold) hold.reached();
        else if (!response.destroyed) response.writeHead(status, headers).end(body);
      });
    });
  }

  static async before(service: string): Promise<Gate> {
    const gate = new Gate(service);
    await new Promise<void>((done) => gate.#server.listen(0, "127.0.0.1", done));
    gate.url = `http://127.0.0.1:${(gate.#server.address() as AddressInfo).port}`;
    return gate;
  }

  /** Whether a client is waiting for the answer to a write. */
  get owesAnswer(): boolean {
    return [...this.#unanswered].some(({ method }) => method !== "GET");
  }

  /** Holds the next matching request or its answer; resolves when the request or the answer has arrived at the gate. */
  hold(what: Hold["what"], method: string, path: RegExp, after?: string): Promise<void> {
    return new Promise((reached) => this.#holds.add({ what, method, path, after, reached }));
  }

  /**
   * Resolves when `count` matching requests have arrived. `after`: counts only from the first request with this method.
   */
  async arrival(method: string, path: RegExp, count = 1, after?: string): Promise<void> {
    const arrived = () => {
      const from = after === undefined ? 0 : this.arrivals.findIndex((each) => each.method === after);
      const since = from < 0 ? [] : this.arrivals.slice(from);
      return since.filter((each) => each.method === method && path.test(each.path)).length;
    };
    while (arrived() < count) await new Promise((done) => setTimeout(done, 5));
  }

  #hasCome(method: string | undefined): boolean {
    return method === undefined || this.arrivals.some((each) => each.method === method);
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((done) => this.#server.close(() => done()));
  }

  #passOn(
    request: IncomingMessage,
    answer: (status: number, headers: IncomingMessage["headers"], body: Buffer) => void,
  ): void {
    const { method, headers, url } = request;
    const onward = forward(this.service + url, { method, headers, agent: false }, async (serviceAnswer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of serviceAnswer) chunks.push(chunk as Buffer);
      const { connection: _hop, "transfer-encoding": _coding, ...forwardedHeaders } = serviceAnswer.headers;
      answer(serviceAnswer.statusCode ?? 0, forwardedHeaders, Buffer.concat(chunks));
    });
    onward.on("error", () => request.socket.destroy());
    request.pipe(onward);
  }
}
