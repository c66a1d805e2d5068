/** Lists: page by page from the service, entry by entry for a script. */
import type { rangeRows } from "../fields/filters";
import type { ValuesOf } from "../fields/kind";
import { isProperties, type Properties } from "../fields/value";
import { entryFault, isSegment } from "./answer";
import { type RequestPlace, UnexpectedAnswerError } from "./errors";

export const LARGEST_PAGE = 100;

export interface Page {
  readonly resources: readonly Properties[];
  readonly offset: number;
}

/** The page in an answer, or an UnexpectedAnswerError. */
export function pageIn(body: unknown, place: RequestPlace): Page {
  if (isProperties(body) && Array.isArray(body.resources) && body.resources.every(isProperties)) {
    for (const entry of body.resources as Properties[]) {
      const fault = entryFault(entry);
      if (fault !== undefined)
        throw new UnexpectedAnswerError(place, `with an entry ${nameOf(entry)}${fault}`);
    }
    return { resources: body.resources, offset: typeof body.offset === "number" ? body.offset : Number.NaN };
  }
  throw new UnexpectedAnswerError(place, "with no page: expected {resources: [...], offset}");
}

/** Which of perhaps hundreds it is, so that it can be looked at. */
function nameOf({ id, name }: Properties): string {
  if (!isSegment(id)) return "";
  return typeof name === "string" ? `(id ${id}, name ${JSON.stringify(name)}) ` : `(id ${id}) `;
}

/** What a process knows of the pages of a list. */
export interface PageMemory {
  /** The largest page that came back full: the service has no smaller cap of its own. */
  largestFullPage: number;
}

/** A service that pushes entries on while it is read repeats some; one that repeats whole pages ignores the offset. */
const MOST_STALE_PAGES = 3;
/** A million entries in pages of a hundred: a list that goes on beyond has no end. */
const MOST_PAGES = 10_000;

/**
 * All entries of a list. Stops at an empty page, at one that does not advance, and where pages hold nothing new. A page that holds fewer than asked
 * for is the last one only if the service is known not to cap its pages below `limit`; otherwise one more request
 * makes sure, since an entry that is overlooked would be created a second time.
 */
export async function* allPages(
  fetchPage: (limit: number, offset: number, isBeyond: boolean) => Promise<Page>,
  shortPageIsLast: boolean,
  memory: PageMemory,
  start = 0,
  limit = LARGEST_PAGE,
): AsyncGenerator<readonly Properties[]> {
  let offset = start;
  let stale = 0;
  const seen = new Set<unknown>();
  for (let pages = 0; ; pages += 1) {
    const page = await fetchPage(limit, offset, pages >= MOST_PAGES);
    if (page.resources.length === 0) return;
    yield page.resources;
    const known = seen.size;
    for (const { id } of page.resources) seen.add(id);
    stale = seen.size === known ? stale + 1 : 0;
    if (stale >= MOST_STALE_PAGES) return;
    if (page.resources.length >= limit) memory.largestFullPage = Math.max(memory.largestFullPage, limit);
    else if (shortPageIsLast || memory.largestFullPage >= limit) return;
    // The answered offset is passed on; a service that answers none is paged by counting.
    const next = Number.isNaN(page.offset) ? offset + page.resources.length : page.offset;
    if (next <= offset) return;
    offset = next;
  }
}

export interface Range extends ValuesOf<typeof rangeRows> {
  /** Entries in one request, 1 to 100. */
  pageSize?: number;
}

/** Reads no more pages than its reader needs. Each reading sends its requests anew. */
export class Listing<T> implements AsyncIterable<T>, PromiseLike<T[]> {
  readonly #read: () => AsyncIterable<T>;

  constructor(read: () => AsyncIterable<T>) {
    this.#read = read;
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    return this.#read()[Symbol.asyncIterator]();
  }

  /** All entries. */
  async toArray(): Promise<T[]> {
    const entries: T[] = [];
    for await (const entry of this) entries.push(entry);
    return entries;
  }

  /** `await client.listDeployments()` gives all entries. */
  // biome-ignore lint/suspicious/noThenProperty: that a list can be awaited is the point.
  then<A = T[], B = never>(
    fulfilled?: ((entries: T[]) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.toArray().then(fulfilled, rejected);
  }
}

/** Throws a RangeError that names the setting. */
export function checkRange({ offset, limit, pageSize }: Range): void {
  check("offset", offset, 0, Number.MAX_SAFE_INTEGER);
  check("limit", limit, 1, Number.MAX_SAFE_INTEGER);
  check("pageSize", pageSize, 1, LARGEST_PAGE);
}

function check(setting: string, value: unknown, minimum: number, maximum: number): void {
  if (value === undefined) return;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= minimum && value <= maximum)
    return;
  const most =
    maximum === Number.MAX_SAFE_INTEGER ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
  throw new RangeError(
    `${setting}: got ${typeof value === "string" ? JSON.stringify(value) : value}; allowed: an integer ${most}`,
  );
}

/** The entries of the pages that are kept, no more than the limit. */
export async function* entriesOf<T>(
  pages: AsyncIterable<readonly Properties[]>,
  keeps: (entry: Properties) => boolean,
  convert: (entry: Properties) => T,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<T> {
  let left = limit;
  for await (const page of pages) {
    for (const entry of page.filter(keeps)) {
      yield convert(entry);
      left -= 1;
      if (left <= 0) return;
    }
  }
}
