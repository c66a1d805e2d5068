/** Watches the engine that started this process. When the engine is gone, the process must stop. */
import { type ClientHttp2Session, connect } from "node:http2";
import { connect as connectSocket } from "node:net";

export class EngineGoneError extends Error {
  override readonly name = "EngineGoneError";

  constructor() {
    super("the engine that started this process is gone, so no more requests are sent");
  }
}

/** The longest wait for a connection. A dead engine's address refuses connections at once. */
const LONGEST_PROBE_MS = 250;

export class EngineWatch {
  readonly #host: string;
  readonly #port: number;
  readonly #onGone: () => void;
  #session: ClientHttp2Session | undefined;
  #probing: Promise<boolean> | undefined;
  #isGone = false;

  /** Holds an idle connection open. The connection breaks when the engine ends for any reason. */
  constructor(address: string, onGone: () => void) {
    const colon = address.lastIndexOf(":");
    this.#host = address.slice(0, colon).replace(/^\[|\]$/g, "");
    this.#port = Number(address.slice(colon + 1));
    this.#onGone = onGone;
    this.#stayConnected(address);
  }

  /** Rejects if the engine is gone. A GET trusts the last check. Every other request checks again. */
  async gate(method: string): Promise<void> {
    if (method !== "GET" && !this.#isGone) await this.#probeEngine();
    if (this.#isGone) throw new EngineGoneError();
  }

  close(): void {
    this.#isGone = true;
    this.#session?.destroy();
  }

  #stayConnected(address: string): void {
    const session = connect(`http://${address}`);
    this.#session = session;
    session.unref();
    // After an error, the session closes, and the `close` handler runs.
    session.on("error", () => undefined);
    session.once("close", async () => {
      // The engine is gone only if it accepts no new connection.
      await this.#probeEngine();
      if (!this.#isGone) this.#stayConnected(address);
    });
  }

  async #probeEngine(): Promise<void> {
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined;
    });
    if ((await this.#probing) || this.#isGone) return;
    this.#isGone = true;
    this.#onGone();
  }

  #probe(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connectSocket(this.#port, this.#host);
      const end = (isThere: boolean): void => {
        clearTimeout(timer);
        socket.destroy();
        resolve(isThere);
      };
      const timer = setTimeout(end, LONGEST_PROBE_MS, true);
      socket.once("connect", () => end(true));
      socket.once("error", () => end(false));
    });
  }
}
