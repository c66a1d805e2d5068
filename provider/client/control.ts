/** The control API for scripts: every endpoint of the contract and of the profiles. */

import { rowsUnder } from "../profiles/profile";
import type { Capabilities, Profile, ProfileName, ProfileOverrides } from "../profiles/profiles";
import type { Rows, ValuesOf } from "../schema/kind";
import { integrationRows, repositoryRows } from "../schema/repository";
import type { OptionsOf } from "../schema/settings";
import { tokenMetadataRows } from "../schema/tokenMetadata";
import { isProperties, type Properties } from "../schema/value";
import { rowsFromWire } from "../schema/wire";
import { changeBody, newBody } from "./bodies";
import { type Connection, connectionOf } from "./connection";
import { Endpoints } from "./endpoints";
import { BadRequestError } from "./errors";
import { deploymentList, type ListTable, listenerList, narrowing, revisionList } from "./filters";
import type { Query } from "./http";
import { checkRange, entriesOf, LARGEST_PAGE, Listing, type PageRange, type Range } from "./paging";
import {
  type DeploymentAnswer,
  type DeploymentChange,
  type DeploymentFilters,
  deploymentAnswerRows,
  deploymentChangeRows,
  type IntegrationAnswer,
  type ListenerAnswer,
  type ListenerChange,
  listenerAnswerRows,
  listenerChangeRows,
  type NewDeployment,
  type NewListener,
  newDeploymentRows,
  newListenerRows,
  type RepositoryAnswer,
  type RevisionAnswer,
  type RevisionFilters,
  type TokenMetadataAnswer,
  type TokenMetadataChange,
  tokenAnswerRows,
} from "./resources";

export type { Listing, Range } from "./paging";
export type {
  DeploymentAnswer,
  DeploymentChange,
  DeploymentFilters,
  IntegrationAnswer,
  ListenerAnswer,
  ListenerChange,
  NewDeployment,
  NewListener,
  RepositoryAnswer,
  RevisionAnswer,
  RevisionFilters,
  TokenMetadataAnswer,
  TokenMetadataChange,
} from "./resources";

export type ControlClientOptions = OptionsOf<
  "control",
  { profile: ProfileName; profileOverrides: ProfileOverrides }
>;

/**
 * Talks to the control API.
 *
 * The constructor throws a ConfigurationError for invalid settings. A failed request throws a ServiceError. A value
 * that the contract does not allow causes a BadRequestError before anything is sent. The methods that list resources
 * throw a RangeError if `offset`, `limit` or `pageSize` is out of bounds.
 */
export class ControlClient {
  readonly #endpoints: Endpoints;
  readonly #profile: Profile;

  /** `options` may also be a connection, whose settings are already checked. */
  constructor(options: ControlClientOptions | Connection) {
    const connection = isChecked(options)
      ? options
      : connectionOf({ name: undefined, prefix: "", howToSet: "use the option" }, { ...options });
    this.#endpoints = new Endpoints(connection, connection.profile);
    this.#profile = connection.profile;
  }

