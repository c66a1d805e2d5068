/** Finds deployments by name or id, with as few requests as its callers can share. */
import { type Clock, systemClock } from "../client/clock";
import type { Endpoints } from "../client/endpoints";
import { isQueryRefused, isUnsupported } from "../client/errors";
import { LARGEST_PAGE } from "../client/paging";
import type { Properties } from "../fields/value";
import type { Profile } from "../profiles/profiles";
import { Gathering, SharedListing } from "./sharedListing";

/**
 * After this time others may have created deployments that a listing does not have. A listing is kept this long for
 * each of its pages, since each costs a request to read again, up to a limit.
 */
const LISTING_AGE_MS = 60_000;
const LONGEST_LISTING_AGE_MS = 5 * LISTING_AGE_MS;
/** A listing whose pages are further apart may have lost an entry between them: no proof that a name is free. */
const PAGES_APART_MS = 2_000;
/** Up to this many questions in one moment are all there are: an engine with more to read asks more at once. */
const FEW = 7;
/** A listing of more pages than this may be of a service with many deployments of others. */
const LONG_LISTING_PAGES = 10;
/** After this many requests beside a long listing, reading it to its end is cheaper. */
const MOST_BESIDE_LISTING = 5;

type Found = Map<string, Properties>;

export class Directory {
  readonly #endpoints: Endpoints;
  readonly #profile: Profile;
  readonly #clock: Clock;
  readonly #reads: Gathering<Properties>;
  readonly #looks: Gathering<Properties>;
  readonly #beside: Gathering<Properties>;
  readonly #listed: Gathering<Properties>;
  #listing: SharedListing | undefined;
  /** Whether the service filters by ids: true until an answer shows that it does not. */
  #narrows = true;
  /** Whether a GET by id has ever answered: before that, "not found" may be about the GET itself. */
  #answersById = false;
  /** Requests for deployments that the shared listing did not have. */
  #askedBeside = 0;

  constructor(endpoints: Endpoints, profile: Profile, clock: Clock = systemClock) {
    this.#endpoints = endpoints;
    this.#profile = profile;
    this.#clock = clock;
    this.#reads = new Gathering(clock, (ids) => this.#readTogether(ids), FEW + 1);
    this.#looks = new Gathering(clock, (ids) => this.current(ids));
    this.#beside = new Gathering(clock, (ids) => this.#besideListing(ids));
    this.#listed = new Gathering(clock, (ids) => this.#inListings(ids));
  }

  /** The deployments of exactly that name in the shared listing. */
  async named(name: string): Promise<Properties[]> {
    const listing = this.#sharedAtOnce();
    await this.#reading(listing, () => listing.readAll());
    return [...listing.byId.values()].filter((deployment) => deployment.name === name);
  }

