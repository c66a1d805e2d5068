/** Answers Pulumi's requests for lists, page by page. */
import { type ListRequest, ListResponse } from "@pulumi/pulumi/proto/provider_pb";
import { type Listed, oldestFirst } from "../../client/listed";
import { RefusedError } from "../../failure";
import { NAME } from "../../schema/naming";
import { entryNamed, hasUnknown, jsonIn, type Properties } from "../../schema/value";
import { escapeLines } from "../../schema/words";
import type { Served, ServedList } from "./adapter";
import type { Settings } from "./configuration";
import { bagIn } from "./wire";

export class Lists {
  readonly #served: Served;
  readonly #pages = new Map<string, ListPages>();

  constructor(served: Served) {
    this.#served = served;
  }

  /** The messages of one page: its entries, followed by the token of the next page. Throws a RefusedError. */
  async answers(request: ListRequest, name: string, settings: Settings): Promise<ListResponse[]> {
    const pages = this.#pagesOf(name);
    const filters = bagIn(request.getQuery()).values;
    if (hasUnknown(filters)) return [answerOf((answer) => answer.setComputed(new ListResponse.Computed()))];
    const range = { limit: request.getLimit(), pageSize: request.getPageSize() };
    const token = request.getContinuationToken();
    try {
      return answersOf(await pages.page(settings, { filters, ...range, token }));
    } catch (error) {
      const words = this.#served.wordsOfFailure(error);
      throw words === undefined ? error : new RefusedError(`${name} list: ${words}`);
    }
  }

  #pagesOf(name: string): ListPages {
    const served = entryNamed(this.#served.lists, name);
    if (served === undefined) throw new RefusedError(`${NAME} cannot list resources of the type ${name}`);
    const pages = this.#pages.get(name) ?? new ListPages(served);
    this.#pages.set(name, pages);
    return pages;
  }
}

function answersOf({ entries, token }: ListPage): ListResponse[] {
  const messages = entries.map(({ id, name }) => {
    const result = new ListResponse.Result();
    result.setId(id);
    result.setName(escapeLines(name));
    return answerOf((answer) => answer.setResult(result));
  });
  if (token === undefined) return messages;
  const continuation = new ListResponse.Continuation();
  continuation.setContinuationToken(token);
  return [...messages, answerOf((answer) => answer.setContinuation(continuation))];
}

function answerOf(fill: (answer: ListResponse) => unknown): ListResponse {
  const answer = new ListResponse();
  fill(answer);
  return answer;
}

interface PageRequest {
  readonly filters: Properties;
  /**
   * The limit; a value below 1 sets no limit. For each page, a caller may either repeat the limit of the whole list, or
   * give the number of entries that are left.
   */
  readonly limit: number;
  /** The number of entries on the page; if the number is below 1, the page has as many as fit. */
  readonly pageSize: number;
  /** The token; empty for the first page. */
  readonly token: string;
}

interface ListPage {
  readonly entries: readonly Listed[];
  /** The token for the next page; undefined after the last page. */
  readonly token: string | undefined;
}

/** The last entry before a page, and how many more entries the caller wants. */
interface ListPosition extends Pick<Listed, "id" | "createdAt"> {
  readonly room: number;
}

const PAGE = 100;

class ListPages {
  readonly #read: ServedList;
  /** The entries after the latest page, stored because the same process usually serves the next page too. */
  #remaining:
    | { readonly key: string; readonly settings: Settings; readonly entries: readonly Listed[] }
    | undefined;

  constructor(read: ServedList) {
    this.#read = read;
  }

  /** Throws a RefusedError for a token that this provider did not make, and passes on the errors of the list. */
  async page(settings: Settings, { filters, limit, pageSize, token }: PageRequest): Promise<ListPage> {
    const start = token === "" ? undefined : placeIn(token);
    const entries = await this.#entriesAfter(start, settings, keyOf(token, filters), filters);
    const room = Math.min(positive(limit), start?.room ?? Number.POSITIVE_INFINITY);
    const page = entries.slice(0, Math.min(room, positive(pageSize, PAGE)));
    const last = page.at(-1);
    const remaining = entries.slice(page.length);
    if (last === undefined || remaining.length === 0 || page.length >= room)
      return { entries: page, token: undefined };
    const next = tokenOf({ ...last, room: room - page.length });
    this.#remaining = { key: keyOf(next, filters), settings, entries: remaining };
    return { entries: page, token: next };
  }

  async #entriesAfter(
    start: ListPosition | undefined,
    settings: Settings,
    key: string,
    filters: Properties,
  ): Promise<readonly Listed[]> {
    const remaining = this.#remaining;
    this.#remaining = undefined;
    if (remaining?.key === key && remaining.settings === settings) return remaining.entries;
    const entries = await this.#read(settings, filters);
    return start === undefined ? entries : entries.filter((entry) => oldestFirst(start, entry) < 0);
  }
}

const keyOf = (token: string, filters: Properties): string => JSON.stringify([token, filters]);

const positive = (count: number, otherwise = Number.POSITIVE_INFINITY): number =>
  count < 1 ? otherwise : count;

/** JSON has no infinity, and writes null instead. */
function tokenOf({ createdAt, id, room }: ListPosition): string {
  return Buffer.from(JSON.stringify([createdAt, id, Number.isFinite(room) ? room : null])).toString(
    "base64url",
  );
}

function placeIn(token: string): ListPosition {
  const parts = jsonIn(Buffer.from(token, "base64url").toString());
  const [createdAt, id, room] = Array.isArray(parts) ? parts : [];
  const isRoom = room === null || (Number.isSafeInteger(room) && room > 0);
  if (typeof createdAt !== "string" || typeof id !== "string" || !isRoom)
    throw new RefusedError(
      `the continuation token ${JSON.stringify(token)} was not made by this provider; begin the list again without a token`,
    );
  return { createdAt, id, room: room ?? Number.POSITIVE_INFINITY };
}
