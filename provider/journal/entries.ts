/** Entries as they stand in files. */
import { type Entry, entryIn } from "./entry";
import { readIfThere } from "./files";

/** The entry in the file, or why there is none. */
export async function entryAt(file: string): Promise<Entry | string> {
  return entryIn((await readIfThere(file))?.text ?? "");
}

/** By file, the ids of those that were answered. A file that cannot be read has none. */
export async function idsIn(
  files: readonly string[],
  isWanted: (entry: Entry) => boolean,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  const note = async (file: string): Promise<void> => {
    const entry = await entryAt(file).catch(() => "it cannot be read");
    if (typeof entry !== "string" && entry.id !== undefined && isWanted(entry)) ids.set(file, entry.id);
  };
  await Promise.all(files.map(note));
  return ids;
}
