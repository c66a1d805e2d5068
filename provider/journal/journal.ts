/**
 * The journal of creations, and that of updates: each is written down before its request is sent, what the service made
 * of it after the answer, and closed once the state is known to hold it. What a run that was killed has left in it, the
 * next run finds and does not make twice.
 */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import path from "node:path";
import { Claims } from "./claims";
import { type Entry, entryIn, isAnswered, placeOf, type Subject, textOf, type Unreadable } from "./entry";
import { createDurably, readIfThere, removeIfThere, replaceWhole } from "./files";
import { Folders } from "./folders";
import type { Place } from "./place";
import { unusable } from "./words";

export { MEMORY_MS } from "./claims";
export type { Entry, Subject, Unreadable } from "./entry";

/** What a creation or an update tells the journal; the rest of the entry is the journal's own. */
export type Intent = Omit<
  Entry,
  "version" | "token" | "backend" | "sentAt" | "serviceTime" | "overAt" | "answer"
>;

/** When a request is sent, by both clocks, and when it can no longer arrive. */
export type Moment = Pick<Entry, "sentAt" | "serviceTime" | "overAt">;

export interface Found {
  readonly file: string;
  readonly entry: Entry | Unreadable;
}

/** Another run writes about the same resource. */
export class JournalConflict extends Error {
  override readonly name = "JournalConflict";
}

export class Journal {
  readonly #subject: Subject;
  readonly #folder: string | undefined;
  readonly #backend: string;
  readonly #claims: Claims;
  readonly #warn: (words: string) => Promise<void>;
  /** Entries of this process, by file. */
  readonly #own = new Map<string, { readonly entry: Entry; readonly handedOver: boolean }>();
  readonly #folders: Folders;
  readonly #pending = new Set<Promise<void>>();
  #warned = false;

  constructor(place: Place, warn: (words: string) => Promise<void>, subject: Subject = "creation") {
    this.#subject = subject;
    this.#folder = place.folder;
    this.#folders = new Folders(place.folder);
    this.#backend = place.backend;
    this.#claims = new Claims(place.folder ?? "");
    this.#warn = warn;
  }

