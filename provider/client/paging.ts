/** Reads lists from the service page by page, and passes the entries to a script one by one. */
import { ARGUMENTS, issuesIn, schemaOfRows } from "../schema/check";
import { rangeRows } from "../schema/filters";
import { computed, type Kind, type ValuesOf } from "../schema/kind";
import { canonicalId, isProperties, type Properties } from "../schema/value";
import { isSegment, plainResource } from "./answer";
import { type RequestPlace, UnexpectedAnswerError } from "./errors";

export const LARGEST_PAGE = 100;

export interface Page {
  readonly resources: readonly Properties[];
  readonly offset: number;
}

/** The page in an answer. Throws an UnexpectedAnswerError if there is no page, or if an entry is unreadable. */
export function pageIn(
  body: unknown,
  place: RequestPlace,
  faultOf: (entry: Properties) => string | undefined,
): Page {
  if (!isProperties(body) || !Array.isArray(body.resources) || !body.resources.every(isProperties))
    throw new UnexpectedAnswerError(place, "with no page: expected {resources: [...], offset}");
  for (const [index, entry] of body.resources.entries()) {
    const fault = faultOf(entry);
    if (fault === undefined) continue;
    const id = isSegment(entry.id) ? canonicalId(entry.id) : undefined;
    throw new UnexpectedAnswerError(place, `with an entry ${whichEntry({ ...entry, id }, index)} ${fault}`);
  }
  const { resources, offset } = body;
  return {
    resources: resources.map(plainResource),
    offset: typeof offset === "number" ? offset : Number.NaN,
  };
}

/** Identifies an entry by its id and its names. An entry that has neither is identified by its position. */
export function whichEntry(entry: Properties, index: number): string {
  const labels = ["id", "owner", "name", "compute_id", "computeId"].flatMap((key) => {
    const value = entry[key];
    if (typeof value !== "string") return [];
    return [`${key} ${key === "id" ? value : JSON.stringify(value)}`];
  });
  return labels.length === 0 ? `(number ${index + 1} of its list)` : `(${labels.join(", ")})`;
}

/** Facts that this process has learned about a list's page size. */
export interface PageMemory {
  /** The largest `limit` that filled a page. The service's cap on the page size is at least as large. */
  largestFullPage: number;
}

/**
 * Maximum number of consecutive pages that have no new entry. A few such pages are normal, because entries can be
 * created between two reads. If there are more, the service ignores the offset.
 */
const MOST_STALE_PAGES = 3;
/** Maximum number of pages in a list, enough for a million entries. A list with more pages counts as endless. */
const MOST_PAGES = 10_000;

export interface PageSource {
  readonly fetch: (limit: number, offset: number) => Promise<Page>;
  /** The error for a list that has no end. */
  readonly endless: () => Error;
  /** Whether the service is known not to cap the page size, so that a short page is always the last page. */
  readonly shortPageIsLast: boolean;
  readonly memory: PageMemory;
}

export interface PageRange {
  readonly offset?: number | undefined;
  readonly pageSize?: number | undefined;
  readonly withoutTurn?: boolean;
}

/**
 * All entries of a list, without duplicates. Sends one more request after a short page if the service may cap the page
 * size. Without that request, a deployment could be missed and created a second time.
 */
export async function* allPages(
  { fetch, endless, shortPageIsLast, memory }: PageSource,
  { offset: start = 0, pageSize: limit = LARGEST_PAGE }: PageRange = {},
): AsyncGenerator<readonly Properties[]> {
  let offset = start;
  let stale = 0;
  const ids = new Set<unknown>();
  for (let pages = 0; ; pages += 1) {
    if (pages >= MOST_PAGES) throw endless();
    const page = await fetch(limit, offset);
    const count = page.resources.length;
    if (count === 0) return;
    yield page.resources.filter(({ id }) => !ids.has(id));
    const previousCount = ids.size;
    for (const { id } of page.resources) ids.add(id);
    stale = ids.size === previousCount ? stale + 1 : 0;
    // If full pages repeat only known entries, the service may have more entries that it does not return.
    const isHiding = stale > 0 && count >= limit;
    if (stale >= MOST_STALE_PAGES && !isHiding) return;
    if (count >= limit) memory.largestFullPage = Math.max(memory.largestFullPage, limit);
    else if (shortPageIsLast || memory.largestFullPage >= limit) return;
    // If the service returned no offset, the next page begins after the entries of this page.
    const next = Number.isNaN(page.offset) ? offset + count : page.offset;
    const isLast = next <= offset;
    if (isHiding && (isLast || stale >= MOST_STALE_PAGES)) throw endless();
    if (isLast) return;
    offset = next;
  }
}

/** The part of a list to read. */
export interface Range extends ValuesOf<typeof rangeRows> {
  /** Maximum number of entries in one page, 1 to 100. */
  pageSize?: number;
}

/** A list that reads only as many pages as its reader needs. Each iteration sends the requests again. */
export class Listing<T> implements AsyncIterable<T>, PromiseLike<T[]> {
  readonly #read: () => AsyncIterable<T>;

  constructor(read: () => AsyncIterable<T>) {
    this.#read = read;
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    return this.#read()[Symbol.asyncIterator]();
  }

  /** Makes `await client.listDeployments()` return all entries. */
  // biome-ignore lint/suspicious/noThenProperty: programs must be able to await a list.
  then<A = T[], B = never>(
    fulfilled?: ((entries: T[]) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return Array.fromAsync(this).then(fulfilled, rejected);
  }
}

const PAGE_SIZE: Kind<number> = { type: "integer", minimum: 1, maximum: LARGEST_PAGE };
const RANGE = schemaOfRows({ ...rangeRows, pageSize: computed(PAGE_SIZE) }, ARGUMENTS);

/** Throws a RangeError if an option is out of bounds. The error names the option. */
export function checkRange(range: Range): void {
  const [issue] = issuesIn(RANGE, range);
  if (issue === undefined) return;
  const { path, input, message } = issue;
  const got = typeof input === "string" ? JSON.stringify(input) : input;
  throw new RangeError(`${String(path[0])}: got ${got}; allowed: ${message}`);
}

export async function* entriesOf<T>(
  pages: AsyncIterable<readonly Properties[]> | Iterable<Promise<readonly Properties[]>>,
  keeps: (entry: Properties) => boolean,
  convert: (entry: Properties) => T,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<T> {
  let room = limit;
  for await (const page of pages) {
    for (const entry of page.filter(keeps)) {
      yield convert(entry);
      room -= 1;
      if (room <= 0) return;
    }
  }
}
