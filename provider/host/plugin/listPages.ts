/**
 * The pages of a list, oldest entry first. A continuation token names the last entry of its page, so the next page
 * begins behind that entry however the list has changed, and no entry comes twice.
 */
import { type Listed, oldestFirst } from "../../client/listed";
import { RefusedError } from "../../failure";
import { jsonIn, type Properties } from "../../fields/value";
import type { Settings } from "./configuration";

/** Reads all entries that pass the filters, oldest first. */
export type ServedList = (settings: Settings, filters: Properties) => Promise<readonly Listed[]>;

export interface PageRequest {
  readonly filters: Properties;
  /** Below 1: no limit. A caller may give that of the whole list, or what is left of it. */
  readonly limit: number;
  /** Below 1: as many as fit. */
  readonly pageSize: number;
  /** Empty for the first page. */
  readonly token: string;
}

export interface ListPage {
  readonly entries: readonly Listed[];
  /** For the next page; undefined after the last one. */
  readonly token: string | undefined;
}

/** The entry behind which a page begins, and the number of entries that may follow it. */
interface Place extends Pick<Listed, "id" | "createdAt"> {
  readonly room: number;
}

const PAGE = 100;

export class ListPages {
  readonly #read: ServedList;
  /** The entries behind the latest page: the same process mostly serves the next one too. */
  #behind:
    | { readonly key: string; readonly settings: Settings; readonly entries: readonly Listed[] }
    | undefined;

  constructor(read: ServedList) {
    this.#read = read;
  }

  /** Throws a RefusedError for a token of somebody else, and the errors of the list. */
  async page(settings: Settings, { filters, limit, pageSize, token }: PageRequest): Promise<ListPage> {
    const start = token === "" ? undefined : placeIn(token);
    const entries = await this.#entriesBehind(start, settings, keyOf(token, filters), filters);
    const room = Math.min(positive(limit), start?.room ?? Number.POSITIVE_INFINITY);
    const page = entries.slice(0, Math.min(room, positive(pageSize, PAGE)));
    const last = page.at(-1);
    const behind = entries.slice(page.length);
    if (last === undefined || behind.length === 0 || page.length >= room)
      return { entries: page, token: undefined };
    const next = tokenOf({ ...last, room: room - page.length });
    this.#behind = { key: keyOf(next, filters), settings, entries: behind };
    return { entries: page, token: next };
  }

  async #entriesBehind(
    start: Place | undefined,
    settings: Settings,
    key: string,
    filters: Properties,
  ): Promise<readonly Listed[]> {
    const behind = this.#behind;
    this.#behind = undefined;
    if (behind?.key === key && behind.settings === settings) return behind.entries;
    const entries = await this.#read(settings, filters);
    return start === undefined ? entries : entries.filter((entry) => oldestFirst(start, entry) < 0);
  }
}

const keyOf = (token: string, filters: Properties): string => JSON.stringify([token, filters]);

const positive = (count: number, otherwise = Number.POSITIVE_INFINITY): number =>
  count < 1 ? otherwise : count;

/** JSON has no infinity: null. */
function tokenOf({ createdAt, id, room }: Place): string {
  return Buffer.from(JSON.stringify([createdAt, id, Number.isFinite(room) ? room : null])).toString(
    "base64url",
  );
}

function placeIn(token: string): Place {
  const parts = jsonIn(Buffer.from(token, "base64url").toString());
  const [createdAt, id, room] = Array.isArray(parts) ? parts : [];
  const isRoom = room === null || (Number.isSafeInteger(room) && room > 0);
  if (typeof createdAt !== "string" || typeof id !== "string" || !isRoom)
    throw new RefusedError(
      `the continuation token ${JSON.stringify(token)} is none of this provider's; begin the list again without one`,
    );
  return { createdAt, id, room: room ?? Number.POSITIVE_INFINITY };
}
