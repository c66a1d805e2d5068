/** Runs one resource against the mock service, without a journal and without waiting. */
import type { Clock } from "../../provider/client/clock";
import type { Connection } from "../../provider/client/connection";
import { accountOf } from "../../provider/run/account";
import { EngineRun, type Reporter, type Service } from "../../provider/run/run";
import { redacted } from "../../provider/schema/secrecy";
import { MADE_MS, type MockService } from "./service";

/** Opens the connection called `name`. Throws a ConfigurationError if a setting is bad. */
export type Open = (name: string | undefined) => {
  readonly connection: Connection;
  readonly service: MockService;
};

const nothing = async (): Promise<void> => {};
const withoutJournal = (key: string) => (key === "journal" ? "off" : undefined);

export class MockRun extends EngineRun {
  readonly #open: Open;
  readonly #opened = new Map<unknown, Service>();

  /** `hear` is called with each line about a resource, with secrets masked and without the label. */
  constructor(open: Open, hear: (line: string) => void = () => undefined) {
    const reporter: Reporter = { info: async (_urn, words) => hear(redacted(words)), warn: nothing };
    super(withoutJournal, reporter, instantClock(), undefined, {});
    this.#open = open;
  }

  override service(connectionName: unknown): Service {
    const name = typeof connectionName === "string" ? connectionName : undefined;
    const openService = this.#opened.get(name);
    if (openService !== undefined) return openService;
    const { connection, service: mockService } = this.#open(name);
    const { endpoints } = mockService;
    const { profile } = connection;
    const account = accountOf(endpoints, profile, this.clock);
    const service = { connection, profileInUse: "contract", endpoints, ...account };
    this.#opened.set(name, service);
    return service;
  }
}

/** A clock whose pauses end at once and move its time forward. */
function instantClock(): Clock {
  let now = MADE_MS;
  return {
    now: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds;
    },
  };
}
