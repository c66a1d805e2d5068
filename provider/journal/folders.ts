/** Which files the journal's folders hold: looked at once in a run, which then keeps count of its own. */
import path from "node:path";
import { folderOf } from "./entry";
import { namesIn } from "./files";

export class Folders {
  readonly #journal: string | undefined;
  /** By the beginning of a URN that names the stack. */
  readonly #ofStack = new Map<string, string>();
  /** Names of files by folder; a promise until they are read. */
  readonly #names = new Map<string, Set<string> | Promise<Set<string>>>();

  constructor(journal: string | undefined) {
    this.#journal = journal;
  }

  /** Of all entries of the resource's stack; undefined where there is no journal, or no URN. */
  of(urn: string): string | undefined {
    if (this.#journal === undefined || urn === "") return undefined;
    const stack = urn.slice(0, urn.indexOf("::", urn.indexOf("::") + 2));
    const folder = this.#ofStack.get(stack) ?? path.join(this.#journal, folderOf(urn));
    this.#ofStack.set(stack, folder);
    return folder;
  }

  /** Whether the folder is known to hold nothing, without a look at the disk. */
  isKnownEmpty(folder: string): boolean {
    const names = this.#names.get(folder);
    return names instanceof Set && names.size === 0;
  }

  async has(file: string): Promise<boolean> {
    return (await this.#namesIn(path.dirname(file))).has(path.basename(file));
  }

  /** Every entry of the folder, without what a crash has left of a replacement. */
  async filesIn(folder: string): Promise<string[]> {
    const names = [...(await this.#namesIn(folder))].filter((name) => name.endsWith(".json"));
    return names.map((name) => path.join(folder, name));
  }

  async add(file: string): Promise<void> {
    (await this.#names.get(path.dirname(file)))?.add(path.basename(file));
  }

  async delete(file: string): Promise<void> {
    (await this.#names.get(path.dirname(file)))?.delete(path.basename(file));
  }

  #namesIn(folder: string): Set<string> | Promise<Set<string>> {
    const known = this.#names.get(folder);
    if (known !== undefined) return known;
    const reading = this.#read(folder);
    this.#names.set(folder, reading);
    return reading;
  }

  async #read(folder: string): Promise<Set<string>> {
    const names = new Set(await namesIn(folder));
    this.#names.set(folder, names);
    return names;
  }
}
