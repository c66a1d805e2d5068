/**
 * The names that a stack's last preview expects to be created. Before its first creation, an up checks only as many
 * names as it makes calls at a time, and its process has not seen the preview.
 */
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { jsonIn } from "../fields/value";
import { folderOf } from "./entry";
import { removeIfThere, textAt } from "./files";
import { trustFolders } from "./trust";

export interface ExpectedName {
  readonly name: string;
  readonly urn: string;
  readonly serviceUrl: string;
}

/** An older preview says nothing about this up. */
const MEMORY_MS = 24 * 3_600_000;

export class ExpectedNames {
  readonly #journal: string | undefined;
  #taken: readonly ExpectedName[] | undefined;

  constructor(journal: string | undefined) {
    this.#journal = journal;
  }

  /** The names of the last preview, which no later up gets. Must be called before the first creation of a run. */
  take(urn: string): readonly ExpectedName[] {
    this.#taken ??= this.#read(urn);
    return this.#taken;
  }

  /** Call at the end of a run: leaves the names to the next up if this run was a preview. Never throws. */
  leave(names: readonly ExpectedName[]): void {
    const [first] = names;
    if (this.#journal === undefined || this.#taken !== undefined || first === undefined) return;
    const file = this.#fileOf(first.urn);
    try {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      trustFolders(this.#journal, path.dirname(file));
      removeIfThere(file);
      writeFileSync(file, JSON.stringify(names), { flag: "wx", mode: 0o600 });
    } catch {
      // Without the file the next up names fewer deployments.
    }
  }

  #read(urn: string): readonly ExpectedName[] {
    if (this.#journal === undefined || urn === "") return [];
    const file = this.#fileOf(urn);
    const names = jsonIn(textAt(file) ?? "");
    try {
      const isOld = Date.now() - statSync(file).mtimeMs > MEMORY_MS;
      removeIfThere(file);
      return Array.isArray(names) && !isOld ? names.filter(isExpectedName) : [];
    } catch {
      return [];
    }
  }

  /** Not among the entries, whose names end in `.json`. */
  #fileOf(urn: string): string {
    return path.join(this.#journal as string, folderOf(urn), "expected");
  }
}

const isExpectedName = (value: Partial<ExpectedName> | null): value is ExpectedName =>
  [value?.name, value?.urn, value?.serviceUrl].every((part) => typeof part === "string");
