/** Which ids were made from this machine: what one stack made, another must not take for its own. */
import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync } from "node:fs";
import { appendFile, mkdir, stat, unlink } from "node:fs/promises";
import path from "node:path";
import { type Entry, entryIn, hashOf } from "./entry";
import { namesIn, readIfThere } from "./files";

/** Ids whose entries are closed are remembered this long. */
export const MEMORY_MS = 30 * 24 * 3_600_000;
const MODE = { mode: 0o600 };

export class MadeIds {
  readonly #root: string;
  readonly #folder: string;
  /** Each process has a file of its own, one line for each id. */
  readonly #file: string;
  #forgotten = false;

  constructor(root: string) {
    this.#root = root;
    this.#folder = path.join(root, "closed");
    this.#file = path.join(this.#folder, randomUUID());
  }

  /** Remembers the id of an entry that is about to be closed. */
  async remember(entry: Entry): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await appendFile(this.#file, linesOf([entry]), MODE);
    await this.#forgetOld();
  }

  /** The same for many, synchronously, for a process that is about to end. */
  rememberAtOnce(entries: readonly Entry[]): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    appendFileSync(this.#file, linesOf(entries), MODE);
  }

  /** Whether the creation of the id is over: a state has held it. */
  async isClosed(serviceUrl: string, id: string): Promise<boolean> {
    const line = hashOf(serviceUrl, id);
    for (const name of await namesIn(this.#folder)) {
      const text = (await readIfThere(path.join(this.#folder, name)).catch(() => undefined))?.text;
      if (text?.split("\n").includes(line)) return true;
    }
    return false;
  }

  /** Whether it was made, or may just have been, for another resource than the one whose entry is in that file. */
  async has(serviceUrl: string, id: string, name: string, except: string): Promise<boolean> {
    if (await this.isClosed(serviceUrl, id)) return true;
    for (const file of await this.#entries()) {
      if (file === except) continue;
      const entry = entryIn((await readIfThere(file).catch(() => undefined))?.text ?? "");
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

  async #forgetOld(): Promise<void> {
    if (this.#forgotten) return;
    this.#forgotten = true;
    for (const name of await namesIn(this.#folder)) {
      const file = path.join(this.#folder, name);
      if (Date.now() - (await stat(file)).mtimeMs > MEMORY_MS) await unlink(file);
    }
  }
}

function linesOf(entries: readonly Entry[]): string {
  return entries.map(({ serviceUrl, id }) => `${hashOf(serviceUrl, id ?? "")}\n`).join("");
}
