/** The services that this process talks to, one per connection, with all that their resources share. */
import { Endpoints } from "../client/endpoints";
import { type Clock, systemClock } from "../client/retry";
import { type Properties, UNKNOWN } from "../fields/value";
import { urnOf } from "../host/carried";
import type { Reporter } from "../host/engine";
import { Journal, type Subject } from "../journal/journal";
import { journalPlace } from "../journal/place";
import { type ProfileInUse, profileInUse } from "../profiles/profiles";
import { Poller } from "../waiting/poller";
import {
  ConfigurationError,
  type ConfigurationSource,
  type Connection,
  connectionFrom,
  namesProfile,
} from "./configuration";
import { Directory } from "./directory";
import { keepSecret } from "./secrecy";

export interface Service {
  readonly connection: Connection;
  /** What the inputs of a plan note of the profile, for whoever reads the plan alone. */
  readonly profileInUse: ProfileInUse | undefined;
  readonly endpoints: Endpoints;
  readonly directory: Directory;
  /** Of all waits for its revisions. */
  readonly poller: Poller;
  /** Ids that this run's program keeps, or that this run created or adopted, to the URN of theirs: it must not delete them. */
  readonly ours: Map<string, string>;
  /** Names under which this run is just creating deployments. */
  readonly creating: Set<string>;
}

/** What all connections share that lead to one account of one service. */
type Account = Pick<Service, "directory" | "poller" | "ours" | "creating">;

/** Rejects when a request must no longer be sent. */
export type Gate = (method: string) => Promise<void>;

/** What the methods of a resource work with. */
export class Session {
  readonly reporter: Reporter;
  readonly clock: Clock;
  readonly #source: ConfigurationSource;
  /** URN to the id that is being replaced: its successor must not take it over. */
  readonly predecessors = new Map<string, string>();
  /** Ids of the deployments whose revision this plan makes again, of which their arguments do not tell. */
  readonly remade = new Set<string>();
  readonly #services = new Map<string | undefined, Service>();
  readonly #accounts = new Map<string, Account>();
  readonly #gate: Gate | undefined;
  #journal: Journal | undefined;
  #updates: Journal | undefined;

  /** `gate` is asked before each request. */
  constructor(source: ConfigurationSource, reporter: Reporter, clock: Clock = systemClock, gate?: Gate) {
    this.#source = source;
    this.reporter = reporter;
    this.clock = clock;
    this.#gate = gate;
  }

  /** The journal of this stack's creations. */
  get journal(): Journal {
    this.#journal ??= this.#journalOf("creation");
    return this.#journal;
  }

  /** The journal of this stack's updates that make, or may make, a revision. */
  get updates(): Journal {
    this.#updates ??= this.#journalOf("update");
    return this.#updates;
  }

  #journalOf(subject: Subject): Journal {
    const place = journalPlace(this.#source, process.env);
    return new Journal(place, (words) => this.reporter.warn("", words), subject);
  }

  /** The state holds the id: its creation needs no journal any more, nor does the update that it has in it. */
  confirm(id: string, state: Properties): void {
    const { serviceUrl, revisionGeneration } = state;
    if (typeof serviceUrl !== "string") return;
    this.journal.confirmed(urnOf(state), serviceUrl, id);
    this.updates.confirmed(urnOf(state), serviceUrl, id, revisionGeneration);
  }

  /** The service of the resource's connection. Throws a ConfigurationError. No request is sent. */
  service(connectionName: unknown): Service {
    const name = typeof connectionName === "string" ? connectionName : undefined;
    const known = this.#services.get(name);
    if (known) return known;
    const connection = connectionFrom(this.#source, process.env, name);
    keepSecret(connection.secrets);
    const gate = this.#gate === undefined ? {} : { gate: this.#gate };
    const endpoints = new Endpoints({ ...connection, clock: this.clock, ...gate }, connection.profile);
    const account = this.#accountOf(connection, endpoints);
    const service = {
      connection,
      profileInUse: profileInUse(connection.profile, name === undefined && namesProfile(this.#source)),
      endpoints,
      ...account,
    };
    this.#services.set(name, service);
    return service;
  }

  /** Two connections may lead to the same deployments: of those no name must be created twice either. */
  #accountOf({ baseUrl, headers, profile }: Connection, endpoints: Endpoints): Account {
    const sorted = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const key = JSON.stringify([baseUrl, sorted.sort(), profile]);
    const known = this.#accounts.get(key);
    if (known) return known;
    const directory = new Directory(endpoints, profile, this.clock);
    const poller = new Poller(endpoints, directory, this.clock);
    const account = { directory, poller, ours: new Map<string, string>(), creating: new Set<string>() };
    this.#accounts.set(key, account);
    return account;
  }

  /** The service of the new arguments; of the recorded ones while the connection is not known yet. */
  serviceFor(olds: Properties | undefined, news: Properties): Service {
    return this.service(news.connection === UNKNOWN ? olds?.connection : news.connection);
  }

  /** The service that a diff is about: a plan that stays on its connection must find the state's own base URL there. */
  serviceOfDiff(olds: Properties, news: Properties, planned: boolean): Service {
    return planned && olds.connection === news.connection
      ? this.serviceOf(olds)
      : this.serviceFor(olds, news);
  }

  /** The service in which a recorded resource lives; refuses another one, where everything would look deleted. */
  serviceOf(state: Properties): Service {
    const service = this.service(state.connection);
    const { serviceUrl } = state;
    if (typeof serviceUrl === "string" && serviceUrl !== service.connection.baseUrl) {
      throw new ConfigurationError(
        `the state says that this resource lives on ${serviceUrl}, but the base URL is ${service.connection.baseUrl}. ` +
          "Set the base URL back, or use another stack for another service; if the same service has moved, " +
          "change serviceUrl in the state (pulumi stack export, edit, pulumi stack import)",
      );
    }
    return service;
  }
}
