/** Finds deployments by name or id. Simultaneous callers share requests. */
import { type Clock, systemClock } from "../client/clock";
import type { Endpoints } from "../client/endpoints";
import { isQueryRefused, isUnsupported } from "../client/errors";
import { LARGEST_PAGE } from "../client/paging";
import type { Profile } from "../profiles/profiles";
import { deploymentLookUpRows, isBeingDeleted } from "../schema/deployment";
import { queryFor } from "../schema/filters";
import type { Properties } from "../schema/value";
import { rowsFromWire } from "../schema/wire";
import { Batcher, SharedListing } from "./sharedListing";

/** The value is undefined for an id that the service does not have. */
type DeploymentsById = Map<string, Properties | undefined>;

/** Number of listing pages that a run's reads share. Deployments beyond these pages are requested by id. */
const SHARED_PAGES = 10;
/** A run that begins with fewer reads than this requests only these ids, because the run may never read others. */
const MANY = 8;

export class Directory {
  readonly #endpoints: Endpoints;
  readonly #profile: Profile;
  readonly #clock: Clock;
  readonly #reads: Batcher<Properties>;
  readonly #looks: Batcher<Properties>;
  readonly #relisted: Batcher<Properties>;
  #listing: SharedListing | undefined;
  #hasRead = false;
  /** Whether the service filters by ids. True until an answer shows the opposite. */
  #filters = true;
  /** Whether a GET by id has ever succeeded. Until a GET succeeds, a 404 may mean that the service has no such call. */
  #answersById = false;

  constructor(endpoints: Endpoints, profile: Profile, clock: Clock = systemClock) {
    this.#endpoints = endpoints;
    this.#profile = profile;
    this.#clock = clock;
    this.#reads = new Batcher(clock, (ids) => this.#readTogether(ids));
    this.#looks = new Batcher(clock, (ids) => this.current(ids));
    this.#relisted = new Batcher(clock, (ids) => this.#inNewListing(ids));
  }

  /** The deployments that have exactly this name and are not being deleted, from a listing of the last few seconds. */
  async named(name: string): Promise<Properties[]> {
    const alike = await this.alike(name);
    return alike.filter((each) => each.name === name && !isBeingDeleted(each.status));
  }

