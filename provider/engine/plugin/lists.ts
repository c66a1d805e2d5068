/** Answers Pulumi's requests for lists, page by page. */
import { type ListRequest, ListResponse } from "@pulumi/pulumi/proto/provider_pb";
import { type Listed, oldestFirst } from "../../client/listed";
import { RefusedError } from "../../failure";
import { NAME } from "../../schema/naming";
import { entryNamed, hasUnknown, jsonIn } from "../../schema/value";
import { escapeLines } from "../../schema/words";
import type { Served, ServedList } from "./adapter";
import type { Settings } from "./configuration";
import { bagIn } from "./wire";

export class Lists {
  readonly #served: Served;

  constructor(served: Served) {
    this.#served = served;
  }

  /** The messages of one page: its entries, followed by the token of the next page. Throws a RefusedError. */
  async answers(request: ListRequest, name: string, settings: Settings): Promise<ListResponse[]> {
    const read = this.#listOf(name);
    const filters = bagIn(request.getQuery()).values;
    if (hasUnknown(filters)) return [answerOf((answer) => answer.setComputed(new ListResponse.Computed()))];
    const range = { limit: request.getLimit(), pageSize: request.getPageSize() };
    const token = request.getContinuationToken();
    try {
      return answersOf(await pageOf(() => read(settings, filters), { ...range, token }));
    } catch (error) {
      const words = this.#served.wordsOfFailure(error);
      throw words === undefined ? error : new RefusedError(`${name} list: ${words}`);
    }
  }

  #listOf(name: string): ServedList {
    const list = entryNamed(this.#served.lists, name);
    if (list === undefined) throw new RefusedError(`${NAME} cannot list resources of the type ${name}`);
    return list;
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
  /**
   * The limit; a value below 1 sets no limit. For each page, a caller may either repeat the limit of the whole list, or
   * give the number of entries that are left.
   */
  readonly limit: number;
  /** The number of entries on the page; if the number is below 1, the page has all entries. */
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

/**
 * One page of the entries. The engine asks for pages only to limit what it shows, so each page reads the list again.
 * Throws a RefusedError for a token that this provider did not make.
 */
async function pageOf(
  read: () => Promise<readonly Listed[]>,
  { limit, pageSize, token }: PageRequest,
): Promise<ListPage> {
  const start = token === "" ? undefined : placeIn(token);
  const allEntries = await read();
  const entries =
    start === undefined ? allEntries : allEntries.filter((entry) => oldestFirst(start, entry) < 0);
  const room = Math.min(positive(limit), start?.room ?? Number.POSITIVE_INFINITY);
  const page = entries.slice(0, Math.min(room, positive(pageSize)));
  const last = page.at(-1);
  if (last === undefined || page.length >= Math.min(entries.length, room))
    return { entries: page, token: undefined };
  return { entries: page, token: tokenOf({ ...last, room: room - page.length }) };
}

const positive = (count: number): number => (count < 1 ? Number.POSITIVE_INFINITY : count);

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
