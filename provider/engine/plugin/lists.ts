/** Answers Pulumi's requests for lists. */
import { type ListRequest, ListResponse } from "@pulumi/pulumi/proto/provider_pb";
import { RefusedError } from "../../failure";
import { NAME } from "../../schema/naming";
import { entryNamed, hasUnknown } from "../../schema/value";
import { escapeLines } from "../../schema/words";
import type { Served } from "./adapter";
import type { Settings } from "./configuration";
import { bagIn, filled } from "./wire";

/**
 * Returns one message for each entry, up to the limit; a limit below 1 means no limit. The service's list is always
 * read to its end, so the answer has no pages. Throws a RefusedError if the request or the read fails.
 */
export async function listAnswers(served: Served, request: ListRequest, name: string, settings: Settings) {
  const read = entryNamed(served.lists, name);
  if (read === undefined) throw new RefusedError(`${NAME} cannot list resources of the type ${name}`);
  const token = request.getContinuationToken();
  if (token !== "")
    throw new RefusedError(
      `the continuation token ${JSON.stringify(token)} was not made by this provider; begin the list again without a token`,
    );
  const filters = bagIn(request.getQuery()).values;
  if (hasUnknown(filters)) return [filled(new ListResponse(), { Computed: new ListResponse.Computed() })];
  try {
    const entries = await read(settings, filters);
    const limit = request.getLimit() < 1 ? entries.length : request.getLimit();
    return entries.slice(0, limit).map(({ id, name }) => {
      const result = filled(new ListResponse.Result(), { Id: id, Name: escapeLines(name) });
      return filled(new ListResponse(), { Result: result });
    });
  } catch (error) {
    const words = served.wordsOfFailure(error);
    throw words === undefined ? error : new RefusedError(`${name} list: ${words}`);
  }
}
