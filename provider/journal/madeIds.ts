/** The ids that this machine's runs made. A stack must not take over what another stack made. */
import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { type Entry, hashOf } from "./entry";
import { namesIn, removeIfThere, textAt } from "./files";
import { readableAt } from "./folders";

/** Ids whose entries are closed are remembered this long. */
export const MEMORY_MS = 30 * 24 * 3_600_000;

export class MadeIds {
  readonly #root: string;
  /** Ids that a state has held. */
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

  /** Remembers that an engine was told these ids and then ended in order, so that its state very likely holds them. */
  rememberEnd(entries: readonly Entry[]): void {
    const lines = entries.map(({ serviceUrl, id = "" }) => hashOf(serviceUrl, id, "ended"));
    if (lines.length > 0) this.#closed.add(lines.join("\n"));
  }

  /** Whether that is remembered, as it was known when this run first asked. */
  wasEnded(serviceUrl: string, id: string): boolean {
    return this.#closed.had(hashOf(serviceUrl, id, "ended"));
  }

  /** Whether a state has held the id, as it was known when this run first asked. */
  wasClosed(serviceUrl: string, id: string): boolean {
    return this.#closed.had(hashOf(serviceUrl, id));
  }

  /** The same, as other runs know it by now. */
  isClosed(serviceUrl: string, id: string): boolean {
    return this.#closed.has(hashOf(serviceUrl, id));
  }

  /** Whether it was, or may have been, made for another resource than the one with that entry file. */
  has(serviceUrl: string, id: string, name: string, except: string): boolean {
    if (this.isClosed(serviceUrl, id)) return true;
    for (const file of this.#entries()) {
      if (file === except) continue;
      const entry = readableAt(file);
      if (entry?.serviceUrl !== serviceUrl) continue;
      // An entry without a name had a secret one, so it may be making any deployment.
      if (entry.id === undefined ? ["", name].includes(entry.name) : entry.id === id) return true;
    }
    return false;
  }

  /** Every `PROJECT/STACK/HASH.json`. */
  #entries(): string[] {
    let places = [this.#root];
    for (let depth = 0; depth < 3; depth += 1)
      places = places.flatMap((place) => namesIn(place).map((name) => path.join(place, name)));
    return places.filter((place) => place.endsWith(".json"));
  }
}

/** Lines that are kept for a while. Each process has a file of its own. */
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

  /** Whether the line was there at the first call. Hundreds of entries are looked up at once. */
  had(line: string): boolean {
    this.#atFirst ??= new Set(this.#files().flatMap(linesIn));
    return this.#atFirst.has(line);
  }

  forgetOld(): void {
    if (this.#forgotten) return;
    this.#forgotten = true;
    for (const file of this.#files()) if (isOld(file)) removeIfThere(file);
  }

  #files(): string[] {
    return namesIn(this.#folder).map((name) => path.join(this.#folder, name));
  }
}

/** None where the file cannot be read. */
const linesIn = (file: string): string[] => textAt(file)?.split("\n") ?? [];

const isOld = (file: string): boolean => Date.now() - statSync(file).mtimeMs > MEMORY_MS;
