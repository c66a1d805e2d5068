/**
 * The pages of a list, oldest entry first. A continuation token names the last entry of its page. So the next page
 * begins after that entry, however the list has changed, and no entry comes twice.
 */
import { type Listed, oldestFirst } from "../../client/listed";
import { RefusedError } from "../../failure";
import { jsonIn, type Properties } from "../../fields/value";
import type { Settings } from "./configuration";

/** Reads all entries that pass the filters, oldest first. */
export type ServedList = (settings: Settings, filters: Properties) => Promise<readonly Listed[]>;

export interface PageRequest {
  readonly filters: Properties;
  /** No limit if below 1. A caller may repeat the limit of the whole list, or give the number that is left. */
  readonly limit: number;
  /** As many entries as fit if below 1. */
  readonly pageSize: number;
  /** The token; empty for the first page. */
  readonly token: string;
}

export interface ListPage {
  readonly entries: readonly Listed[];
  /** The token for the next page; undefined after the last page. */
  readonly token: string | undefined;
}

/** The last entry before a page, and how many more entries the caller wants. */
interface Place extends Pick<Listed, "id" | "createdAt"> {
  readonly room: number;
}

const PAGE = 100;

export class ListPages {
  readonly #read: ServedList;
  /** The entries after the latest page, because the same process usually serves the next page too. */
  #behind:
    | { readonly key: string; readonly settings: Settings; readonly entries: readonly Listed[] }
    | undefined;

  constructor(read: ServedList) {
    this.#read = read;
  }

  /** Throws a RefusedError for another caller's token, and the errors of the list. */
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

/** JSON has no infinity, and writes null instead. */
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
      `the continuation token ${JSON.stringify(token)} is not one of this provider's; begin the list again without one`,
    );
  return { createdAt, id, room: room ?? Number.POSITIVE_INFINITY };
}
