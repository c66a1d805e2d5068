/** The ids that this machine's runs made. A stack must not take over a resource that another stack made. */
import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { type Entry, hashOf } from "./entry";
import { namesIn, removeIfExists, textAt } from "./files";
import { readableAt } from "./folders";

/** How long to remember ids whose entries are closed. */
export const MEMORY_MS = 30 * 24 * 3_600_000;

export class MadeIds {
  readonly #root: string;
  /** The ids that a state has had. */
  readonly #closed: Lines;

  constructor(root: string) {
    this.#root = root;
    this.#closed = new Lines(path.join(root, "closed"));
  }

  /** Remembers the id of an entry that is about to be closed. */
  remember({ serviceUrl, id = "" }: Entry): void {
    this.#closed.add(hashOf(serviceUrl, id));
    this.#closed.forgetOld();
  }

  /**
   * Remembers that an engine received these ids and ended in an orderly way: the engine's state very likely has them.
   */
  rememberEnd(entries: readonly Entry[]): void {
    const lines = entries.map(({ serviceUrl, id = "" }) => hashOf(serviceUrl, id, "ended"));
    if (lines.length > 0) this.#closed.add(lines.join("\n"));
  }

  /** Whether `rememberEnd` had recorded the id when this run first read the files. */
  wasEnded(serviceUrl: string, id: string): boolean {
    return this.#closed.had(hashOf(serviceUrl, id, "ended"));
  }

  /** Whether a state had the id, as far as this machine knew when this run first read the files. */
  wasClosed(serviceUrl: string, id: string): boolean {
    return this.#closed.had(hashOf(serviceUrl, id));
  }

  /** Whether a state has had the id, as far as this machine knows now. */
  isClosed(serviceUrl: string, id: string): boolean {
    return this.#closed.has(hashOf(serviceUrl, id));
  }

  /**
   * Whether the id was, or may have been, made for another resource. `except`: the entry file of the asking resource.
   */
  has(serviceUrl: string, id: string, name: string, except: string): boolean {
    if (this.isClosed(serviceUrl, id)) return true;
    for (const file of this.#entries()) {
      if (file === except) continue;
      const entry = readableAt(file);
      if (entry?.serviceUrl !== serviceUrl) continue;
      // An entry without a name is about a resource with a secret name, which may equal `name`.
      if (entry.id === undefined ? ["", name].includes(entry.name) : entry.id === id) return true;
    }
    return false;
  }

  /** The path of every `PROJECT/STACK/HASH.json`. */
  #entries(): string[] {
    let places = [this.#root];
    for (let depth = 0; depth < 3; depth += 1)
      places = places.flatMap((place) => namesIn(place).map((name) => path.join(place, name)));
    return places.filter((place) => place.endsWith(".json"));
  }
}

/**
 * The lines of all files in a folder: each process writes its own file. Files that have not changed for MEMORY_MS are
 * removed.
 */
class Lines {
  readonly #folder: string;
  readonly #file: string;
  #atFirst: ReadonlySet<string> | undefined;
  #forgotten = false;

  constructor(folder: string) {
    this.#folder = folder;
    this.#file = path.join(folder, randomUUID());
  }

  add(line: string): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    appendFileSync(this.#file, `${line}\n`, { mode: 0o600 });
  }

  has(line: string): boolean {
    return this.#files().some((file) => linesIn(file).includes(line));
  }

  /**
   * Whether the files had the line when this method was first called. The files are read only once, for hundreds of
   * look-ups.
   */
  had(line: string): boolean {
    this.#atFirst ??= new Set(this.#files().flatMap(linesIn));
    return this.#atFirst.has(line);
  }

  forgetOld(): void {
    if (this.#forgotten) return;
    this.#forgotten = true;
    for (const file of this.#files()) if (isOld(file)) removeIfExists(file);
  }

  #files(): string[] {
    return namesIn(this.#folder).map((name) => path.join(this.#folder, name));
  }
}

/** The lines of the file; none if the file cannot be read. */
const linesIn = (file: string): string[] => textAt(file)?.split("\n") ?? [];

const isOld = (file: string): boolean => Date.now() - statSync(file).mtimeMs > MEMORY_MS;
