/** One method for each endpoint of the contract and of the profiles. Bodies use wire names. */

import { type Profile, profileAnswering } from "../profiles/profiles";
import type { Rows } from "../schema/kind";
import { revisionRows } from "../schema/revision";
import { isProperties, type Properties } from "../schema/value";
import { type EntryCheck, entryCheck, type HttpAnswer, plainResource } from "./answer";
import { type Connection, misfitOf } from "./connection";
import { UnexpectedAnswerError } from "./errors";
import { Http, type HttpOptions, type HttpRequest, path, type Query } from "./http";
import { allPages, type PageMemory, type PageRange, pageIn } from "./paging";
import { deploymentAnswerRows, listenerAnswerRows, tokenAnswerRows } from "./resources";

type BeforeSending = () => Promise<void>;

/** The calls of a service. Once an answer shows that only a different profile fits, every call throws. */
export class Endpoints extends Http {
  readonly #profile: Profile;
  readonly #checks = new Map<Rows, EntryCheck>();
  readonly #memories = new Map<string, PageMemory>();
  readonly #connection: Partial<Connection>;
  #misfit: Error | undefined;

  constructor(options: HttpOptions & Partial<Connection>, profile: Profile) {
    super(options);
    this.#profile = profile;
    this.#connection = options;
  }

  override async send(request: HttpRequest): Promise<HttpAnswer> {
    this.refuseMisfit();
    return super.send(request);
  }

  /** Throws a ConfigurationError if an answer has shown that only a different profile fits the service. */
  refuseMisfit(): void {
    if (this.#misfit !== undefined) throw this.#misfit;
  }

  createDeployment(body: Properties, beforeSending?: BeforeSending): Promise<Properties> {
    const request = { operation: "create deployment", method: "POST", path: "/v2/deployments" } as const;
    return this.#one(deploymentAnswerRows, { ...request, body, beforeSending });
  }

  listDeployments(query: Query = {}, range: PageRange = {}): AsyncGenerator<readonly Properties[]> {
    return this.#pages(deploymentAnswerRows, "list deployments", "/v2/deployments", query, range);
  }

  /** Call this only if the profile has the capability `getDeployment`. */
  getDeployment(id: string): Promise<Properties> {
    const request = {
      operation: "read deployment",
      method: "GET",
      path: path`/v2/deployments/${id}`,
    } as const;
    return this.#one(deploymentAnswerRows, request);
  }

  updateDeployment(id: string, body: Properties, beforeSending?: BeforeSending): Promise<Properties> {
    const request = {
      operation: "update deployment",
      method: "PATCH",
      path: path`/v2/deployments/${id}`,
    } as const;
    return this.#one(deploymentAnswerRows, { ...request, body, beforeSending });
  }

  /** Call this only if the profile has the capability `deleteDeployment`. */
  deleteDeployment(id: string): Promise<void> {
    return this.#delete("delete deployment", path`/v2/deployments/${id}`);
  }

  /** Call this only if the profile has the capability `createRevision`. */
  createRevision(id: string, body: Properties, beforeSending?: BeforeSending): Promise<Properties> {
    const place = path`/v2/deployments/${id}/revisions`;
    const request = { operation: "create revision", method: "POST", path: place } as const;
    return this.#one(revisionRows, { ...request, body, beforeSending });
  }

  listRevisions(id: string, query: Query = {}, range: PageRange = {}): AsyncGenerator<readonly Properties[]> {
    return this.#pages(revisionRows, "list revisions", path`/v2/deployments/${id}/revisions`, query, range);
  }

  /** The entries of a revision's `build` or `deploy` log; an empty list if the service shows no logs. */
  async revisionLog(id: string, revisionId: string, kind: string, body: Properties): Promise<unknown[]> {
    const { logs } = this.#profile;
    if (logs === undefined) return [];
    const place = logs + path`/${id}/revisions/${revisionId}/${kind}_logs`;
    const request = { operation: `read ${kind} log`, method: "POST", path: place, body } as const;
    const { body: answer } = await this.send(request);
    const entries = isProperties(answer) ? answer.logs : answer;
    return Array.isArray(entries) ? entries : [];
  }

  listListeners(range: PageRange = {}): AsyncGenerator<readonly Properties[]> {
    return this.#pages(listenerAnswerRows, "list listeners", "/v2/listeners", {}, range);
  }

  /** Call this only if the profile has the capability `createListener`. */
  createListener(body: Properties, beforeSending?: BeforeSending): Promise<Properties> {
    const request = { operation: "create listener", method: "POST", path: "/v2/listeners" } as const;
    return this.#one(listenerAnswerRows, { ...request, body, beforeSending });
  }

  updateListener(id: string, body: Properties): Promise<Properties> {
    const request = {
      operation: "update listener",
      method: "PATCH",
      path: path`/v2/listeners/${id}`,
    } as const;
    return this.#one(listenerAnswerRows, { ...request, body });
  }

  /** Call this only if the profile has the capability `deleteListener`. */
  deleteListener(id: string): Promise<void> {
    return this.#delete("delete listener", path`/v2/listeners/${id}`);
  }

  listRepositories(integrationId: string): Promise<readonly Properties[]> {
    return this.#array("repositories", this.#profile.integrations[0] + path`/${integrationId}/repos`);
  }

  /** `place`: the profile's `integrationList`. */
  listIntegrations(place: string): Promise<readonly Properties[]> {
    return this.#array("integrations", place);
  }

  updateTokenMetadata(tokenId: string, body: Properties): Promise<Properties> {
    const place = path`/v2/auth/tokens/${tokenId}/metadata`;
    const request = { operation: "update token metadata", method: "PATCH", path: place } as const;
    return this.#one(tokenAnswerRows, { ...request, body });
  }

  /** Reads a list that the service returns whole, not in pages. */
  async #array(name: string, path: string): Promise<readonly Properties[]> {
    const { body, place } = await this.send({ operation: `list ${name}`, method: "GET", path });
    if (Array.isArray(body) && body.every(isProperties)) return body;
    throw new UnexpectedAnswerError(place, `with no list of ${name}`);
  }

  async #delete(operation: string, path: string): Promise<void> {
    await this.send({ operation, method: "DELETE", path });
  }

  #faultOf(rows: Rows, entry: Properties): string | undefined {
    if (rows === deploymentAnswerRows)
      this.#misfit ??= misfitOf(this.#connection, profileAnswering(entry, this.#profile));
    const check = this.#checks.get(rows) ?? entryCheck(rows, this.#profile);
    this.#checks.set(rows, check);
    return check(entry);
  }

  async #one(rows: Rows, request: HttpRequest): Promise<Properties> {
    const { body: resource, place } = await this.send(request);
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
        const { body, place } = await this.send({
          ...request,
          query: { limit, offset, ...query },
        });
        return pageIn(body, place, (entry) => this.#faultOf(rows, entry));
      },
      endless: () =>
        new UnexpectedAnswerError(
          this.placeOf(request),
          "with a list that never ends or whose pages repeat, because the service ignores offset",
        ),
      shortPageIsLast: this.#profile.capabilities.shortPageIsLast,
      memory,
    };
    return allPages(source, range);
  }
}
