/** A run of one resource against what stands for the service: it keeps no journal, and its time passes at once. */
import type { Clock } from "../../provider/client/clock";
import { accountOf } from "../../provider/finding/account";
import { CreationJournal } from "../../provider/journal/creations";
import { UpdateJournal } from "../../provider/journal/updates";
import type { Connection } from "../../provider/run/configuration";
import { Fleet } from "../../provider/run/fleet";
import { Run, type Service } from "../../provider/run/run";
import { type GivenService, MADE_MS } from "./service";

/** Opens the connection of that name. Throws a ConfigurationError. */
export type Open = (name: string | undefined) => {
  readonly connection: Connection;
  readonly service: GivenService;
};

const nothing = async (): Promise<void> => {};
const NO_JOURNAL = { folder: undefined, backend: "" };

export class GivenRun extends Run {
  readonly #open: Open;
  readonly #opened = new Map<unknown, Service>();
  readonly #creations = new CreationJournal(NO_JOURNAL, nothing);
  readonly #updates = new UpdateJournal(NO_JOURNAL, nothing);

  constructor(open: Open) {
    super(() => undefined, { info: nothing, warn: nothing }, passing());
    this.#open = open;
  }

  override get creations(): CreationJournal {
    return this.#creations;
  }

  override get updates(): UpdateJournal {
    return this.#updates;
  }

  override service(connectionName: unknown): Service {
    const name = typeof connectionName === "string" ? connectionName : undefined;
    const known = this.#opened.get(name);
    if (known !== undefined) return known;
    const { connection, service: given } = this.#open(name);
    const { endpoints } = given;
    const fleet = new Fleet();
    const account = accountOf(endpoints, connection.profile, this.clock);
    const service = { connection, profileInUse: undefined, fleet, endpoints, ...account };
    this.#opened.set(name, service);
    return service;
  }
}

/** A clock on which a pause takes no time. */
function passing(): Clock {
  let now = MADE_MS;
  return {
    now: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds;
    },
  };
}