  /** The deployment, from what all callers share. Only a look-up of its own proves that it is gone. */
  async byId(id: string): Promise<Properties | undefined> {
    const listing = this.#shared();
    const known = listing.find(id) ?? (await Promise.race([listing.arrival(id), this.#reads.ask(id)]));
    if (known !== undefined || this.#profile.capabilities.getDeployment) return known ?? this.fresh(id);
    // Together with all others that the listing does not have.
    const found = await this.look(id);
    this.#listing?.note(id, found);
    return found;
  }

  /** The deployment as it is now, or undefined when the service has none of that id. */
  async fresh(id: string): Promise<Properties | undefined> {
    const { getDeployment } = this.#profile.capabilities;
    const found = getDeployment ? await this.#alone(id) : (await this.current([id])).get(id);
    this.#listing?.note(id, found);
    return found;
  }

  /** A profile may promise a GET that the service does not have: then the listings of this moment tell. */
  async #alone(id: string): Promise<Properties | undefined> {
    return (await this.#get(id)) ?? (this.#answersById ? undefined : this.#listed.ask(id));
  }

  /** The same, together with all others that are looked up in this moment. */
  look(id: string): Promise<Properties | undefined> {
    return this.#looks.ask(id);
  }

  /**
   * Whether a look at a deployment that does not show it proves that there is none. Where the service does not keep to
   * the filter of ids a look is a listing, and an entry that moves while pages are read is overlooked.
   */
  get provesAbsence(): boolean {
    return this.#answersById || this.#narrows;
  }

  /** Those of the ids that the service has now: one request for each hundred ids, or for each page of the listing. */
  async current(ids: readonly string[]): Promise<Found> {
    const found = await this.#inListings(ids);
    await this.#lookAtEach(
      ids.filter((id) => !found.has(id)),
      found,
    );
    return found;
  }

  async #inListings(ids: readonly string[]): Promise<Found> {
    const found = await this.#narrowed(ids);
    if (found.size < ids.length && !this.#narrows) {
      const listing = new SharedListing(this.#endpoints.listDeployments(), this.#clock);
      await listing.readFor(ids.filter((id) => !found.has(id)));
      for (const id of ids) if (listing.byId.has(id)) found.set(id, listing.byId.get(id) as Properties);
    }
    return found;
  }

  /**
   * A listing with other entries may have overlooked it: only an empty answer, or a look-up of its own, proves that a
   * deployment is gone.
   */
  async #lookAtEach(missing: readonly string[], found: Found): Promise<void> {
    const { getDeployment } = this.#profile.capabilities;
    if (!getDeployment && (found.size === 0 || !this.#narrows)) return;
    for (const id of missing) {
      const deployment = getDeployment ? await this.#get(id) : (await this.#narrowed([id])).get(id);
      if (deployment !== undefined) found.set(id, deployment);
    }
  }

  /** The deployments of exactly that name as they are now. */
  async freshlyNamed(name: string): Promise<Properties[]> {
    // By id: an entry that moves while the pages are read is answered twice.
    const found = new Map<unknown, Properties>();
    const query = { [this.#profile.query.deployments.name as string]: name };
    // A service that ignores or widens the filter answers others too; they are left out here.
    for await (const page of this.#endpoints.listDeployments(query)) {
      for (const deployment of page) if (deployment.name === name) found.set(deployment.id, deployment);
    }
    return [...found.values()];
  }

  /** Notes what a write answered. */
  remember(deployment: Properties): void {
    this.#listing?.note(deployment.id as string, deployment);
  }

  /**
   * A few ids are asked for by themselves; more are found in the listing, unless that turns out to be long and to hold
   * few of them: then those that its first pages do not have are asked for by themselves. Whom a page has is answered
   * at once; this answers the others.
   */
  async #readTogether(ids: readonly string[]): Promise<Found> {
    const listing = this.#shared();
    await this.#reading(listing, () => this.#readOn(listing, ids));
    const missing = listing.isWhole ? [] : listing.missing(ids);
    const { getDeployment } = this.#profile.capabilities;
    // One that is missing alone may be asked for as such, where the service can be: whoever wants it does.
    if (missing.length > 1 || !getDeployment) await Promise.all(missing.map((id) => this.#beside.ask(id)));
    else this.#askedBeside += missing.length;
    // Where a look at a single one proves it, that is all that is left to do. Else that none came is not for a filter
    // to say whose name the contract leaves open.
    if (!getDeployment) await this.#reading(listing, () => listing.readFor(ids));
    return new Map(
      ids.flatMap((id) => (listing.byId.has(id) ? [[id, listing.byId.get(id) as Properties]] : [])),
    );
  }

  /** Reads the listing as long as that costs fewer requests than to ask for the missing ones. */
  async #readOn(listing: SharedListing, ids: readonly string[]): Promise<void> {
    const areFew = listing.missing(ids).length <= FEW;
    const isFirst = listing.pagesRead === 0 && !listing.isBeingRead && this.#askedBeside === 0;
    const pages = !areFew ? listing.pagesRead + LONG_LISTING_PAGES : isFirst ? 0 : LONG_LISTING_PAGES;
    while (!listing.isWhole && listing.missing(ids).length > 0) {
      const isSparse = listing.served <= listing.pagesRead && this.#askedBeside < MOST_BESIDE_LISTING;
      if (listing.pagesRead >= pages && isSparse) return;
      await listing.readFor(ids, 1);
    }
  }

  async #besideListing(ids: readonly string[]): Promise<Found> {
    const listing = this.#shared();
    this.#askedBeside += 1;
    const found = await this.#narrowed(ids);
    for (const [id, deployment] of found) listing.note(id, deployment);
    return found;
  }

  /** What listings filtered by these ids answer; nothing once the service is known not to filter by ids. */
  async #narrowed(ids: readonly string[]): Promise<Found> {
    const found: Found = new Map();
    const chunks = Array.from({ length: Math.ceil(ids.length / LARGEST_PAGE) }, (_, index) =>
      ids.slice(index * LARGEST_PAGE, (index + 1) * LARGEST_PAGE),
    );
    if (this.#narrows) await Promise.all(chunks.map((chunk) => this.#readNarrowed(chunk, found)));
    return found;
  }

  async #readNarrowed(ids: readonly string[], found: Found): Promise<void> {
    const left = new Set(ids);
    const query = { [this.#profile.query.deployments.deploymentIds as string]: ids.join(",") };
    try {
      for await (const page of this.#endpoints.listDeployments(query)) {
        for (const deployment of page) {
          const id = deployment.id as string;
          if (left.delete(id)) found.set(id, deployment);
          else if (!found.has(id)) this.#narrows = false;
        }
        if (left.size === 0 || !this.#narrows) return;
      }
    } catch (error) {
      if (!isQueryRefused(error)) throw error;
      this.#narrows = false;
    }
  }

  #shared(): SharedListing {
    const known = this.#listing;
    if (known !== undefined && this.#clock.now() - known.startedAt <= longestAgeOf(known)) return known;
    this.#listing = new SharedListing(this.#endpoints.listDeployments(), this.#clock);
    return this.#listing;
  }

  /** The same, but none of its pages is much older than the next one. */
  #sharedAtOnce(): SharedListing {
    const listing = this.#shared();
    const isLeft = !listing.isWhole && !listing.isBeingRead;
    if (isLeft && this.#clock.now() - listing.readAt > PAGES_APART_MS) this.#listing = undefined;
    return this.#shared();
  }

  /** A listing that failed is dropped: the next caller reads a new one. */
  async #reading(listing: SharedListing, read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (this.#listing === listing) this.#listing = undefined;
      throw error;
    }
  }

  async #get(id: string): Promise<Properties | undefined> {
    try {
      const { resource } = await this.#endpoints.getDeployment(id);
      this.#answersById = true;
      return resource;
    } catch (error) {
      if (isUnsupported(error)) return undefined;
      throw error;
    }
  }
}

function longestAgeOf(listing: SharedListing): number {
  const pages = Math.max(1, Math.ceil(listing.byId.size / LARGEST_PAGE));
  return Math.min(pages * LISTING_AGE_MS, LONGEST_LISTING_AGE_MS);
}
