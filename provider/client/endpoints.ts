/** Every endpoint of the contract, and those that a profile has beyond it: one method each, bodies as on the wire. */
import { isProperties, type Properties } from "../fields/value";
import type { Profile } from "../profiles/profile";
import { entryFault } from "./entry";
import { UnexpectedAnswerError } from "./errors";
import { Http, type HttpOptions, type HttpRequest, path } from "./http";
import { allPages, LARGEST_PAGE, type PageMemory, pageIn } from "./paging";

export type Query = { readonly [parameter: string]: string | number | boolean | undefined };

export interface PageRange {
  readonly offset?: number | undefined;
  readonly pageSize?: number | undefined;
}

/** A resource as the service answered, and what its clock said then. */
export interface Answered {
  readonly resource: Properties;
  readonly serviceTime: number | undefined;
}

export class Endpoints {
  readonly #http: Http;
  readonly #profile: Profile;
  readonly #memories = new Map<string, PageMemory>();

  constructor(options: HttpOptions, profile: Profile) {
    this.#http = new Http(options);
    this.#profile = profile;
  }

  createDeployment(body: Properties, beforeSending?: () => Promise<void>): Promise<Answered> {
    const request = { operation: "create deployment", method: "POST", path: "/v2/deployments" } as const;
    return this.#one({ ...request, body, beforeSending });
  }

  listDeployments(query: Query = {}, range: PageRange = {}): AsyncGenerator<readonly Properties[]> {
    return this.#pages(
      { operation: "list deployments", method: "GET", path: "/v2/deployments" },
      query,
      range,
    );
  }

  /** Only where the profile has it. */
  getDeployment(id: string): Promise<Answered> {
    return this.#one({ operation: "read deployment", method: "GET", path: path`/v2/deployments/${id}` });
  }

  updateDeployment(id: string, body: Properties, beforeSending?: () => Promise<void>): Promise<Answered> {
    return this.#one({
      operation: "update deployment",
      method: "PATCH",
      path: path`/v2/deployments/${id}`,
      body,
      beforeSending,
    });
  }

  /** Only where the profile has it. */
  async deleteDeployment(id: string): Promise<void> {
    await this.#http.send({
      operation: "delete deployment",
      method: "DELETE",
      path: path`/v2/deployments/${id}`,
    });
  }

  listRevisions(id: string, query: Query = {}, range: PageRange = {}): AsyncGenerator<readonly Properties[]> {
    const request = {
      operation: "list revisions",
      method: "GET",
      path: path`/v2/deployments/${id}/revisions`,
    } as const;
    return this.#pages(request, query, range);
  }

  listListeners(range: PageRange = {}): AsyncGenerator<readonly Properties[]> {
    return this.#pages({ operation: "list listeners", method: "GET", path: "/v2/listeners" }, {}, range);
  }

  /** Only where the profile has it. */
  createListener(body: Properties, beforeSending?: () => Promise<void>): Promise<Answered> {
    const request = { operation: "create listener", method: "POST", path: "/v2/listeners" } as const;
    return this.#one({ ...request, body, beforeSending });
  }

  updateListener(id: string, body: Properties): Promise<Answered> {
    return this.#one({
      operation: "update listener",
      method: "PATCH",
      path: path`/v2/listeners/${id}`,
      body,
    });
  }

  /** Only where the profile has it. */
  async deleteListener(id: string): Promise<void> {
    await this.#http.send({
      operation: "delete listener",
      method: "DELETE",
      path: path`/v2/listeners/${id}`,
    });
  }

  /** A plain array, not paged. */
  async listRepositories(integrationId: string): Promise<readonly Properties[]> {
    const request = {
      operation: "list repositories",
      method: "GET",
      path: this.#profile.paths.repositories.replace("{integration_id}", path`${integrationId}`),
    } as const;
    const { body, place } = await this.#http.send(request);
    if (Array.isArray(body) && body.every(isProperties)) return body;
    throw new UnexpectedAnswerError(place, "with no list of repositories");
  }

  updateTokenMetadata(tokenId: string, body: Properties): Promise<Answered> {
    const request = { operation: "update token metadata", path: path`/v2/auth/tokens/${tokenId}/metadata` };
    return this.#one({ ...request, method: "PATCH", body });
  }

  /** How far the service's clock is ahead of ours, in ms and exact to the second. */
  get clockAhead(): number {
    return this.#http.clockAhead;
  }

  /** Whether so many requests to the service have just failed that none is sent twice. */
  get isFailing(): boolean {
    return this.#http.isFailing;
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #one(request: HttpRequest): Promise<Answered> {
    const answer = await this.#http.send(request);
    const { body, place, serviceTime } = answer;
    const fault = isProperties(body) ? entryFault(body) : "without an id";
    if (fault !== undefined) throw new UnexpectedAnswerError(place, `with a resource ${fault}`);
    return { resource: body as Properties, serviceTime };
  }

  #pages(request: HttpRequest, query: Query, range: PageRange): AsyncGenerator<readonly Properties[]> {
    // Each list may have a cap of its own.
    const memory = this.#memories.get(request.operation) ?? { largestFullPage: 0 };
    this.#memories.set(request.operation, memory);
    return allPages(
      async (limit, offset, isBeyond) => {
        if (isBeyond)
          throw new UnexpectedAnswerError(this.#http.placeOf(request), "with a list that has no end");
        const { body, place } = await this.#http.send({ ...request, query: { limit, offset, ...query } });
        return pageIn(body, place);
      },
      this.#profile.capabilities.shortPageIsLast,
      memory,
      range.offset ?? 0,
      range.pageSize ?? LARGEST_PAGE,
    );
  }
}
