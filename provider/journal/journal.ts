/**
 * A journal of requests: each is written down before it is sent, what the service made of it after the answer, and closed
 * once the state is known to hold it. What a run that was killed has left in it, the next run finds and does not make twice.
 */

import { randomUUID } from "node:crypto";
import path from "node:path";
import { environmentName, settingName } from "../fields/naming";
import { own, SpokenError } from "../fields/ownWords";
import type { Properties } from "../fields/value";
import {
  type Entry,
  entryIn,
  type Intent,
  type Moment,
  placeOf,
  type ResourceKey,
  textOf,
  type Unreadable,
} from "./entry";
import { createDurably, readIfThere, removeIfThere, replaceWhole } from "./files";
import { Folders } from "./folders";
import { MadeIds } from "./madeIds";
import type { Place } from "./place";

/** What an earlier run has left about a resource. */
export interface OpenEntry {
  readonly file: string;
  readonly entry: Entry | Unreadable;
}

/** Another run writes about the same resource. */
export class JournalConflict extends SpokenError {
  override readonly name = "JournalConflict";
}

interface OwnEntry {
  readonly entry: Entry;
  /** Whether the engine has been told the result. */
  readonly isReported: boolean;
}

export abstract class Journal {
  /** What its entries are about: each has a file of its own. */
  protected abstract readonly subject: "creation" | "update";
  /** What is left to guard an interrupted request where the journal cannot be used. */
  protected abstract readonly withoutIt: string;
  protected readonly madeIds: MadeIds;
  readonly #folder: string | undefined;
  readonly #backend: string;
  readonly #warn: (words: string) => Promise<void>;
  /** Entries of this process, by file. */
  readonly #own = new Map<string, OwnEntry>();
  readonly #folders: Folders;
  readonly #pending = new Set<Promise<void>>();
  #warned = false;

  constructor(place: Place, warn: (words: string) => Promise<void>) {
    this.#folder = place.folder;
    this.#folders = new Folders(place.folder);
    this.#backend = place.backend;
    this.madeIds = new MadeIds(place.folder ?? "");
    this.#warn = warn;
  }

  /** Whether the outputs of a failed operation tell all that its entry does. */
  abstract isSettledBy(outputs: Properties): boolean;
  /** Whether to read an entry's file even if the listed folder did not have it. */
  protected abstract readonly looksBeyondListing: boolean;
  protected abstract isAnswered(entry: Entry): boolean;
  protected abstract isOwnKind(entry: Entry): boolean;
  /** Whether the state is known to hold what the entry is about. */
  protected abstract isOver(entry: Entry, isReported: boolean): Promise<boolean>;
  /** Whether the state, with the id in this generation, holds the result. Remembers the id where it has to. */
  protected abstract closes(entry: Entry, generation: unknown): Promise<boolean>;
  /** Closes entries whose results are in the state, at once: the process ends with it. */
  protected abstract closeAtOnce(entries: readonly { readonly file: string; readonly entry: Entry }[]): void;

