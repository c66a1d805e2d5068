/** The files in the journal's folders, and the entries in them. */
import { lstatSync } from "node:fs";
import path from "node:path";
import { type Answer, answerText, type Entry, entryIn, folderOf, notAhead, type Unreadable } from "./entry";
import { addDurably, ifExists, namesIn, readIfExists, textAt } from "./files";
import { trustFolders, UntrustedError } from "./trust";

/** Lists each folder once per run, and then applies the run's changes to the listing. */
export class Folders {
  readonly #journal: string | undefined;
  /** Names of files by folder. */
  readonly #names = new Map<string, Set<string>>();

  constructor(journal: string | undefined) {
    this.#journal = journal;
  }

  /** The folder of all entries of the resource's stack; undefined without a journal or a URN. */
  of(urn: string): string | undefined {
    if (this.#journal === undefined || urn === "") return undefined;
    return path.join(this.#journal, folderOf(urn));
  }

  /** Whether the folder is known to be empty, without reading the disk. */
  isKnownEmpty(folder: string): boolean {
    return this.#names.get(folder)?.size === 0;
  }

  has(file: string): boolean {
    return this.#namesIn(path.dirname(file)).has(path.basename(file));
  }

  add(file: string): void {
    this.#names.get(path.dirname(file))?.add(path.basename(file));
  }

  delete(file: string): void {
    this.#names.get(path.dirname(file))?.delete(path.basename(file));
  }

  /** Throws an UntrustedError if others can put entries into the folder. */
  trust(folder: string): void {
    trustFolders(this.#journal as string, folder);
  }

  #namesIn(folder: string): Set<string> {
    const names = this.#names.get(folder) ?? new Set(namesIn(folder));
    this.#names.set(folder, names);
    return names;
  }
}

/** The entry in the file, or the reason why there is none. */
export function entryAt(file: string): Entry | string {
  return entryIn(readIfExists(file) ?? "");
}

/** The entry in the file; undefined if there is no entry, or if the entry cannot be read. */
export function readableAt(file: string): Entry | undefined {
  const entry = entryIn(textAt(file) ?? "");
  return typeof entry === "string" ? undefined : entry;
}

/**
 * The entry in the file, or the reason why it cannot be read; undefined if there is no file. Times ahead of our clock
 * are moved back. Throws if not even the file's existence can be determined.
 */
export function entryOrDoubtAt(
  file: string,
  isWanted: (entry: Entry) => boolean,
): Entry | Unreadable | undefined {
  const now = Date.now();
  const changedAt = ifExists(() => Math.min(lstatSync(file).mtimeMs, now));
  if (changedAt === undefined) return undefined;
  try {
    const text = readIfExists(file);
    if (text === undefined) return undefined;
    const entry = entryIn(text);
    if (typeof entry === "string") return { reason: entry, changedAt };
    return isWanted(entry) ? notAhead(entry, now) : { reason: "it is about another resource", changedAt };
  } catch (error) {
    const { message } = error as Error;
    const reason = error instanceof UntrustedError ? `it ${error.fault}` : message;
    return { reason, changedAt };
  }
}

/** Appends the answer to the entry; the answer is on disk when this returns. */
export function noteAnswer(file: string, answer: Answer): Promise<void> {
  return addDurably(file, answerText(answer));
}
