/** A stand-in for the engine, for tests in which the engine's process ends. */
import { createServer, type Http2Server } from "node:http2";
import type { AddressInfo, Socket } from "node:net";

/** A server that listens like the engine; `end` closes it and breaks its connections, as `kill -9` would. */
export class Engine {
  readonly #sockets = new Set<Socket>();
  readonly #server: Http2Server = createServer();

  async start(): Promise<string> {
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
    this.#server.on("sessionError", () => undefined);
    // Answers every call with the gRPC status "unimplemented".
    this.#server.on("stream", (stream) =>
      stream.respond({ "content-type": "application/grpc", "grpc-status": "12" }, { endStream: true }),
    );
    await new Promise<void>((done) => this.#server.listen(0, "127.0.0.1", done));
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  end(): void {
    this.#server.close();
    this.cut();
  }
}
