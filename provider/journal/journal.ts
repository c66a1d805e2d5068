/**
 * A journal of requests: each is written down before it is sent, what the service made of it after the answer, and closed
 * once a later run has seen the result in the state: the engine ends its plugins before it writes the state for the last time,
 * so no run knows that of its own. What a run that was killed has left in it, the next run finds and does not make twice.
 */

import { randomUUID } from "node:crypto";
import path from "node:path";
import type { Properties } from "../fields/value";
import { entryAt, idsIn, noteAnswer } from "./entries";
import {
  type Answer,
  type Entry,
  entryIn,
  type Intent,
  isSameResource,
  type Moment,
  placeOf,
  type ResourceKey,
  textOf,
  type Unreadable,
} from "./entry";
import { Faults, JournalConflict } from "./faults";
import { createDurably, readIfThere, removeIfThere, replaceWhole } from "./files";
import { Folders } from "./folders";
import { MadeIds } from "./madeIds";
import type { Place } from "./place";

/** What an earlier run has left about a resource. */
export interface OpenEntry {
  readonly file: string;
  readonly entry: Entry | Unreadable;
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
  readonly #faults: Faults;
  /** Entries of this process, by file. */
  readonly #own = new Map<string, OwnEntry>();
  readonly #folders: Folders;
  /** By folder: the files that this run found there, with the ids of those that were answered. */
  readonly #found = new Map<string, ReadonlyMap<string, string>>();

  constructor(place: Place, warn: (words: string) => Promise<void>) {
    this.#folder = place.folder;
    this.#folders = new Folders(place.folder);
    this.#backend = place.backend;
    this.madeIds = new MadeIds(place.folder ?? "");
    this.#faults = new Faults(place, warn, () => ({ name: this.subject, withoutIt: this.withoutIt }));
  }

  /** Whether the outputs of a failed operation tell all that its entry does. */
  abstract isSettledBy(outputs: Properties): boolean;
  /** Whether to read an entry's file even if the listed folder did not have it. */
  protected abstract readonly looksBeyondListing: boolean;
  protected abstract isAnswered(entry: Entry): boolean;
  protected abstract isOwnKind(entry: Entry): boolean;
  /** Whether the state is known to hold what the entry is about. */
  protected abstract isOver(entry: Entry, isReported: boolean): boolean;
  /** Whether that state of the entry's id holds the result. */
  protected abstract isIn(state: Properties, entry: Entry): boolean;
  /** Notes what is left to know of an entry that is about to be closed. */
  protected closing(_entry: Entry): void {}

