/** Whether the engine that started this process is still there: a process without one must not go on. */
import { type ClientHttp2Session, connect } from "node:http2";
import { connect as knock } from "node:net";

/** No request is sent any more. */
export class EngineGoneError extends Error {
  override readonly name = "EngineGoneError";

  constructor() {
    super("the engine that started this process is gone: nothing more is sent");
  }
}

/** An engine that takes no connection this soon is merely busy: where there is none, it is refused at once. */
const LONGEST_KNOCK_MS = 250;

export class EngineWatch {
  readonly #host: string;
  readonly #port: number;
  readonly #onGone: () => void;
  #session: ClientHttp2Session | undefined;
  #knocking: Promise<boolean> | undefined;
  #isGone = false;

  /** Keeps an idle connection open, which breaks at the moment in which the engine ends, however it ends. */
  constructor(address: string, onGone: () => void) {
    const colon = address.lastIndexOf(":");
    this.#host = address.slice(0, colon).replace(/^\[|\]$/g, "");
    this.#port = Number(address.slice(colon + 1));
    this.#onGone = onGone;
    this.#stayConnected(address);
  }

  /** Rejects when the engine is gone. What changes something makes sure of it, all else goes by what is known. */
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
    // What follows an error is the end of the session.
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