  /** POST /v2/deployments. A request that may have been applied is not sent again. */
  async createDeployment(deployment: NewDeployment): Promise<DeploymentAnswer> {
    const body = newBody(rowsUnder(newDeploymentRows, this.#profile), deployment, this.#profile);
    // Some services require these three sections in a new deployment, even if the sections are empty.
    const whole = { source_config: {}, source_revision_config: {}, secrets: [], ...body };
    return this.#read(deploymentAnswerRows, await this.#endpoints.createDeployment(whole));
  }

  /** GET /v2/deployments. */
  listDeployments(options: DeploymentFilters & Range = {}): Listing<DeploymentAnswer> {
    return this.#list(deploymentList, options, (query, range) =>
      this.#endpoints.listDeployments(query, range),
    );
  }

  /**
   * GET /v2/deployments/{id}, if the profile has this call. For an unknown id, throws a StatusError that `isNotFound`
   * recognizes.
   */
  async getDeployment(deploymentId: string): Promise<DeploymentAnswer> {
    this.#require("getDeployment");
    return this.#read(deploymentAnswerRows, await this.#endpoints.getDeployment(deploymentId));
  }

  /**
   * DELETE /v2/deployments/{id}, if the profile has this call. The service may still be deleting the deployment when
   * this call returns.
   */
  async deleteDeployment(deploymentId: string): Promise<void> {
    this.#require("deleteDeployment");
    await this.#endpoints.deleteDeployment(deploymentId);
  }

  /** PATCH /v2/deployments/{id}. This call may create a new revision, depending on the sections in `change`. */
  async updateDeployment(deploymentId: string, change: DeploymentChange): Promise<DeploymentAnswer> {
    const body = changeBody(rowsUnder(deploymentChangeRows, this.#profile), change, this.#profile);
    const resource = await this.#endpoints.updateDeployment(deploymentId, body);
    return this.#read(deploymentAnswerRows, resource);
  }

  /** GET /v2/deployments/{id}/revisions. */
  listRevisions(deploymentId: string, options: RevisionFilters & Range = {}): Listing<RevisionAnswer> {
    return this.#list(revisionList, options, (query, range) =>
      this.#endpoints.listRevisions(deploymentId, query, range),
    );
  }

  /** GET /v2/listeners. */
  listListeners(options: Range = {}): Listing<ListenerAnswer> {
    return this.#list(listenerList, options, (_query, range) => this.#endpoints.listListeners(range));
  }

  /** POST /v2/listeners, if the profile has this call. */
  async createListener(listener: NewListener): Promise<ListenerAnswer> {
    this.#require("createListener");
    // Some services require `compute_config`, even if it is empty.
    const body = { compute_config: {}, ...newBody(newListenerRows, listener, this.#profile) };
    return this.#read(listenerAnswerRows, await this.#endpoints.createListener(body));
  }

  /** DELETE /v2/listeners/{id}, if the profile has this call. */
  async deleteListener(listenerId: string): Promise<void> {
    this.#require("deleteListener");
    await this.#endpoints.deleteListener(listenerId);
  }

  /** PATCH /v2/listeners/{id}. */
  async updateListener(listenerId: string, change: ListenerChange): Promise<ListenerAnswer> {
    const body = changeBody(listenerChangeRows, change, this.#profile);
    return this.#read(listenerAnswerRows, await this.#endpoints.updateListener(listenerId, body));
  }

  /** Lists all repositories that an integration reaches, with one request. */
  listRepositories(integrationId: string): Listing<RepositoryAnswer> {
    return this.#whole(repositoryRows, () => this.#endpoints.listRepositories(integrationId));
  }

  /** Lists the integrations with repository hosts, if the profile has this call. Sends one request. */
  listIntegrations(): Listing<IntegrationAnswer> {
    const { integrationList: place, name } = this.#profile;
    if (place !== undefined)
      return this.#whole(integrationRows, () => this.#endpoints.listIntegrations(place));
    throw new BadRequestError(
      `the service of profile "${name}" has no call that lists its integrations; allowed with profile "langsmith"`,
    );
  }

  /** PATCH /v2/auth/tokens/{id}/metadata. Only the token's owner may send this request. */
  async updateTokenMetadata(tokenId: string, change: TokenMetadataChange): Promise<TokenMetadataAnswer> {
    const body = changeBody(tokenMetadataRows, change, this.#profile);
    return this.#read(tokenAnswerRows, await this.#endpoints.updateTokenMetadata(tokenId, body));
  }

  /** Closes the connections. The connections also close by themselves soon after the last request. */
  close(): Promise<void> {
    return this.#endpoints.close();
  }

  #require(operation: keyof Capabilities): void {
    if (this.#profile.capabilities[operation]) return;
    throw new BadRequestError(
      `the service of profile "${this.#profile.name}" has no such call; allowed with profile "langsmith", or where profileOverrides.capabilities.${operation} is true`,
      operation,
    );
  }

  #list<R extends Rows>(
    list: ListTable<R>,
    { offset, limit, pageSize, ...filters }: Range,
    fetch: (query: Query, range: PageRange) => AsyncIterable<readonly Properties[]>,
  ): Listing<ValuesOf<R>> {
    checkRange({ offset, limit, pageSize });
    const { query, keeps, isEmpty } = narrowing(filters, list, this.#profile);
    // The client may filter out most entries of a page, so small pages would need more requests.
    const defaultPageSize = Object.values(filters).every((value) => value === undefined)
      ? Math.min(limit ?? LARGEST_PAGE, LARGEST_PAGE)
      : undefined;
    const range = { offset, pageSize: pageSize ?? defaultPageSize };
    const pages = () => (isEmpty ? [] : fetch(query, range));
    return new Listing(() => entriesOf(pages(), keeps, (entry) => this.#read(list.answer, entry), limit));
  }

  #whole<const R extends Rows>(rows: R, fetch: () => Promise<readonly Properties[]>): Listing<ValuesOf<R>> {
    const convert = (entry: Properties) => this.#read(rows, entry);
    return new Listing(() => entriesOf([fetch()], () => true, convert));
  }

  #read<const R extends Rows>(rows: R, resource: Properties): ValuesOf<R> {
    return rowsFromWire(rows, resource, this.#profile) as ValuesOf<R>;
  }
}

const isChecked = (options: ControlClientOptions | Connection): options is Connection =>
  isProperties(options.profile);