  /** What an earlier run has left about the resource; undefined where there is nothing. */
  async find(urn: string, serviceUrl: string): Promise<Found | undefined> {
    const file = this.#fileOf(urn, serviceUrl);
    if (file === undefined) return undefined;
    await Promise.all(this.#pending);
    // Each update asks, few have left anything: a look at the folder for all of them must do.
    if (this.#subject === "update" && !(await this.#isListed(file))) return undefined;
    try {
      const found = await readIfThere(file);
      if (found === undefined) return undefined;
      const entry = entryIn(found.text);
      const reason = typeof entry === "string" ? entry : "it is about another resource";
      const fits =
        typeof entry !== "string" &&
        entry.urn === urn &&
        (entry.kind === "update") === (this.#subject === "update") &&
        entry.serviceUrl === serviceUrl &&
        entry.backend === this.#backend;
      if (!fits) return { file, entry: { reason, changedAt: found.changedAt } };
      if (!(await this.#isOver(file, entry))) return { file, entry };
      await this.#remove(file);
      return undefined;
    } catch (error) {
      await this.#unusable(error);
      return undefined;
    }
  }

  /**
   * Writes that the request is about to be sent, or sent again; on disk when it returns. Throws a JournalConflict when
   * another run has written about the same resource meanwhile.
   */
  async sending(intent: Intent, moment: Moment): Promise<void> {
    const file = this.#fileOf(intent.urn, intent.serviceUrl);
    if (file === undefined) return;
    const before = this.#own.get(file)?.entry;
    const token = before?.token ?? randomUUID();
    const entry: Entry = { version: 1, token, ...intent, backend: this.#backend, ...moment };
    await this.#guarded(async () => {
      if (before === undefined) await createDurably(file, textOf(entry));
      else if (await this.#isStill(file, token)) await replaceWhole(file, textOf(entry));
      else throw new JournalConflict(`another run has taken over ${file}`);
      this.#own.set(file, { entry, handedOver: false });
      await this.#folders.add(file);
    });
  }

  /** Notes the id that the service gave, also to an entry that an earlier run has left. Never throws. */
  made(urn: string, serviceUrl: string, id: string): Promise<void> {
    return this.#note(urn, serviceUrl, { id });
  }

  /** Notes the latest revision that an update was answered, null for none, in the same way. */
  answered(urn: string, serviceUrl: string, answer: string | null): Promise<void> {
    return this.#note(urn, serviceUrl, { answer });
  }

  async #note(urn: string, serviceUrl: string, told: Pick<Entry, "id" | "answer">): Promise<void> {
    const file = this.#fileOf(urn, serviceUrl);
    if (file === undefined) return;
    const found = this.#own.get(file)?.entry ?? (await this.find(urn, serviceUrl))?.entry;
    if (found === undefined || "reason" in found) return;
    const entry = { ...found, ...told };
    await this.#guarded(async () => {
      if (await this.#isStill(file, entry.token)) await replaceWhole(file, textOf(entry));
    }).catch(() => undefined);
    this.#own.set(file, { entry, handedOver: false });
  }

  /** What an earlier run has left is this run's from now on: its next request takes the entry's place. */
  goOn(file: string, entry: Entry): void {
    this.#own.set(file, { entry, handedOver: false });
  }

  /** The engine has been told the result: once it ends in good order, the state has it. */
  handedOver(urn: string, serviceUrl: string): void {
    const file = this.#fileOf(urn, serviceUrl) ?? "";
    const own = this.#own.get(file);
    if (own?.entry.id !== undefined) this.#own.set(file, { ...own, handedOver: true });
  }

  /** It ended in doubt: the entry stays for the next run. */
  letGo(urn: string, serviceUrl: string): void {
    this.#own.delete(this.#fileOf(urn, serviceUrl) ?? "");
  }

  /** Removes the entry of what has certainly done nothing, or is given up. */
  async drop(urn: string, serviceUrl: string): Promise<void> {
    const file = this.#fileOf(urn, serviceUrl);
    if (file === undefined) return;
    await this.#guarded(() => this.#remove(file));
  }

  /** The state has this id, in that generation: an entry that waits for that is closed, later and aside. */
  confirmed(urn: string, serviceUrl: string, id: string, generation?: unknown): void {
    const folder = this.#folders.of(urn);
    // Each read and each diff of a run asks, and next to none has anything to close.
    if (folder === undefined || (this.#own.size === 0 && this.#folders.isKnownEmpty(folder))) return;
    const file = this.#fileOf(urn, serviceUrl) as string;
    const job = this.#close(file, id, generation).catch((error: unknown) => this.#unusable(error));
    this.#pending.add(job);
    void job.finally(() => this.#pending.delete(job));
  }

  /** Whether this machine has made it, or may just be making it, for another resource. */
  async claimedElsewhere(urn: string, serviceUrl: string, id: string, name: string): Promise<boolean> {
    const file = this.#fileOf(urn, serviceUrl);
    if (file === undefined) return false;
    await Promise.all(this.#pending);
    return this.#claims.has(serviceUrl, id, name, file);
  }

  /** Whether a request is under way of which no answer is noted yet. */
  get awaitsAnswers(): boolean {
    return [...this.#own.values()].some(({ entry }) => !isAnswered(entry));
  }

  /**
   * The engine ends in good order, all that it was told is in the state: at once, since the process ends with it. The
   * files of creations, whose ids are to be remembered, are removed by a later run, which has the time.
   */
  closeHandedOver(): void {
    const over = [...this.#own].filter(([, { handedOver }]) => handedOver);
    if (over.length === 0) return;
    try {
      if (this.#subject === "creation") this.#claims.rememberAtOnce(over.map(([, { entry }]) => entry));
      else for (const [file] of over) rmSync(file, { force: true });
    } catch {
      // What stays open is closed by the next run that finds the id in the state.
    }
  }

  async #close(file: string, id: string, generation: unknown): Promise<void> {
    if (!(await this.#isListed(file))) return;
    const entry = entryIn((await readIfThere(file))?.text ?? "");
    if (typeof entry === "string" || entry.id !== id) return;
    if (this.#subject === "creation") await this.#claims.remember(entry);
    else if (entry.generation === undefined || entry.generation !== generation) return;
    await this.#remove(file);
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

  /** Whether the state is known to hold what the entry is about. */
  async #isOver(file: string, { id, serviceUrl }: Entry): Promise<boolean> {
    if (this.#subject === "update") return this.#own.get(file)?.handedOver === true;
    return id !== undefined && this.#claims.isClosed(serviceUrl, id);
  }

  /** Whether the file still holds that request: another run may have given it up meanwhile. */
  async #isStill(file: string, token: string): Promise<boolean> {
    const entry = entryIn((await readIfThere(file))?.text ?? "");
    return typeof entry !== "string" && entry.token === token;
  }

  #fileOf(urn: string, serviceUrl: string): string | undefined {
    if (this.#folder === undefined || urn === "") return undefined;
    const key = { urn, serviceUrl, backend: this.#backend, subject: this.#subject };
    return path.join(this.#folder, ...placeOf(key));
  }

  /** A journal that cannot be written must not make anything impossible; that another run is at it, must. */
  async #guarded(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (error instanceof JournalConflict) throw error;
      const { code, path: place } = error as NodeJS.ErrnoException;
      if (code === "EEXIST" && place?.endsWith(".json"))
        throw new JournalConflict(`another run has just written ${place}`);
      await this.#unusable(error);
    }
  }

  async #unusable(error: unknown): Promise<void> {
    if (this.#warned) return;
    this.#warned = true;
    await this.#warn(unusable(this.#subject, error, this.#folder)).catch(() => undefined);
  }
}
