/** Which revision was a deployment's latest just before it was written to: one listing tells it of a hundred. */
import type { Clock } from "../client/clock";
import { LARGEST_PAGE } from "../client/paging";
import type { Properties } from "../fields/value";
import type { Directory } from "./directory";
import type { Found } from "./looks";
import { Gathering } from "./sharedListing";

/** What was listed so shortly before a write is what the write met. Where times are told to the second, a look tells it no better. */
const FRESH_MS = 1_500;

interface Sight {
  readonly latest: unknown;
  /** When the listing was asked for. */
  readonly at: number;
}

export class LatestRevisions {
  readonly #directory: Directory;
  readonly #clock: Clock;
  readonly #looks: Gathering<Properties>;
  readonly #sights = new Map<string, Sight>();
  readonly #planned: Set<string>;

  /** `planned`: ids of the deployments that will be asked for; who is asked for is taken out. */
  constructor(directory: Directory, planned: Set<string>, clock: Clock) {
    this.#directory = directory;
    this.#planned = planned;
    this.#clock = clock;
    this.#looks = new Gathering(clock, (ids) => this.current(ids));
  }

  /** The latest revision, null where there is none; undefined where no listing tells it. */
  async before(id: string): Promise<unknown> {
    this.#planned.delete(id);
    const known = this.#fresh(id);
    if (known !== undefined || !this.#directory.narrows) return known;
    const look: Promise<unknown> = this.#planned.size > 0 ? this.#looks.ask(id) : this.current([id]);
    // The write itself tells what is wrong with the service.
    await look.catch(() => undefined);
    return this.#fresh(id);
  }

  /** The deployments of these ids as they are now. What the requests have room for is filled with planned ones. */
  async current(ids: readonly string[]): Promise<Found> {
    const [at, asked] = [this.#clock.now(), this.#filledUp(ids)];
    const found = await this.#directory.current(asked);
    for (const id of asked) {
      const told = found.get(id);
      // Each that is missing costs a look of its own, every time.
      if (told === undefined || told instanceof Error) this.#planned.delete(id);
      else this.#sights.set(id, { latest: told.latest_revision_id, at });
    }
    return found;
  }

  #fresh(id: string): unknown {
    const sight = this.#sights.get(id);
    return sight !== undefined && this.#clock.now() - sight.at <= FRESH_MS ? sight.latest : undefined;
  }

  #filledUp(ids: readonly string[]): readonly string[] {
    if (this.#planned.size === 0 || !this.#directory.narrows) return ids;
    const room = Math.ceil(ids.length / LARGEST_PAGE) * LARGEST_PAGE - ids.length;
    const asked = new Set(ids);
    const others = [...this.#planned].filter((id) => !asked.has(id));
    return [...ids, ...others.slice(0, room)];
  }
}
