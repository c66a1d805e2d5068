/** Every endpoint of the contract and of the profiles: one method for each, with bodies as on the wire. */

import type { Profile } from "../profiles/profile";
import type { Rows } from "../schema/kind";
import { revisionRows } from "../schema/revision";
import { isProperties, type Properties } from "../schema/value";
import { type EntryCheck, entryCheck, plainResource } from "./answer";
import { UnexpectedAnswerError } from "./errors";
import { Http, type HttpOptions, type HttpRequest, path, type Query, type Transport } from "./http";
import { allPages, type PageMemory, type PageRange, pageIn } from "./paging";
import { deploymentAnswerRows, listenerAnswerRows, tokenAnswerRows } from "./resources";

/** The calls of a service, with one method for each call, over any transport. */
export interface Endpoints extends Pick<ServiceEndpoints, keyof ServiceEndpoints> {}

/** The endpoints of a service, over HTTP. `onDeployment` is called with each deployment in the service's answers. */
export function httpEndpoints(
  options: HttpOptions,
  profile: Profile,
  onDeployment?: OnDeployment,
): Endpoints {
  return new ServiceEndpoints(new Http(options), profile, onDeployment);
}

type OnDeployment = (deployment: Properties) => void;

export class ServiceEndpoints {
  readonly #transport: Transport;
  readonly #profile: Profile;
  readonly #checks = new Map<Rows, EntryCheck>();
  readonly #memories = new Map<string, PageMemory>();
  readonly #onDeployment: OnDeployment | undefined;

  constructor(transport: Transport, profile: Profile, onDeployment?: OnDeployment) {
    this.#transport = transport;
    this.#profile = profile;
    this.#onDeployment = onDeployment;
  }

  createDeployment(body: Properties, beforeSending?: () => Promise<void>): Promise<Properties> {
    return this.#one(
      deploymentAnswerRows,
      "create deployment",
      "POST",
      "/v2/deployments",
      body,
      beforeSending,
    );
  }

  listDeployments(query: Query = {}, range: PageRange = {}): AsyncGenerator<readonly Properties[]> {
    return this.#pages(deploymentAnswerRows, "list deployments", "/v2/deployments", query, range);
  }

  /** To be called only if the profile has `getDeployment`. */
  getDeployment(id: string): Promise<Properties> {
    return this.#one(deploymentAnswerRows, "read deployment", "GET", path`/v2/deployments/${id}`);
  }

  updateDeployment(id: string, body: Properties, beforeSending?: () => Promise<void>): Promise<Properties> {
    return this.#one(
      deploymentAnswerRows,
      "update deployment",
      "PATCH",
      path`/v2/deployments/${id}`,
      body,
      beforeSending,
    );
  }

  /** To be called only if the profile has `deleteDeployment`. */
  deleteDeployment(id: string): Promise<void> {
    return this.#delete("delete deployment", path`/v2/deployments/${id}`);
  }

  /** To be called only if the profile has `createRevision`. */
  createRevision(id: string, body: Properties, beforeSending?: () => Promise<void>): Promise<Properties> {
    return this.#one(
      revisionRows,
      "create revision",
      "POST",
      path`/v2/deployments/${id}/revisions`,
      body,
      beforeSending,
    );
  }

  listRevisions(id: string, query: Query = {}, range: PageRange = {}): AsyncGenerator<readonly Properties[]> {
    return this.#pages(revisionRows, "list revisions", path`/v2/deployments/${id}/revisions`, query, range);
  }

  listListeners(range: PageRange = {}): AsyncGenerator<readonly Properties[]> {
    return this.#pages(listenerAnswerRows, "list listeners", "/v2/listeners", {}, range);
  }

  /** To be called only if the profile has `createListener`. */
  createListener(body: Properties, beforeSending?: () => Promise<void>): Promise<Properties> {
    return this.#one(listenerAnswerRows, "create listener", "POST", "/v2/listeners", body, beforeSending);
  }

  updateListener(id: string, body: Properties): Promise<Properties> {
    return this.#one(listenerAnswerRows, "update listener", "PATCH", path`/v2/listeners/${id}`, body);
  }

  /** To be called only if the profile has `deleteListener`. */
  deleteListener(id: string): Promise<void> {
    return this.#delete("delete listener", path`/v2/listeners/${id}`);
  }

  /** The service returns the whole list as a plain array, not in pages. */
  async listRepositories(integrationId: string): Promise<readonly Properties[]> {
    const request = {
      operation: "list repositories",
      method: "GET",
      path: this.#profile.integrations[0] + path`/${integrationId}/repos`,
    } as const;
    const { body, place } = await this.#transport.send(request);
    if (Array.isArray(body) && body.every(isProperties)) return body;
    throw new UnexpectedAnswerError(place, "with no list of repositories");
  }

  updateTokenMetadata(tokenId: string, body: Properties): Promise<Properties> {
    return this.#one(
      tokenAnswerRows,
      "update token metadata",
      "PATCH",
      path`/v2/auth/tokens/${tokenId}/metadata`,
      body,
    );
  }

  /** The service's clock is ahead of ours by at least this many milliseconds. */
  get clockAhead(): number {
    return this.#transport.clockAhead;
  }

  /** Whether requests are no longer retried, because too many requests to this service have just failed. */
  get isFailing(): boolean {
    return this.#transport.isFailing;
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async #delete(operation: string, path: string): Promise<void> {
    await this.#transport.send({ operation, method: "DELETE", path });
  }

  #faultOf(rows: Rows, entry: Properties): string | undefined {
    if (rows === deploymentAnswerRows) this.#onDeployment?.(entry);
    const check = this.#checks.get(rows) ?? entryCheck(rows, this.#profile);
    this.#checks.set(rows, check);
    return check(entry);
  }

  /** Sends the request and returns the resource in the answer. */
  async #one(
    rows: Rows,
    operation: string,
    method: HttpRequest["method"],
    path: string,
    body?: Properties,
    beforeSending?: () => Promise<void>,
  ): Promise<Properties> {
    const request = { operation, method, path, body, beforeSending };
    const { body: resource, place } = await this.#transport.send(request);
    const fault = isProperties(resource) ? this.#faultOf(rows, resource) : "without an id";
    if (fault !== undefined) throw new UnexpectedAnswerError(place, `with a resource ${fault}`);
    return plainResource(resource as Properties);
  }

  #pages(
    rows: Rows,
    operation: string,
    path: string,
    query: Query,
    range: PageRange,
  ): AsyncGenerator<readonly Properties[]> {
    const request = { operation, method: "GET", path, withoutTurn: range.withoutTurn } as const;
    // The service may cap the page size of each list separately.
    const memory = this.#memories.get(operation) ?? { largestFullPage: 0 };
    this.#memories.set(operation, memory);
    const source = {
      fetch: async (limit: number, offset: number) => {
        const { body, place } = await this.#transport.send({
          ...request,
          query: { limit, offset, ...query },
        });
        return pageIn(body, place, (entry) => this.#faultOf(rows, entry));
      },
      endless: () =>
        new UnexpectedAnswerError(
          this.#transport.placeOf(request),
          "with a list that never ends or whose pages repeat, because the service ignores offset",
        ),
      shortPageIsLast: this.#profile.capabilities.shortPageIsLast,
      memory,
    };
    return allPages(source, range);
  }
}
