/** Lists, page by page. */
import { isProperties, type Properties } from "../fields/value";
import { entryFault } from "./entry";
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
      if (fault !== undefined) throw new UnexpectedAnswerError(place, `with an entry ${fault}`);
    }
    return { resources: body.resources, offset: typeof body.offset === "number" ? body.offset : Number.NaN };
  }
  throw new UnexpectedAnswerError(place, "with no page: expected {resources: [...], offset}");
}

/** What a process has learnt of a service's pages. */
export interface PageMemory {
  /** The largest page that was as full as was asked for: the service has no smaller cap of its own. */
  largestFullPage: number;
}

/**
 * All entries of a list. Stops at an empty page and at one that does not advance. A page that holds fewer than asked
 * for is the last one only if the service is known not to cap its pages below `limit`; otherwise one more request
 * makes sure, since an entry that is overlooked would be created a second time.
 */
export async function* allPages(
  fetchPage: (limit: number, offset: number) => Promise<Page>,
  shortPageIsLast: boolean,
  memory: PageMemory,
  start = 0,
  limit = LARGEST_PAGE,
): AsyncGenerator<readonly Properties[]> {
  let offset = start;
  for (;;) {
    const page = await fetchPage(limit, offset);
    if (page.resources.length === 0) return;
    yield page.resources;
    if (page.resources.length >= limit) memory.largestFullPage = Math.max(memory.largestFullPage, limit);
    else if (shortPageIsLast || memory.largestFullPage >= limit) return;
    // The answered offset is passed on; a service that answers none is paged by counting.
    const next = Number.isNaN(page.offset) ? offset + page.resources.length : page.offset;
    if (next <= offset) return;
    offset = next;
  }
}
