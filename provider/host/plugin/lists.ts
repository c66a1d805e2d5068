/** Requests for lists, from Pulumi's messages to pages and back. */
import { type ListRequest, ListResponse } from "@pulumi/pulumi/proto/provider_pb";
import { RefusedError } from "../../failure";
import { NAME } from "../../fields/naming";
import { entryNamed, hasUnknown } from "../../fields/value";
import { escapeLines } from "../../fields/words";
import type { Served } from "./adapter";
import type { Settings } from "./configuration";
import { type ListPage, ListPages } from "./listPages";
import { bagIn } from "./wire";

export class Lists {
  readonly #served: Served;
  readonly #pages = new Map<string, ListPages>();

  constructor(served: Served) {
    this.#served = served;
  }

  /** The entries of one page, and a last message with the token of the next one. Throws a RefusedError. */
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
