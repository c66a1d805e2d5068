/** Looks at deployments by their ids, as they are now. */
import type { Clock } from "../client/clock";
import type { Endpoints } from "../client/endpoints";
import { isQueryRefused, isUnsupported, UnexpectedAnswerError } from "../client/errors";
import { LARGEST_PAGE, type LeaveOut } from "../client/paging";
import type { Properties } from "../fields/value";
import type { Profile } from "../profiles/profiles";
import { LeftOut } from "./leftOut";
import { SharedListing } from "./sharedListing";

/** An error where it cannot be told whether the service has it. */
export type Found = Map<string, Properties | Error>;

export class Looks {
  readonly #endpoints: Endpoints;
  readonly #profile: Profile;
  readonly #clock: Clock;
  readonly #leaveOut: LeaveOut;
  /** Whether the service filters by ids: true until an answer shows that it does not. */
  #narrows = true;
  /** Whether a GET by id has ever answered: before that, "not found" may be about the GET itself. */
  #answersById = false;

  /** `leaveOut` is handed each entry of a listing that cannot be read. */
  constructor(endpoints: Endpoints, profile: Profile, clock: Clock, leaveOut: LeaveOut) {
    this.#endpoints = endpoints;
    this.#profile = profile;
    this.#clock = clock;
    this.#leaveOut = leaveOut;
  }

  get answersById(): boolean {
    return this.#answersById;
  }

  /** Whether listings keep to a filter of ids, as far as is known. */
  get narrows(): boolean {
    return this.#narrows;
  }

  /**
   * Whether a look at a deployment that does not show it proves that there is none. Where the service does not keep to
   * the filter of ids a look is a listing, and an entry that moves while pages are read is overlooked.
   */
  get provesAbsence(): boolean {
    return this.#answersById || this.#narrows;
  }

  /** Those of the ids that the service has now: one request for each hundred ids, or for each page of the listing. */
  async at(ids: readonly string[]): Promise<Found> {
    const found = await this.inListings(ids);
    await this.#lookAtEach(unread(ids, found), found);
    return found;
  }

  /** The same, by listings alone. */
  async inListings(ids: readonly string[]): Promise<Found> {
    const found = await this.narrowed(ids);
    const missing = unread(ids, found);
    if (missing.length > 0 && !this.#narrows) {
      const listing = this.newListing();
      await listing.readFor(missing);
      for (const id of missing) setFound(found, id, listing.byId.get(id) ?? listing.leftOut.whyNotGone(id));
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
      const told = getDeployment ? await this.#got(id) : (await this.narrowed([id])).get(id);
      // What proves nothing leaves the doubt.
      const isProof = getDeployment ? this.#answersById : this.#narrows;
      if (told !== undefined || isProof) setFound(found, id, told);
    }
  }

  /** The same as `get`, with an answer that cannot be read as its result. */
  #got(id: string): Promise<Properties | Error | undefined> {
    return this.get(id).catch((error: unknown) => {
      if (error instanceof UnexpectedAnswerError) return error;
      throw error;
    });
  }

  /** What listings filtered by these ids answer; nothing once the service is known not to filter by ids. */
  async narrowed(ids: readonly string[]): Promise<Found> {
    const found: Found = new Map();
    const chunks = Array.from({ length: Math.ceil(ids.length / LARGEST_PAGE) }, (_, index) =>
      ids.slice(index * LARGEST_PAGE, (index + 1) * LARGEST_PAGE),
    );
    if (this.#narrows) await Promise.all(chunks.map((chunk) => this.#readNarrowed(chunk, found)));
    return found;
  }

  async #readNarrowed(ids: readonly string[], found: Found): Promise<void> {
    const left = new Set(ids);
    const leftOut = new LeftOut(this.#leaveOut);
    const query = { [this.#profile.query.deployments.deploymentIds as string]: ids.join(",") };
    try {
      for await (const page of this.#endpoints.listDeployments(query, {}, leftOut.take)) {
        for (const deployment of page) {
          const id = deployment.id as string;
          if (left.delete(id)) found.set(id, deployment);
          else if (!found.has(id)) this.#narrows = false;
        }
        if (left.size === 0 || !this.#narrows) break;
      }
    } catch (error) {
      if (!isQueryRefused(error)) throw error;
      this.#narrows = false;
    }
    for (const id of left) setFound(found, id, leftOut.whyNotGone(id));
  }

  /** A listing of all, which is read page by page. */
  newListing(): SharedListing {
    const pages = (leaveOut: LeaveOut) => this.#endpoints.listDeployments({}, {}, leaveOut);
    return new SharedListing(pages, this.#clock, this.#leaveOut);
  }

  /** What a GET answers; undefined where there is none, or no such call. */
  async get(id: string): Promise<Properties | undefined> {
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

/** Those of the ids of which nothing is known yet, or only why nothing can be told. */
const unread = (ids: readonly string[], found: Found): string[] =>
  ids.filter((id) => !found.has(id) || found.get(id) instanceof Error);

/** Notes what a listing tells of it; undefined: it is gone. */
function setFound(found: Found, id: string, told: Properties | Error | undefined): void {
  if (told === undefined) found.delete(id);
  else found.set(id, told);
}

/** Without those of which it cannot be told. */
export const readable = (found: Found): Map<string, Properties> =>
  new Map([...found].flatMap(([id, told]) => (told instanceof Error ? [] : [[id, told]])));