  /** What an earlier run has left about the resource; undefined where there is nothing. */
  async openEntry(key: ResourceKey): Promise<OpenEntry | undefined> {
    const file = this.#fileOf(key);
    if (file === undefined) return undefined;
    if (!this.looksBeyondListing && !this.#isListed(file)) return undefined;
    try {
      const found = readIfThere(file);
      if (found === undefined) return undefined;
      const entry = entryIn(found.text);
      const reason = typeof entry === "string" ? entry : "it is about another resource";
      if (typeof entry === "string" || !this.#isAbout(entry, key))
        return { file, entry: { reason, changedAt: found.changedAt } };
      if (!this.isOver(entry, this.#own.get(file)?.isReported === true)) return { file, entry };
      this.#remove(file);
      return undefined;
    } catch (error) {
      await this.#faults.warn(error);
      return undefined;
    }
  }

  #isAbout(entry: Entry, key: ResourceKey): boolean {
    return isSameResource(entry, key) && entry.backend === this.#backend && this.isOwnKind(entry);
  }

  /**
   * Writes that the request is about to be sent, or sent again; on disk when it returns. Throws a JournalConflict when
   * another run has written about the same resource meanwhile, a JournalUnusable where it must be written and cannot.
   */
  async sending(intent: Intent, moment: Moment): Promise<void> {
    const file = this.#fileOf(intent);
    if (file === undefined) return;
    const before = this.#own.get(file)?.entry;
    const token = before?.token ?? randomUUID();
    const entry: Entry = { version: 1, token, ...intent, backend: this.#backend, ...moment };
    await this.#faults.guarded(async () => {
      if (before === undefined) await createDurably(file, textOf(entry));
      else if (this.#isStill(file, token)) await replaceWhole(file, textOf(entry));
      else throw new JournalConflict(`another run has taken over ${file}`);
      this.#own.set(file, { entry, isReported: false });
      this.#folders.add(file);
    }, true);
  }

  /** Notes the service's answer, also in an entry of an earlier run. Never throws. */
  async answered(key: ResourceKey, answer: Answer): Promise<void> {
    const file = this.#fileOf(key);
    if (file === undefined) return;
    const known = this.#own.get(file)?.entry ?? (await this.openEntry(key))?.entry;
    if (known === undefined || "reason" in known) return;
    const entry = { ...known, ...answer };
    await this.#faults
      .guarded(async () => {
        if (this.#isStill(file, entry.token)) await noteAnswer(file, answer);
      })
      .catch(() => undefined);
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

  /** What earlier runs have left of the resource's stack that was answered, and that no state of this run has confirmed. */
  idsLeft({ urn, serviceUrl }: ResourceKey): string[] {
    const folder = this.#folders.of(urn);
    if (folder === undefined) return [];
    const isWanted = (entry: Entry) => this.#isAbout(entry, { urn: entry.urn, serviceUrl });
    const files = this.#folders.filesIn(folder);
    const found = this.#found.get(folder) ?? idsIn(files, isWanted);
    this.#found.set(folder, found);
    return files.flatMap((file) => (this.#own.has(file) ? [] : (found.get(file) ?? [])));
  }

  /** It ended in doubt: the entry stays for the next run. */
  leaveToNextRun(key: ResourceKey): void {
    this.#own.delete(this.#fileOf(key) ?? "");
  }

  /** Removes the entry of a request that certainly did nothing, or is given up. */
  async drop(key: ResourceKey): Promise<void> {
    const file = this.#fileOf(key);
    if (file === undefined) return;
    await this.#faults.guarded(async () => this.#remove(file));
  }

  /** The state has this id with these outputs: closes an entry that waits for them. Never throws. */
  confirmed(key: ResourceKey, id: string, state: Properties = {}): void {
    const folder = this.#folders.of(key.urn);
    // Every read and diff calls this, and almost none has an entry to close.
    if (folder === undefined || (this.#own.size === 0 && this.#folders.isKnownEmpty(folder))) return;
    const file = this.#fileOf(key) as string;
    if (!this.#isListed(file)) return;
    this.#faults
      .guarded(async () => {
        const entry = entryAt(file);
        if (typeof entry === "string" || entry.id !== id || !this.isIn(state, entry)) return;
        this.closing(entry);
        this.#remove(file);
      })
      .catch(() => undefined);
  }

  /** Whether this machine has made the id, or may just be making it, for another resource. */
  async isMadeElsewhere(key: ResourceKey, id: string, name: string): Promise<boolean> {
    const file = this.#fileOf(key);
    if (file === undefined) return false;
    return this.madeIds.has(key.serviceUrl, id, name, file);
  }

  /** Whether a request is under way of which no answer is noted yet. */
  get awaitsAnswers(): boolean {
    return [...this.#own.values()].some(({ entry }) => !this.isAnswered(entry));
  }

  #remove(file: string): void {
    removeIfThere(file);
    this.#own.delete(file);
    this.#folders.delete(file);
  }

  /** Whether it was there when this run first looked, or is its own. */
  #isListed(file: string): boolean {
    return this.#own.has(file) || this.#folders.has(file);
  }

  /** Whether the file still holds that request: another run may have given it up meanwhile. */
  #isStill(file: string, token: string): boolean {
    const entry = entryAt(file);
    return typeof entry !== "string" && entry.token === token;
  }

  #fileOf({ urn, serviceUrl }: ResourceKey): string | undefined {
    if (this.#folder === undefined || urn === "") return undefined;
    const { subject } = this;
    return path.join(this.#folder, ...placeOf({ urn, serviceUrl, backend: this.#backend, subject }));
  }
}
