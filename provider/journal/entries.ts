/** Entries as they stand in files. */
import { type Answer, answerText, type Entry, entryIn } from "./entry";
import { addDurably, readIfThere } from "./files";

/** The entry in the file, or why there is none. */
export function entryAt(file: string): Entry | string {
  return entryIn(readIfThere(file)?.text ?? "");
}

/** The same, where nothing is to be done about a file that cannot be read. */
export function readableAt(file: string): Entry | undefined {
  try {
    const entry = entryAt(file);
    return typeof entry === "string" ? undefined : entry;
  } catch {
    return undefined;
  }
}

/** Puts the answer behind the entry; on disk when this returns. */
export function noteAnswer(file: string, answer: Answer): Promise<void> {
  return addDurably(file, answerText(answer));
}

/** By file, the ids of those that were answered. A file that cannot be read has none. */
export function idsIn(
  files: readonly string[],
  isWanted: (entry: Entry) => boolean,
): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const file of files) {
    const entry = readableAt(file);
    if (entry?.id !== undefined && isWanted(entry)) ids.set(file, entry.id);
  }
  return ids;
}
