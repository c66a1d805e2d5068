/** Watches the engine that started this process: without it the process must not go on. */
import { type ClientHttp2Session, connect } from "node:http2";
import { connect as knock } from "node:net";

export class EngineGoneError extends Error {
  override readonly name = "EngineGoneError";

  constructor() {
    super("the engine that started this process is gone: nothing more is sent");
  }
}

/** An engine that has not answered by then is merely busy: a dead one's address refuses at once. */
const LONGEST_KNOCK_MS = 250;

export class EngineWatch {
  readonly #host: string;
  readonly #port: number;
  readonly #onGone: () => void;
  #session: ClientHttp2Session | undefined;
  #knocking: Promise<boolean> | undefined;
  #isGone = false;

  /** Keeps an idle connection open, which breaks as soon as the engine ends, however it ends. */
  constructor(address: string, onGone: () => void) {
    const colon = address.lastIndexOf(":");
    this.#host = address.slice(0, colon).replace(/^\[|\]$/g, "");
    this.#port = Number(address.slice(colon + 1));
    this.#onGone = onGone;
    this.#stayConnected(address);
  }

  /** Rejects when the engine is gone. A read trusts the last check; every other request checks again first. */
  async gate(method: string): Promise<void> {
    if (method !== "GET" && !this.#isGone) await this.#makeSure();
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
    // The session's close follows.
    session.on("error", () => undefined);
    session.once("close", async () => {
      // An engine may end a connection and go on: only one that takes no new one is gone.
      await this.#makeSure();
      if (!this.#isGone) this.#stayConnected(address);
    });
  }

  async #makeSure(): Promise<void> {
    this.#knocking ??= this.#knock().finally(() => {
      this.#knocking = undefined;
    });
    if ((await this.#knocking) || this.#isGone) return;
    this.#isGone = true;
    this.#onGone();
  }

  /** Whether somebody listens at the engine's address. */
  #knock(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = knock(this.#port, this.#host);
      const end = (isThere: boolean): void => {
        clearTimeout(timer);
        socket.destroy();
        resolve(isThere);
      };
      const timer = setTimeout(end, LONGEST_KNOCK_MS, true);
      socket.once("connect", () => end(true));
      socket.once("error", () => end(false));
    });
  }
}
