/** The files in the journal's folders, and the entries in them. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { type Answer, answerText, type Entry, entryIn, notAhead } from "./entry";
import { addDurably, readIfExists } from "./files";

/** The entry in the file, or the reason why there is none. */
export function entryAt(file: string): Entry | string {
  return entryIn(readIfExists(file) ?? "");
}

/**
 * The entry in the file, or the reason why it cannot be read; undefined if there is no file. Times ahead of our clock are
 * moved back.
 */
export function entryOrFaultAt(
  file: string,
  isWanted: (entry: Entry) => boolean,
): Entry | string | undefined {
  try {
    const text = readIfExists(file);
    if (text === undefined) return undefined;
    const entry = entryIn(text);
    if (typeof entry === "string") return entry;
    return isWanted(entry) ? notAhead(entry, Date.now()) : "it is about another resource";
  } catch (error) {
    return (error as Error).message;
  }
}

/** The readable entries of all stacks, except the one in the file `except`. */
export function allEntriesIn(journal: string, except: string): Entry[] {
  const files = readdirSync(journal, { recursive: true, encoding: "utf8" })
    .map((name) => path.join(journal, name))
    .filter((file) => file.endsWith(".json") && file !== except);
  return files.flatMap((file) => {
    const entry = entryOrFaultAt(file, () => true);
    return typeof entry === "object" ? [entry] : [];
  });
}

/** Appends the answer to the entry; the answer is on disk when this returns. */
export function noteAnswer(file: string, answer: Answer): Promise<void> {
  return addDurably(file, answerText(answer));
}
