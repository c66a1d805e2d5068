/** Which ids were made from this machine: what one stack made, another must not take for its own. */
import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync } from "node:fs";
import { appendFile, mkdir, stat, unlink } from "node:fs/promises";
import path from "node:path";
import { entryAt } from "./entries";
import { type Entry, hashOf } from "./entry";
import { namesIn, readIfThere } from "./files";

/** Ids whose entries are closed are remembered this long. */
export const MEMORY_MS = 30 * 24 * 3_600_000;
const MODE = { mode: 0o600 };

export class MadeIds {
  readonly #root: string;
  /** Ids that a state has held. */
  readonly #closed: Lines;
  /** Ids that an engine was told, which wrote the state after each step and ended in good order. */
  readonly #saved: Lines;

  constructor(root: string) {
    this.#root = root;
    this.#closed = new Lines(path.join(root, "closed"));
    this.#saved = new Lines(path.join(root, "saved"));
  }

  /** Remembers the ids of entries that are about to be closed. */
  async remember(entries: readonly Entry[]): Promise<void> {
    await this.#closed.add(entries.map(lineOf));
    await this.#saved.forgetOld();
  }

  /** Notes that the engine has very likely saved them; synchronously, for a process that is about to end. */
  noteSavedAtOnce(entries: readonly Entry[]): void {
    if (entries.length > 0) this.#saved.addAtOnce(entries.map(lineOf));
  }

  isLikelySaved(serviceUrl: string, id: string): Promise<boolean> {
    return this.#saved.had(hashOf(serviceUrl, id));
  }

  /** Whether a state has held the id, as it was known when this run first asked. */
  wasClosed(serviceUrl: string, id: string): Promise<boolean> {
    return this.#closed.had(hashOf(serviceUrl, id));
  }

  /** The same as it is known now, to other runs too. */
  isClosed(serviceUrl: string, id: string): Promise<boolean> {
    return this.#closed.has(hashOf(serviceUrl, id));
  }

  /** Whether it was made, or may just have been, for another resource than the one whose entry is in that file. */
  async has(serviceUrl: string, id: string, name: string, except: string): Promise<boolean> {
    if (await this.isClosed(serviceUrl, id)) return true;
    for (const file of await this.#entries()) {
      if (file === except) continue;
      const entry = await entryAt(file).catch(() => "it cannot be read");
      if (typeof entry === "string" || entry.serviceUrl !== serviceUrl) continue;
      // An entry without a name had a secret one: it may be making any deployment.
      if (entry.id === undefined ? ["", name].includes(entry.name) : entry.id === id) return true;
    }
    return false;
  }

  /** Every `PROJECT/STACK/HASH.json`. */
  async #entries(): Promise<string[]> {
    let places = [this.#root];
    for (let depth = 0; depth < 3; depth += 1) {
      const within = places.map(async (place) =>
        (await namesIn(place)).map((name) => path.join(place, name)),
      );
      places = (await Promise.all(within)).flat();
    }
    return places.filter((place) => place.endsWith(".json"));
  }
}

const lineOf = ({ serviceUrl, id }: Entry): string => hashOf(serviceUrl, id ?? "");

/** Lines that are kept for a while. Each process has a file of its own. */
class Lines {
  readonly #folder: string;
  readonly #file: string;
  #atFirst: Promise<ReadonlySet<string>> | undefined;
  #forgotten = false;

  constructor(folder: string) {
    this.#folder = folder;
    this.#file = path.join(folder, randomUUID());
  }

  async add(lines: readonly string[]): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await appendFile(this.#file, textOf(lines), MODE);
    await this.forgetOld();
  }

  addAtOnce(lines: readonly string[]): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    appendFileSync(this.#file, textOf(lines), MODE);
  }

  async has(line: string): Promise<boolean> {
    for await (const lines of this.#read()) if (lines.includes(line)) return true;
    return false;
  }

  /** Of what stood there when it was first asked: hundreds of entries are looked up at once. */
  async had(line: string): Promise<boolean> {
    this.#atFirst ??= this.#all();
    return (await this.#atFirst).has(line);
  }

  async #all(): Promise<ReadonlySet<string>> {
    const all = new Set<string>();
    for await (const lines of this.#read()) for (const line of lines) all.add(line);
    return all;
  }

  async *#read(): AsyncGenerator<readonly string[]> {
    for (const name of await namesIn(this.#folder)) {
      const text = (await readIfThere(path.join(this.#folder, name)).catch(() => undefined))?.text;
      yield text?.split("\n") ?? [];
    }
  }

  async forgetOld(): Promise<void> {
    if (this.#forgotten) return;
    this.#forgotten = true;
    for (const name of await namesIn(this.#folder)) {
      const file = path.join(this.#folder, name);
      if (isOld(await stat(file))) await unlink(file);
    }
  }
}

const isOld = ({ mtimeMs }: { readonly mtimeMs: number }): boolean => Date.now() - mtimeMs > MEMORY_MS;

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
