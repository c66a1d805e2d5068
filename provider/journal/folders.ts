/** The files in the journal's folders, and the entries in them. */
import path from "node:path";
import { type Answer, answerText, type Entry, entryIn, folderOf } from "./entry";
import { addDurably, namesIn, readIfThere } from "./files";

/** A run lists each folder once and then keeps track of its own changes. */
export class Folders {
  readonly #journal: string | undefined;
  /** Folders by the part of a URN that names the stack. */
  readonly #ofStack = new Map<string, string>();
  /** Names of files by folder. */
  readonly #names = new Map<string, Set<string>>();

  constructor(journal: string | undefined) {
    this.#journal = journal;
  }

  /** The folder of all entries of the resource's stack; undefined without a journal or a URN. */
  of(urn: string): string | undefined {
    if (this.#journal === undefined || urn === "") return undefined;
    const stack = urn.slice(0, urn.indexOf("::", urn.indexOf("::") + 2));
    const folder = this.#ofStack.get(stack) ?? path.join(this.#journal, folderOf(urn));
    this.#ofStack.set(stack, folder);
    return folder;
  }

  /** Whether the folder is known to hold nothing, without a look at the disk. */
  isKnownEmpty(folder: string): boolean {
    return this.#names.get(folder)?.size === 0;
  }

  has(file: string): boolean {
    return this.#namesIn(path.dirname(file)).has(path.basename(file));
  }

  /** Every entry of the folder, without the remains of a replacement that crashed. */
  filesIn(folder: string): string[] {
    const names = [...this.#namesIn(folder)].filter((name) => name.endsWith(".json"));
    return names.map((name) => path.join(folder, name));
  }

  add(file: string): void {
    this.#names.get(path.dirname(file))?.add(path.basename(file));
  }

  delete(file: string): void {
    this.#names.get(path.dirname(file))?.delete(path.basename(file));
  }

  #namesIn(folder: string): Set<string> {
    const names = this.#names.get(folder) ?? new Set(namesIn(folder));
    this.#names.set(folder, names);
    return names;
  }
}

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
