/** Finds deployments by name or id, with as few requests as its callers can share. */
import { type Clock, systemClock } from "../client/clock";
import type { Endpoints } from "../client/endpoints";
import type { LeaveOut } from "../client/paging";
import type { Properties } from "../fields/value";
import type { Profile } from "../profiles/profiles";
import { unlessNamed } from "./leftOut";
import { type Found, Looks, readable } from "./looks";
import { Gathering, type SharedListing } from "./sharedListing";

/** A listing whose pages are further apart may have lost an entry between them: no proof that a name is free. */
const PAGES_APART_MS = 2_000;
/** Up to this many questions in one moment are all there are: an engine with more to read asks more at once. */
const FEW = 7;
/** A listing of more pages than this may be of a service with many deployments of others. */
const LONG_LISTING_PAGES = 10;
/** After this many requests beside a long listing, reading it to its end is cheaper. */
const MOST_BESIDE_LISTING = 5;

export class Directory {
  readonly #endpoints: Endpoints;
  readonly #profile: Profile;
  readonly #clock: Clock;
  readonly #alone: Looks;
  readonly #reads: Gathering<Properties>;
  readonly #looks: Gathering<Properties>;
  readonly #beside: Gathering<Properties>;
  readonly #listed: Gathering<Properties>;
  #listing: SharedListing | undefined;
  /** Requests for deployments that the shared listing did not have. */
  #askedBeside = 0;

  /** `leaveOut` is handed each entry of a listing that cannot be read. */
  constructor(
    endpoints: Endpoints,
    profile: Profile,
    clock: Clock = systemClock,
    leaveOut: LeaveOut = () => undefined,
  ) {
    this.#endpoints = endpoints;
    this.#profile = profile;
    this.#clock = clock;
    this.#alone = new Looks(endpoints, profile, clock, leaveOut);
    this.#reads = new Gathering(clock, (ids) => this.#readTogether(ids), FEW + 1);
    this.#looks = new Gathering(clock, (ids) => this.#alone.at(ids));
    this.#beside = new Gathering(clock, (ids) => this.#besideListing(ids));
    this.#listed = new Gathering(clock, (ids) => this.#alone.inListings(ids));
  }

  /** The deployments of exactly that name in the shared listing. */
  async named(name: string): Promise<Properties[]> {
    const listing = this.#sharedAtOnce();
    await this.#reading(listing, () => listing.readAll());
    const doubt = listing.leftOut.whyNotFree(name, (id) => listing.byId.has(id));
    if (doubt !== undefined) throw doubt;
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
    const found = getDeployment ? await this.#got(id) : (await this.current([id])).get(id);
    if (found instanceof Error) throw found;
    this.#listing?.note(id, found);
    return found;
  }

  /** A profile may promise a GET that the service does not have: then the listings of this moment tell. */
  async #got(id: string): Promise<Properties | undefined> {
    return (await this.#alone.get(id)) ?? (this.#alone.answersById ? undefined : this.#listed.ask(id));
  }

  /** The same, together with all others that are looked up in this moment. */
  look(id: string): Promise<Properties | undefined> {
    return this.#looks.ask(id);
  }

  /** Whether a look at a deployment that does not show it proves that there is none. */
  get provesAbsence(): boolean {
    return this.#alone.provesAbsence;
  }

  /** Whether listings keep to a filter of ids, as far as is known. */
  get narrows(): boolean {
    return this.#alone.narrows;
  }

  /** Those of the ids that the service has now: one request for each hundred ids, or for each page of the listing. */
  current(ids: readonly string[]): Promise<Found> {
    return this.#alone.at(ids);
  }

  /** The deployments of exactly that name as they are now. */
  async freshlyNamed(name: string): Promise<Properties[]> {
    // By id: an entry that moves while the pages are read is answered twice.
    const found = new Map<unknown, Properties>();
    const query = { [this.#profile.query.deployments.name as string]: name };
    // A service that ignores or widens the filter answers others too; they are left out here.
    for await (const page of this.#endpoints.listDeployments(query, {}, unlessNamed(name))) {
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
  async #readTogether(ids: readonly string[]): Promise<Map<string, Properties>> {
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

  async #besideListing(ids: readonly string[]): Promise<Map<string, Properties>> {
    const listing = this.#shared();
    this.#askedBeside += 1;
    const found = readable(await this.#alone.narrowed(ids));
    for (const [id, deployment] of found) listing.note(id, deployment);
    return found;
  }

  #shared(): SharedListing {
    const known = this.#listing;
    if (known !== undefined && !known.isOld) return known;
    this.#listing = this.#alone.newListing();
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
}