  /** What an earlier run has left about the resource; undefined where there is nothing. */
  async openEntry(key: ResourceKey): Promise<OpenEntry | undefined> {
    const file = this.#fileOf(key);
    if (file === undefined) return undefined;
    await Promise.all(this.#pending);
    if (!this.looksBeyondListing && !(await this.#isListed(file))) return undefined;
    try {
      const found = await readIfThere(file);
      if (found === undefined) return undefined;
      const entry = entryIn(found.text);
      const reason = typeof entry === "string" ? entry : "it is about another resource";
      if (typeof entry === "string" || !this.#isAbout(entry, key))
        return { file, entry: { reason, changedAt: found.changedAt } };
      if (!(await this.isOver(entry, this.#own.get(file)?.isReported === true))) return { file, entry };
      await this.#remove(file);
      return undefined;
    } catch (error) {
      await this.#unusable(error);
      return undefined;
    }
  }

  #isAbout(entry: Entry, { urn, serviceUrl }: ResourceKey): boolean {
    const isSame = entry.urn === urn && entry.serviceUrl === serviceUrl && entry.backend === this.#backend;
    return isSame && this.isOwnKind(entry);
  }

  /**
   * Writes that the request is about to be sent, or sent again; on disk when it returns. Throws a JournalConflict when
   * another run has written about the same resource meanwhile.
   */
  async sending(intent: Intent, moment: Moment): Promise<void> {
    const file = this.#fileOf(intent);
    if (file === undefined) return;
    const before = this.#own.get(file)?.entry;
    const token = before?.token ?? randomUUID();
    const entry: Entry = { version: 1, token, ...intent, backend: this.#backend, ...moment };
    await this.#guarded(async () => {
      if (before === undefined) await createDurably(file, textOf(entry));
      else if (await this.#isStill(file, token)) await replaceWhole(file, textOf(entry));
      else throw new JournalConflict(own`another run has taken over ${file}`);
      this.#own.set(file, { entry, isReported: false });
      await this.#folders.add(file);
    });
  }

  /** Notes the service's answer, also in an entry of an earlier run. Never throws. */
  async answered(key: ResourceKey, answer: Pick<Entry, "id" | "answer">): Promise<void> {
    const file = this.#fileOf(key);
    if (file === undefined) return;
    const known = this.#own.get(file)?.entry ?? (await this.openEntry(key))?.entry;
    if (known === undefined || "reason" in known) return;
    const entry = { ...known, ...answer };
    await this.#guarded(async () => {
      if (await this.#isStill(file, entry.token)) await replaceWhole(file, textOf(entry));
    }).catch(() => undefined);
    this.#own.set(file, { entry, isReported: false });
  }

  /** What an earlier run has left is this run's from now on: its next request takes the entry's place. */
  inherit(file: string, entry: Entry): void {
    this.#own.set(file, { entry, isReported: false });
  }

  /** The engine knows the result: if it ends in good order, the state has it. */
  reported(key: ResourceKey): void {
    const file = this.#fileOf(key) ?? "";
    const own = this.#own.get(file);
    if (own?.entry.id !== undefined) this.#own.set(file, { ...own, isReported: true });
  }

  /** It ended in doubt: the entry stays for the next run. */
  leaveToNextRun(key: ResourceKey): void {
    this.#own.delete(this.#fileOf(key) ?? "");
  }

  /** Removes the entry of a request that certainly did nothing, or is given up. */
  async drop(key: ResourceKey): Promise<void> {
    const file = this.#fileOf(key);
    if (file === undefined) return;
    await this.#guarded(() => this.#remove(file));
  }

  /** The state has this id in that generation: closes an entry that waits for it, in the background. */
  confirmed(key: ResourceKey, id: string, generation?: unknown): void {
    const folder = this.#folders.of(key.urn);
    // Every read and diff calls this, and almost none has an entry to close.
    if (folder === undefined || (this.#own.size === 0 && this.#folders.isKnownEmpty(folder))) return;
    const file = this.#fileOf(key) as string;
    const job = this.#close(file, id, generation).catch((error: unknown) => this.#unusable(error));
    this.#pending.add(job);
    void job.finally(() => this.#pending.delete(job));
  }

  /** Whether this machine has made the id, or may just be making it, for another resource. */
  async isMadeElsewhere(key: ResourceKey, id: string, name: string): Promise<boolean> {
    const file = this.#fileOf(key);
    if (file === undefined) return false;
    await Promise.all(this.#pending);
    return this.madeIds.has(key.serviceUrl, id, name, file);
  }

  /** Whether a request is under way of which no answer is noted yet. */
  get awaitsAnswers(): boolean {
    return [...this.#own.values()].some(({ entry }) => !this.isAnswered(entry));
  }

  /** The engine ends in good order: all that it was told is in the state. */
  closeReported(): void {
    const over = [...this.#own].flatMap(([file, { entry, isReported }]) =>
      isReported ? [{ file, entry }] : [],
    );
    if (over.length === 0) return;
    try {
      this.closeAtOnce(over);
    } catch {
      // What stays open is closed by the next run that finds the id in the state.
    }
  }

  async #close(file: string, id: string, generation: unknown): Promise<void> {
    if (!(await this.#isListed(file))) return;
    const entry = entryIn((await readIfThere(file))?.text ?? "");
    if (typeof entry === "string" || entry.id !== id) return;
    if (await this.closes(entry, generation)) await this.#remove(file);
  }

  async #remove(file: string): Promise<void> {
    this.#own.delete(file);
    await removeIfThere(file);
    await this.#folders.delete(file);
  }

  /** Whether it was there when this run first looked, or is its own. */
  async #isListed(file: string): Promise<boolean> {
    return this.#own.has(file) || this.#folders.has(file);
  }

  /** Whether the file still holds that request: another run may have given it up meanwhile. */
  async #isStill(file: string, token: string): Promise<boolean> {
    const entry = entryIn((await readIfThere(file))?.text ?? "");
    return typeof entry !== "string" && entry.token === token;
  }

  #fileOf({ urn, serviceUrl }: ResourceKey): string | undefined {
    if (this.#folder === undefined || urn === "") return undefined;
    const { subject } = this;
    return path.join(this.#folder, ...placeOf({ urn, serviceUrl, backend: this.#backend, subject }));
  }

  /** An unwritable journal must not stop anything; a conflict with another run must. */
  async #guarded(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (error instanceof JournalConflict) throw error;
      const { code, path: place } = error as NodeJS.ErrnoException;
      if (code === "EEXIST" && place?.endsWith(".json"))
        throw new JournalConflict(own`another run has just written ${place}`);
      await this.#unusable(error);
    }
  }

  async #unusable(error: unknown): Promise<void> {
    if (this.#warned) return;
    this.#warned = true;
    await this.#warn(this.#unusableWords(error as NodeJS.ErrnoException)).catch(() => undefined);
  }

  #unusableWords({ code, message, path: place }: NodeJS.ErrnoException): string {
    return (
      `the journal of ${this.subject}s cannot be used (${code ?? message} at ${place ?? this.#folder}): ${this.withoutIt}. ` +
      `Set ${settingName("journal")} (or ${environmentName("journal")}) to a folder that can be written, or to off`
    );
  }
}