  /** The deployments with this name in any spelling, from a listing of the last few seconds. */
  async alike(name: string): Promise<Properties[]> {
    const listing = this.#nameListing ?? this.#begin(true);
    await listing.readAll();
    return [...listing.byId.values()].filter((deployment) => this.#hasName(deployment, name));
  }

  /** The deployments of the last shared listing, as far as it has been read. */
  get listed(): readonly Properties[] {
    return [...(this.#listing?.byId.values() ?? [])];
  }

  /** Deployments of the account: those of the shared listing, or of its first page if none is read yet. */
  async some(): Promise<readonly Properties[]> {
    const listing = this.#shared();
    if (listing.byId.size === 0 && !listing.isWhole) await listing.readOn();
    return this.listed;
  }

  /** Whether there is a complete and recent listing, which can prove that a name is free. */
  get knowsNames(): boolean {
    return this.#nameListing?.isWhole === true;
  }

  /** Requests the deployments anew. The service may spell the name in lower case or in another Unicode form. */
  async freshlyNamed(name: string): Promise<Properties[]> {
    const filtered = await this.#spelled(name, queryFor(this.#profile.query.deployments.name, name));
    // If the service has changed the spelling of a name, its filter may not find the program's spelling.
    return filtered.length > 0 || name === folded(name) ? filtered : this.#spelled(name, {});
  }

  async #spelled(name: string, query: { readonly [name: string]: string }): Promise<Properties[]> {
    const deployments = (await Array.fromAsync(this.#endpoints.listDeployments(query))).flat();
    // A service that ignores or widens the filter also returns other names.
    return deployments.filter((deployment) => this.#hasName(deployment, name));
  }

  /** Leaves out preview deployments, because they do not make a name unavailable. */
  #hasName(deployment: Properties, name: string): boolean {
    return (
      sameName(deployment.name, name) &&
      rowsFromWire(deploymentLookUpRows, deployment, this.#profile).isPreview !== true
    );
  }

  /**
   * The deployment, from shared requests. If the shared answers lack the deployment, one request for this id alone
   * shows whether the deployment is gone.
   */
  async byId(id: string): Promise<Properties | undefined> {
    return this.#shared().byId.get(id) ?? (await this.#reads.ask(id)) ?? this.fresh(id);
  }

  /** The deployment as it is now, from a separate request; undefined if the service has no such id. */
  async fresh(id: string): Promise<Properties | undefined> {
    const deployment = await this.#alone(id);
    this.#listing?.note(id, deployment);
    return deployment;
  }

  /** The deployment as it is now, from requests that all simultaneous callers share. */
  look(id: string): Promise<Properties | undefined> {
    return this.#looks.ask(id);
  }

  /**
   * The deployments as they are now. Sends one request per hundred ids, and one request for each id that no answer
   * contains.
   */
  async current(ids: readonly string[]): Promise<DeploymentsById> {
    const deployments = await this.#filtered(ids);
    const unseen = ids.filter((id) => deployments.get(id) === undefined);
    await Promise.all(unseen.map(async (id) => deployments.set(id, await this.fresh(id))));
    return deployments;
  }

  remember(deployment: Properties): void {
    this.#listing?.note(deployment.id as string, deployment);
  }

  /** Call this after a write whose answer does not show the deployment. */
  forget(id: string): void {
    this.#listing?.note(id, undefined);
  }

  /** Reads the shared listing as far as needed. Then requests the missing deployments by id. */
  async #readTogether(ids: readonly string[]): Promise<ReadonlyMap<string, Properties>> {
    const listing = this.#shared();
    if (this.#hasRead || ids.length >= MANY) await listing.readFor(ids, SHARED_PAGES);
    this.#hasRead = true;
    const absentIds = listing.isWhole ? [] : listing.missing(ids);
    // The caller itself requests a single missing id.
    if (absentIds.length > 1)
      for (const [id, deployment] of await this.#filtered(absentIds))
        if (deployment !== undefined) listing.note(id, deployment);
    if (!this.#filters) await listing.readFor(ids);
    return listing.byId;
  }

  /** The deployment from a GET, or from one filtered listing if the service may lack a GET by id. */
  async #alone(id: string): Promise<Properties | undefined> {
    if (this.#profile.capabilities.getDeployment) {
      const deployment = await this.#get(id);
      if (deployment !== undefined || this.#answersById) return deployment;
    }
    const deployment = (await this.#filtered([id])).get(id);
    return deployment === undefined && !this.#filters ? this.#relisted.ask(id) : deployment;
  }

  /** Undefined if there is no such deployment, or no such call. */
  async #get(id: string): Promise<Properties | undefined> {
    try {
      const resource = await this.#endpoints.getDeployment(id);
      this.#answersById = true;
      return resource;
    } catch (error) {
      if (isUnsupported(error)) return undefined;
      throw error;
    }
  }

  /** Filters by up to a hundred ids per request. Returns no deployments if the service does not filter. */
  async #filtered(ids: readonly string[]): Promise<DeploymentsById> {
    const deployments: DeploymentsById = new Map();
    const chunks = Array.from({ length: Math.ceil(ids.length / LARGEST_PAGE) }, (_, index) =>
      ids.slice(index * LARGEST_PAGE, (index + 1) * LARGEST_PAGE),
    );
    if (this.#filters) await Promise.all(chunks.map((chunk) => this.#readFiltered(chunk, deployments)));
    return deployments;
  }

  async #readFiltered(ids: readonly string[], deployments: DeploymentsById): Promise<void> {
    const pending = new Set(ids);
    const query = queryFor(this.#profile.query.deployments.deploymentIds, ids.join(","));
    try {
      for await (const page of this.#endpoints.listDeployments(query)) {
        for (const deployment of page) {
          const id = deployment.id as string;
          if (pending.delete(id)) deployments.set(id, deployment);
          if (!ids.includes(id)) this.#filters = false;
        }
        if (pending.size === 0 || !this.#filters) break;
      }
    } catch (error) {
      if (!isQueryRefused(error)) throw error;
      this.#filters = false;
    }
  }

  async #inNewListing(ids: readonly string[]): Promise<ReadonlyMap<string, Properties>> {
    const listing = this.#begin();
    await listing.readFor(ids);
    return listing.byId;
  }

  get #nameListing(): SharedListing | undefined {
    return this.#listing?.isForNames && !this.#listing.isOld ? this.#listing : undefined;
  }

  #shared(): SharedListing {
    return this.#listing === undefined || this.#listing.isOld ? this.#begin() : this.#listing;
  }

  /** A name listing skips the `maxConcurrency` queue, because creations that await the listing may hold every slot. */
  #begin(isForNames = false): SharedListing {
    const pages = this.#endpoints.listDeployments({}, { withoutTurn: isForNames });
    this.#listing = new SharedListing(pages, this.#clock, isForNames);
    return this.#listing;
  }
}

const folded = (name: string): string => name.normalize("NFC").toLowerCase();

/** Whether the service may have spelled the program's name in this way. */
export const sameName = (spelled: unknown, name: string): boolean => folded(String(spelled)) === folded(name);
