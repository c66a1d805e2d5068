/** Which ids were made from this machine: what one stack made, another must not take for its own. */
import { mkdirSync, writeFileSync } from "node:fs";
import { mkdir, stat, unlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { closedName, entryIn } from "./entry";
import { namesIn, readIfThere } from "./files";

/** Ids whose entries are closed are remembered this long. */
export const MEMORY_MS = 30 * 24 * 3_600_000;
const MODE = { mode: 0o600 };

export class Claims {
  readonly #root: string;
  readonly #folder: string;
  #forgotten = false;

  constructor(root: string) {
    this.#root = root;
    this.#folder = path.join(root, "closed");
  }

  /** Remembers an id whose entry is about to be closed. */
  async remember(serviceUrl: string, id: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(path.join(this.#folder, closedName(serviceUrl, id)), "", MODE);
    await this.#forgetOld();
  }

  /** The same without giving way, for a process that is about to end. */
  rememberAtOnce(serviceUrl: string, id: string): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    writeFileSync(path.join(this.#folder, closedName(serviceUrl, id)), "", MODE);
  }

  /** Whether it was made, or may just have been, for another resource than the one whose entry is in that file. */
  async has(serviceUrl: string, id: string, name: string, except: string): Promise<boolean> {
    if ((await namesIn(this.#folder)).includes(closedName(serviceUrl, id))) return true;
    for (const file of await this.#entries()) {
      if (file === except) continue;
      const entry = entryIn((await readIfThere(file).catch(() => undefined))?.text ?? "");
      if (typeof entry === "string" || entry.serviceUrl !== serviceUrl) continue;
      if (entry.id === undefined ? entry.name === name : entry.id === id) return true;
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
