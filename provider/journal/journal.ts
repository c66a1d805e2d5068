/**
 * A journal of requests. A run records each request before sending it, and notes the service's answer. A later run
 * closes the entry when the state has the result, because the engine ends its plugins before it writes the state for
 * the last time. After a killed run, the next run finds the entries and creates nothing twice.
 */

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import type { State } from "../schema/recorded";
import {
  type Answer,
  type Entry,
  hasAnswer,
  type Intent,
  isSameResource,
  type Moment,
  type Operation,
  operationOf,
  placeOf,
  type ResourceKey,
  textOf,
} from "./entry";
import { Faults, JournalConflict, UnreadableEntry } from "./faults";
import { createDurably, moveAside, removeIfExists, replaceWhole } from "./files";
import { allEntriesIn, entryAt, entryOrFaultAt, noteAnswer } from "./folders";
import type { JournalPlace } from "./place";
import { trustFolder } from "./trust";

/** An entry that an earlier run left for a resource. */
interface OpenEntry {
  readonly file: string;
  readonly entry: Entry;
}

/** An entry that this process wrote or inherited. */
interface RunEntry {
  readonly entry: Entry;
  /** Whether the engine has received the result. */
  readonly isReported: boolean;
}

export abstract class Journal {
  /** The operation that the entries record. Each operation has its own files. */
  protected abstract readonly operation: Operation;
  readonly #folder: string | undefined;
  readonly #backend: string;
  readonly #faults: Faults;
  /** Entries of this process, by file. */
  readonly #entries = new Map<string, RunEntry>();

  constructor(place: JournalPlace, warn: (words: string) => Promise<void>) {
    this.#folder = place.folder;
    this.#backend = place.backend;
    this.#faults = new Faults(place, warn, () => this.operation);
  }

  /** Whether the outputs of a failed operation have everything that the entry records. */
  abstract isSettledBy(outputs: State): boolean;
  /** Whether the state is known to have the entry's result. */
  protected abstract isOver(entry: Entry, isReported: boolean): boolean;
  /** Whether this state of the entry's resource has the entry's result. */
  protected abstract isIn(state: State, entry: Entry): boolean;

