/** Lists: page by page from the service, entry by entry for a script. */
import type { rangeRows } from "../fields/filters";
import type { ValuesOf } from "../fields/kind";
import { canonicalId, isProperties, type Properties } from "../fields/value";
import { isSegment, withPlainIds } from "./answer";
import { type RequestPlace, UnexpectedAnswerError } from "./errors";

export const LARGEST_PAGE = 100;

export interface Page {
  readonly resources: readonly Properties[];
  readonly offset: number;
  /** How many more entries it has, which could not be read. */
  readonly leftOut: number;
}

/** An entry of a list that is none of the contract. */
export interface Unreadable {
  /** Undefined where it has none by which it could be asked for. */
  readonly id: string | undefined;
  /** Undefined where it has none. */
  readonly name: string | undefined;
  readonly fault: UnexpectedAnswerError;
}

/** Is handed an entry that could not be read, which the list then leaves out. */
export type LeaveOut = (entry: Unreadable) => void;

const refuse: LeaveOut = ({ fault }) => {
  throw fault;
};

/** The page in an answer, or an UnexpectedAnswerError. One entry that cannot be read is an error unless it may be left out. */
export function pageIn(
  body: unknown,
  place: RequestPlace,
  faultOf: (entry: Properties) => string | undefined,
  leaveOut: LeaveOut = refuse,
): Page {
  if (!isProperties(body) || !Array.isArray(body.resources) || !body.resources.every(isProperties))
    throw new UnexpectedAnswerError(place, "with no page: expected {resources: [...], offset}");
  const resources = body.resources.filter((entry) => {
    const fault = faultOf(entry);
    if (fault !== undefined) leaveOut(unreadable(entry, fault, place));
    return fault === undefined;
  });
  return {
    resources: resources.map(withPlainIds),
    offset: typeof body.offset === "number" ? body.offset : Number.NaN,
    leftOut: body.resources.length - resources.length,
  };
}

function unreadable(entry: Properties, fault: string, place: RequestPlace): Unreadable {
  const id = isSegment(entry.id) ? canonicalId(entry.id) : undefined;
  const name = typeof entry.name === "string" ? entry.name : undefined;
  // Which of perhaps hundreds it is, so that it can be looked at.
  const known = [
    ...(id === undefined ? [] : [`id ${id}`]),
    ...(name === undefined ? [] : [`name ${JSON.stringify(name)}`]),
  ];
  const which = known.length === 0 ? "" : `(${known.join(", ")}) `;
  return { id, name, fault: new UnexpectedAnswerError(place, `with an entry ${which}${fault}`) };
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
    const count = page.resources.length + page.leftOut;
    if (count === 0) return;
    yield page.resources;
    const known = seen.size;
    for (const { id } of page.resources) seen.add(id);
    stale = seen.size === known ? stale + 1 : 0;
    if (stale >= MOST_STALE_PAGES) return;
    if (count >= limit) memory.largestFullPage = Math.max(memory.largestFullPage, limit);
    else if (shortPageIsLast || memory.largestFullPage >= limit) return;
    // The answered offset is passed on; a service that answers none is paged by counting.
    const next = Number.isNaN(page.offset) ? offset + count : page.offset;
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
