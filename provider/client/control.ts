/** The control API for scripts: every endpoint of the contract and what profiles have beyond it, in the names of the program. */
import type { Rows, ValuesOf } from "../fields/kind";
import { repositoryRows } from "../fields/repository";
import { revisionRows } from "../fields/revision";
import { tokenMetadataRows } from "../fields/tokenMetadata";
import type { Properties } from "../fields/value";
import { rowsFromWire } from "../fields/wire";
import type { Capabilities, Profile, ProfileOverrides } from "../profiles/profiles";
import { changeBody, type Nullable, newBody } from "./bodies";
import { type Connection, connectionOf } from "./connection";
import { Endpoints, type PageRange, type Query } from "./endpoints";
import { BadRequestError } from "./errors";
import {
  type DeploymentFilters,
  deploymentFilters,
  type FilterTable,
  narrowing,
  noFilters,
  type RevisionFilters,
  revisionFilters,
} from "./filters";
import { checkRange, entriesOf, Listing, type Range } from "./listing";
import { LARGEST_PAGE } from "./paging";
import {
  type DeploymentAnswer,
  deploymentAnswerRows,
  deploymentChangeRows,
  type ListenerAnswer,
  listenerAnswerRows,
  listenerChangeRows,
  type NewDeployment,
  type NewListener,
  newDeploymentRows,
  newListenerRows,
  type RepositoryAnswer,
  type RevisionAnswer,
  type TokenMetadataAnswer,
  tokenAnswerRows,
} from "./resources";

export type { DeploymentFilters, RevisionFilters } from "./filters";
export type { Listing, Range } from "./listing";
export type {
  DeploymentAnswer,
  ListenerAnswer,
  NewDeployment,
  NewListener,
  RepositoryAnswer,
  RevisionAnswer,
  TokenMetadataAnswer,
} from "./resources";

export interface ControlClientOptions {
  /** Base URL of the service's control API. */
  baseUrl: string;
  /** The credential. Over plain http it is refused unless the host is loopback or `allowInsecure` is set. */
  apiKey?: string | undefined;
  /** Header of the credential, `X-Api-Key` unless given; `none` sends none. */
  authHeader?: string | undefined;
  /** Word before the credential, such as `Bearer`. */
  authScheme?: string | undefined;
  /** Further headers of every request. */
  headers?: { readonly [name: string]: string } | undefined;
  /** Which service it is, `contract` unless given. */
  profile?: "contract" | "langsmith" | undefined;
  /** What differs from the profile. */
  profileOverrides?: ProfileOverrides | undefined;
  /** Longest time that one try of a request may take; 30 unless given. */
  requestTimeoutSeconds?: number | undefined;
  /** How often a request is sent again where that is safe; 4 unless given, with pauses of 3 s at most in all. */
  maxRetries?: number | undefined;
  /** Most requests in flight; 16 unless given. */
  maxConcurrency?: number | undefined;
  /** Allows to send the credential over plain http. */
  allowInsecure?: boolean | undefined;
}

/** What a PATCH of a deployment changes. What is left out stays; null clears a field where the service can. */
export type DeploymentChange = Nullable<ValuesOf<typeof deploymentChangeRows>>;
export type ListenerChange = Nullable<ValuesOf<typeof listenerChangeRows>>;
export type TokenMetadataChange = Nullable<ValuesOf<typeof tokenMetadataRows>>;

/**
 * Talks to the control API.
 *
 * The constructor throws a ConfigurationError. Every request throws a ServiceError, and a BadRequestError, before
 * anything is sent, for values that the contract does not know. Lists throw a RangeError for bounds.
 */
export class ControlClient {
  readonly #endpoints: Endpoints;
  readonly #profile: Profile;

  /** `options` may also be a connection that has been read from a configuration, and so checked. */
  constructor(options: ControlClientOptions | Connection) {
    const connection = isChecked(options)
      ? options
      : connectionOf({ name: undefined, prefix: "", howToSet: "give it as an option" }, { ...options });
    this.#endpoints = new Endpoints(connection, connection.profile);
    this.#profile = connection.profile;
  }

  /** POST /v2/deployments. It is sent once: another call makes another deployment. */
  async createDeployment(deployment: NewDeployment): Promise<DeploymentAnswer> {
    const body = newBody(newDeploymentRows, deployment, this.#profile);
    // Services may insist on these sections.
    const whole = { source_config: {}, source_revision_config: {}, secrets: [], ...body };
    return this.#read(deploymentAnswerRows, (await this.#endpoints.createDeployment(whole)).resource);
  }

  /** GET /v2/deployments. */
  listDeployments(options: DeploymentFilters & Range = {}): Listing<DeploymentAnswer> {
    return this.#list(deploymentAnswerRows, deploymentFilters, options, (query, range) =>
      this.#endpoints.listDeployments(query, range),
    );
  }