  /** The entry that an earlier run left for the resource, or undefined. Throws an UnreadableEntry, once. */
  async openEntry(key: ResourceKey): Promise<OpenEntry | undefined> {
    const file = this.#fileOf(key);
    if (file === undefined) return undefined;
    try {
      trustFolder(this.#folder as string);
      const entry = entryOrFaultAt(file, (each) => this.#isAbout(each, key));
      if (entry === undefined) return undefined;
      if (typeof entry === "string") throw new UnreadableEntry(moveAside(file), entry);
      if (!this.isOver(entry, this.#entries.get(file)?.isReported === true)) return { file, entry };
      this.#remove(file);
      return undefined;
    } catch (error) {
      if (error instanceof UnreadableEntry) throw error;
      await this.#faults.warn(error);
      return undefined;
    }
  }

  #isAbout(entry: Entry, key: ResourceKey): boolean {
    return (
      isSameResource(entry, key) && entry.backend === this.#backend && operationOf(entry) === this.operation
    );
  }

  /**
   * Writes an entry to disk that says that the request is about to be sent, or sent again. Throws a JournalConflict if
   * another run has an entry about the same resource, and a JournalUnusable if a required entry cannot be written.
   */
  async sending(intent: Intent, moment: Moment): Promise<void> {
    const file = this.#fileOf(intent);
    if (file === undefined) return;
    const before = this.#entries.get(file)?.entry;
    const token = before?.token ?? randomUUID();
    const entry: Entry = { version: 1, token, ...intent, backend: this.#backend, ...moment };
    await this.#faults.guarded(async () => {
      trustFolder(this.#folder as string);
      if (before === undefined) await createDurably(file, textOf(entry));
      else if (this.#isStill(file, token)) await replaceWhole(file, textOf(entry));
      else throw new JournalConflict(`another run has taken over ${file}`);
      this.#entries.set(file, { entry, isReported: false });
    }, true);
  }

  /** Notes the service's answer, even in an entry of an earlier run. Never throws. */
  async answered(key: ResourceKey, answer: Answer): Promise<void> {
    const file = this.#fileOf(key);
    if (file === undefined) return;
    const openEntry =
      this.#entries.get(file)?.entry ?? (await this.openEntry(key).catch(() => undefined))?.entry;
    if (openEntry === undefined) return;
    const entry = { ...openEntry, ...answer };
    await this.#faults
      .guarded(async () => {
        if (this.#isStill(file, entry.token)) await noteAnswer(file, answer);
      })
      .catch(() => undefined);
    this.#entries.set(file, { entry, isReported: false });
  }

  /** Takes over an earlier run's entry. The next request replaces the entry. */
  inherit(file: string, entry: Entry): void {
    this.#entries.set(file, { entry, isReported: false });
  }

  /**
   * Notes that the engine has received the result. Removes an entry that no later state closes: the program has gone back
   * to the arguments from before the entry's request, and the result settles that.
   */
  reported(key: ResourceKey, outputs: object = {}): void {
    const file = this.#fileOf(key) ?? "";
    const runEntry = this.#entries.get(file);
    if (runEntry?.entry.id === undefined) return;
    this.#entries.set(file, { ...runEntry, isReported: true });
    if (!this.isIn(outputs as State, runEntry.entry)) this.drop(key).catch(() => undefined);
  }

  /** Leaves the entry to the next run, because it is unknown whether the entry's request took effect. */
  leaveToNextRun(key: ResourceKey): void {
    this.#entries.delete(this.#fileOf(key) ?? "");
  }

  /** Removes the entry, because the entry's request certainly did nothing or has been given up. */
  async drop(key: ResourceKey): Promise<void> {
    const file = this.#fileOf(key);
    if (file === undefined) return;
    await this.#faults.guarded(async () => this.#remove(file));
  }

  /** Closes the entry if this state, with this id, has the entry's result. Never throws. */
  confirmed(key: ResourceKey, id: string, state: State = {}): void {
    const file = this.#fileOf(key);
    // Returns early, because every read and diff calls this method, and almost none has an entry to close.
    if (file === undefined || !existsSync(file)) return;
    this.#faults
      .guarded(async () => {
        const entry = entryAt(file);
        if (typeof entry === "string" || entry.id !== id || !this.isIn(state, entry)) return;
        this.#remove(file);
      })
      .catch(() => undefined);
  }

  /** Whether an open entry of another resource, in any stack on this machine, may be about the deployment with this id. */
  isMadeElsewhere(key: ResourceKey, id: string, name: string): boolean {
    const file = this.#fileOf(key);
    if (file === undefined) return false;
    return allEntriesIn(this.#folder as string, file).some(
      (entry) =>
        entry.serviceUrl === key.serviceUrl &&
        // An entry without a name is about a resource with a secret name, which may equal `name`.
        (entry.id === undefined ? ["", name].includes(entry.name) : entry.id === id),
    );
  }

  /** Whether a request is under way and its answer is not noted yet. */
  get awaitsAnswers(): boolean {
    return [...this.#entries.values()].some(({ entry }) => !hasAnswer(entry));
  }

  #remove(file: string): void {
    removeIfExists(file);
    this.#entries.delete(file);
  }

  /** Whether the file still has that request's entry: another run may have removed or replaced the entry. */
  #isStill(file: string, token: string): boolean {
    const entry = entryAt(file);
    return typeof entry !== "string" && entry.token === token;
  }

  #fileOf({ urn, serviceUrl }: ResourceKey): string | undefined {
    if (this.#folder === undefined || urn === "") return undefined;
    const { operation } = this;
    return path.join(this.#folder, ...placeOf({ urn, serviceUrl, backend: this.#backend, operation }));
  }
}
