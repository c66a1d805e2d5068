/** A list as a script reads it: entry by entry with `for await`, or awaited as a whole. */
import type { Properties } from "../fields/value";
import { LARGEST_PAGE } from "./paging";

export interface Range {
  /** Entries to leave out at the beginning: the service's own count, before anything is narrowed here. */
  offset?: number;
  /** Most entries in all. */
  limit?: number;
  /** Entries asked for with one request, 1 to 100. */
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
