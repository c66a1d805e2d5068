/**
 * Records which resource adopts an id in this run of the engine. Each provider of a program has its own process, so the
 * record is a file that the other processes can read.
 */
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { hashOf } from "./entry";
import { namesIn, textAt } from "./files";
import { trustFolder } from "./trust";

/** How long to keep the claims of a run: longer than any run of the engine takes. */
const MEMORY_MS = 24 * 3_600_000;

export class Adoptions {
  readonly #root: string | undefined;
  readonly #engine: string;
  readonly #urns = new Map<string, string>();

  /** `engine`: the address of this run's engine. Without an engine or a journal, only this process knows its claims. */
  constructor(journal: string | undefined, engine: string | undefined) {
    this.#root = journal === undefined || engine === undefined ? undefined : path.join(journal, "adopting");
    // Machines that share the folder may have engines at the same address.
    this.#engine = `${hostname()} ${engine ?? ""}`;
  }

  /** Claims the id for the resource. Returns the URN of another resource that already adopts the id, or undefined. */
  claim(serviceUrl: string, id: string, urn: string): string | undefined {
    const key = hashOf(serviceUrl, id);
    const adopter = this.#urns.get(key) ?? this.#claimedUrn(key, urn);
    this.#urns.set(key, adopter);
    return adopter === urn ? undefined : adopter;
  }

  /** The URN in the claim's file. If there is no file, returns `urn` and, if possible, writes it to a new file. */
  #claimedUrn(key: string, urn: string): string {
    if (this.#root === undefined) return urn;
    const folder = path.join(this.#root, hashOf(this.#engine));
    const file = path.join(folder, key);
    try {
      // Only the first claim of a process removes old folders.
      if (this.#urns.size === 0) forgetOld(this.#root);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      trustFolder(path.dirname(this.#root));
      writeFileSync(file, urn, { flag: "wx", mode: 0o600 });
      return urn;
    } catch {
      return textAt(file) ?? urn;
    }
  }
}

function forgetOld(root: string): void {
  for (const name of namesIn(root)) {
    const folder = path.join(root, name);
    if (Date.now() - statSync(folder).mtimeMs > MEMORY_MS) rmSync(folder, { recursive: true, force: true });
  }
}
