/** The logs of a revision: the last lines for an error, and the whole log for a command. Each line is safe to print. */
import { isDeepStrictEqual, stripVTControlCharacters } from "node:util";
import type { Endpoints } from "../client/endpoints";
import { isNotFound } from "../client/errors";
import { redacted } from "../schema/secrecy";
import { isProperties } from "../schema/value";
import { escapeControls } from "../schema/words";

const MOST_LINES = 20;
const MOST_BYTES = 3900;

/** Control characters may split a secret, so secrets are masked again after these characters are removed. */
function linesOf(entries: readonly unknown[]): string[] {
  const messages = entries.map((entry) => String((isProperties(entry) ? entry.message : entry) ?? ""));
  const plain = stripVTControlCharacters(redacted(messages.join("\n")))
    .replace(/\r\n?/g, "\n")
    .replace(/(?!\n)\p{Cc}/gu, (control) => (control === "\t" ? " " : ""));
  const lines = redacted(plain).split("\n");
  return lines.filter((line) => /\S/.test(line)).map(escapeControls);
}

/** The last lines of the log, for an error; empty if the service shows no log. */
export async function endOfLog(endpoints: Endpoints, id: string, revisionId: string, kind: string) {
  const range = { order: "desc", limit: MOST_LINES, offset: 0 };
  const entries = await endpoints.revisionLog(id, revisionId, kind, range).catch(() => []);
  // A cut may leave half of a character. That half is escaped too.
  const shorten = (line: string) => `  | ${escapeControls(line.slice(0, MOST_BYTES / 4))}`;
  const lines = linesOf(entries.toReversed()).slice(-MOST_LINES).map(shorten);
  while (Buffer.byteLength(lines.join("\n")) > MOST_BYTES) lines.shift();
  return lines.length === 0 ? "" : `\nThe end of its ${kind} log:\n${lines.join("\n")}`;
}

/** All lines of the log; none if the service shows no log. Throws a ServiceError. */
export async function wholeLog(endpoints: Endpoints, id: string, revisionId: string, kind: string) {
  const lines: string[] = [];
  for (let offset = 0, last: unknown[] = []; ; offset += last.length) {
    const range = { order: "asc", limit: 100, offset };
    const entries = await endpoints.revisionLog(id, revisionId, kind, range).catch((error) => {
      if (isNotFound(error)) return [];
      throw error;
    });
    // A service that ignores the offset returns the same page again.
    if (entries.length === 0 || isDeepStrictEqual(entries, last)) return lines;
    lines.push(...linesOf(entries));
    last = entries;
  }
}
