/** One run of the engine: its services, one per connection, and the state that their resources share. */
import { type Clock, systemClock } from "../client/clock";
import type { Connection } from "../client/connection";
import { Endpoints } from "../client/endpoints";
import { ConfigurationError } from "../client/errors";
import type { HttpRequest } from "../client/http";
import { FailedRevisions } from "../journal/failedRevisions";
import { Journal } from "../journal/journal";
import { type JournalPlace, journalPlace } from "../journal/place";
import { type ProfileInUse, profileInUse } from "../profiles/profiles";
import type { Arguments, State } from "../schema/recorded";
import { keepSecret } from "../schema/secrecy";
import { UNKNOWN } from "../schema/value";
import { type Account, accountOf } from "./account";
import { type ConfigurationSource, connectionFrom, eitherName } from "./configuration";
import { Door } from "./door";
import { claimsFile, Keepers } from "./keepers";
import { PlannedUpdates } from "./planned";

/**
 * Sends messages to the engine, which shows each message under the resource with this URN. Without a URN, the engine
 * shows the message under the stack. `label` names the resource in a line that is not shown under the resource.
 */
export interface Reporter {
  info(urn: string, words: string, label?: string): Promise<void>;
  warn(urn: string, words: string, label?: string): Promise<void>;
  /** Shows a line until the next line replaces it. Undefined if the host keeps every line. */
  status?(urn: string, words: string): Promise<void>;
}

export interface Service extends Account {
  readonly connection: Connection;
  /** The profile, recorded in the inputs for readers of the plan. The provider itself does not read the record. */
  readonly profileInUse: ProfileInUse;
  readonly endpoints: Endpoints;
}

const WITHOUT_TRACE = `PULUMI_SKIP_CHECKPOINTS is set and the journal is off, so nothing would know what a killed run had made. Unset it, or set ${eitherName("journal")} to a folder`;

const onlyTraceWords = (journal: string): string =>
  `PULUMI_SKIP_CHECKPOINTS is set, so only the journal in ${journal} knows what a killed run made. After a kill, run \`pulumi up\` again on this machine`;

/** The base URL and the headers as one string. The headers may choose an account or a workspace on the service. */
function placeOf({ baseUrl, headers }: Connection): string {
  const headerPairs = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return JSON.stringify([baseUrl, headerPairs.sort()]);
}

/** Rejects if a request can no longer be sent safely. */
export type RequestGate = (method: string) => Promise<void>;

export class EngineRun {
  /** The journal of this stack's creations, and of its updates that may make a revision. */
  readonly journal: Journal;
  readonly failedRevisions: FailedRevisions;
  readonly door = new Door();
  readonly planned = new PlannedUpdates();
  readonly #source: ConfigurationSource;
  readonly #services = new Map<string | undefined, Service>();
  readonly #accounts = new Map<string, Account>();
  /** For each base URL, which resource has claimed which deployment. */
  readonly #keepers = new Map<string, Keepers>();
  /** The file with the claims of this process; undefined without an engine. */
  readonly #claims: string | undefined;
  readonly #gate: RequestGate | undefined;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #place: JournalPlace;
  #hasConsidered = false;

  /** `gate` is called before each request. `engine`: the engine's address. */
  constructor(
    source: ConfigurationSource,
    readonly reporter: Reporter,
    readonly clock: Clock = systemClock,
    gate?: RequestGate,
    environment: NodeJS.ProcessEnv = process.env,
    engine?: string,
  ) {
    this.#source = source;
    this.#environment = environment;
    this.#gate = gate;
    this.#place = journalPlace(source, environment);
    const warn = (words: string) => reporter.warn("", words);
    this.#claims = engine === undefined ? undefined : claimsFile(engine);
    this.journal = new Journal(this.#place, warn);
    this.failedRevisions = new FailedRevisions(this.#place);
  }

  /**
   * Warns once if the engine writes the state only when the engine ends. Throws a ConfigurationError if the
   * journal is off too, because no record of a killed run would remain.
   */
  async considerCheckpoints(): Promise<void> {
    const { isOnlyTrace, folder } = this.#place;
    if (isOnlyTrace !== true || this.#hasConsidered) return;
    if (folder === undefined) throw new ConfigurationError(WITHOUT_TRACE);
    this.#hasConsidered = true;
    await this.reporter.warn("", onlyTraceWords(folder)).catch(() => undefined);
  }

  /** The service of the named or the default connection. Throws a ConfigurationError. Sends no request. */
  service(connectionName: unknown): Service {
    const name = typeof connectionName === "string" ? connectionName : undefined;
    const cached = this.#services.get(name);
    if (cached) return cached;
    const connection = connectionFrom(this.#source, this.#environment, name);
    keepSecret(connection.secrets);
    const gate = async (request: HttpRequest) => {
      this.door.check(request);
      await this.#gate?.(request.method);
    };
    const options = { ...connection, clock: this.clock, gate };
    const endpoints = new Endpoints(options, connection.profile);
    const service: Service = {
      connection,
      profileInUse: profileInUse(connection.profile),
      endpoints,
      ...this.#accountOf(connection, endpoints),
    };
    this.#services.set(name, service);
    return service;
  }

  /** All connections to the same deployments share one account, so that no two deployments get the same name. */
  #accountOf(connection: Connection, endpoints: Endpoints): Account {
    const { baseUrl, profile } = connection;
    const key = JSON.stringify([placeOf(connection), profile]);
    const cached = this.#accounts.get(key);
    if (cached) return cached;
    const keepers = this.#keepers.get(baseUrl) ?? new Keepers(baseUrl, this.#claims);
    this.#keepers.set(baseUrl, keepers);
    const account = accountOf(endpoints, profile, this.clock, keepers);
    this.#accounts.set(key, account);
    return account;
  }

  /**
   * Whether the connection leads to the service that has the recorded resource. The headers must be equal too, because
   * headers may choose a workspace.
   */
  staysOnService({ connection: name, serviceUrl }: Arguments, connection: unknown): boolean {
    if (connection === UNKNOWN) return false;
    if (connection === name) return true;
    if (typeof serviceUrl !== "string") return false;
    const next = this.service(connection).connection;
    if (next.baseUrl !== serviceUrl) return false;
    const former = this.#configured(name);
    return former?.baseUrl !== serviceUrl || placeOf(former) === placeOf(next);
  }

  /** Undefined if the connection is not configured. */
  #configured(name: unknown): Connection | undefined {
    try {
      return this.service(name).connection;
    } catch {
      return undefined;
    }
  }

  /**
   * The service that has the recorded resource. Refuses a changed base URL, because every resource would look deleted
   * at the new address.
   */
  serviceOf(state: State): Service {
    const service = this.service(state.connection);
    const { serviceUrl } = state;
    if (typeof serviceUrl === "string" && serviceUrl !== service.connection.baseUrl) {
      throw new ConfigurationError(
        `the state says that this resource lives on ${serviceUrl}, but the base URL is ${service.connection.baseUrl}. Set the base URL back, or use another stack for another service`,
      );
    }
    return service;
  }
}