  /** GET /v2/deployments/{id}, where the profile has it. A StatusError that `isNotFound` knows when there is none. */
  async getDeployment(deploymentId: string): Promise<DeploymentAnswer> {
    this.#require("getDeployment");
    return this.#read(deploymentAnswerRows, (await this.#endpoints.getDeployment(deploymentId)).resource);
  }

  /** DELETE /v2/deployments/{id}, where the profile has it. The deletion may go on after this has returned. */
  async deleteDeployment(deploymentId: string): Promise<void> {
    this.#require("deleteDeployment");
    await this.#endpoints.deleteDeployment(deploymentId);
  }

  /** PATCH /v2/deployments/{id}. Sections that are given may create a new revision. */
  async updateDeployment(deploymentId: string, change: DeploymentChange): Promise<DeploymentAnswer> {
    const body = changeBody(deploymentChangeRows, change, this.#profile);
    const { resource } = await this.#endpoints.updateDeployment(deploymentId, body);
    return this.#read(deploymentAnswerRows, resource);
  }

  /** GET /v2/deployments/{id}/revisions. */
  listRevisions(deploymentId: string, options: RevisionFilters & Range = {}): Listing<RevisionAnswer> {
    return this.#list(revisionRows, revisionFilters, options, (query, range) =>
      this.#endpoints.listRevisions(deploymentId, query, range),
    );
  }

  /** GET /v2/listeners. */
  listListeners(options: Range = {}): Listing<ListenerAnswer> {
    return this.#list(listenerAnswerRows, noFilters, options, (_query, range) =>
      this.#endpoints.listListeners(range),
    );
  }

  /** POST /v2/listeners, where the profile has it. */
  async createListener(listener: NewListener): Promise<ListenerAnswer> {
    this.#require("createListener");
    // Services may insist on this section.
    const body = { compute_config: {}, ...newBody(newListenerRows, listener, this.#profile) };
    return this.#read(listenerAnswerRows, (await this.#endpoints.createListener(body)).resource);
  }

  /** DELETE /v2/listeners/{id}, where the profile has it. */
  async deleteListener(listenerId: string): Promise<void> {
    this.#require("deleteListener");
    await this.#endpoints.deleteListener(listenerId);
  }

  /** PATCH /v2/listeners/{id}. */
  async updateListener(listenerId: string, change: ListenerChange): Promise<ListenerAnswer> {
    const body = changeBody(listenerChangeRows, change, this.#profile);
    return this.#read(listenerAnswerRows, (await this.#endpoints.updateListener(listenerId, body)).resource);
  }

  /** The repositories that an integration reaches; one request, however many there are. */
  listRepositories(integrationId: string): Listing<RepositoryAnswer> {
    const read = (entry: Properties) => this.#read(repositoryRows, entry);
    const pages = async function* (endpoints: Endpoints) {
      yield await endpoints.listRepositories(integrationId);
    };
    return new Listing(() => entriesOf(pages(this.#endpoints), () => true, read));
  }

  /** PATCH /v2/auth/tokens/{id}/metadata; only the token's owner may. */
  async updateTokenMetadata(tokenId: string, change: TokenMetadataChange): Promise<TokenMetadataAnswer> {
    const body = changeBody(tokenMetadataRows, change, this.#profile);
    return this.#read(tokenAnswerRows, (await this.#endpoints.updateTokenMetadata(tokenId, body)).resource);
  }

  /** Closes the connections, which end by themselves soon after the last request. */
  close(): Promise<void> {
    return this.#endpoints.close();
  }

  #require(operation: keyof Capabilities): void {
    if (this.#profile.capabilities[operation]) return;
    throw new BadRequestError(
      `${operation}: the service of profile "${this.#profile.name}" has no such call; allowed with profile "langsmith", or where profileOverrides.capabilities.${operation} is true`,
    );
  }

  #list<const R extends Rows>(
    rows: R,
    table: FilterTable,
    { offset, limit, pageSize, ...filters }: Range,
    fetch: (query: Query, range: PageRange) => AsyncIterable<readonly Properties[]>,
  ): Listing<ValuesOf<R>> {
    checkRange({ offset, limit, pageSize });
    const { query, keeps, isEmpty } = narrowing(filters, table, this.#profile);
    // Where entries may be left out here, small pages would only mean more requests.
    const wanted =
      Object.keys(query).length === 0 ? Math.min(limit ?? LARGEST_PAGE, LARGEST_PAGE) : undefined;
    const range = { offset, pageSize: pageSize ?? wanted };
    const pages = () => (isEmpty ? noPages() : fetch(query, range));
    return new Listing(() => entriesOf(pages(), keeps, (entry) => this.#read(rows, entry), limit));
  }

  #read<const R extends Rows>(rows: R, resource: Properties): ValuesOf<R> {
    return rowsFromWire(rows, resource, this.#profile) as ValuesOf<R>;
  }
}

const isChecked = (options: ControlClientOptions | Connection): options is Connection =>
  typeof options.profile === "object";

async function* noPages(): AsyncGenerator<never> {}
