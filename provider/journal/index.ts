/**
 * The journal of creations: each is written down before its request is sent, its id after the answer, and closed once
 * the state is known to hold it. What a run that was killed has left in it, the next run finds and does not make twice.
 */
import { randomUUID } from "node:crypto";
import { unlink } from "node:fs/promises";
import path from "node:path";
import { Claims } from "./claims";
import { type Entry, entryIn, placeOf, type Unreadable } from "./entry";
import { createDurably, isMissing, namesIn, readIfThere, replaceWhole } from "./files";
import type { Place } from "./place";

export { MEMORY_MS } from "./claims";
export type { Entry, Unreadable } from "./entry";

/** What a creation tells the journal; the rest of the entry is the journal's own. */
export type Intent = Omit<
  Entry,
  "version" | "token" | "backend" | "sentAt" | "serviceTime" | "overAt" | "id"
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
  readonly #folder: string | undefined;
  readonly #backend: string;
  readonly #claims: Claims;
  readonly #warn: (words: string) => Promise<void>;
  /** Entries of this process, by file. */
  readonly #own = new Map<string, { readonly entry: Entry; readonly handedOver: boolean }>();
  readonly #listed = new Map<string, Promise<Set<string>>>();
  readonly #pending = new Set<Promise<void>>();
  #warned = false;

  constructor(place: Place, warn: (words: string) => Promise<void>) {
    this.#folder = place.folder;
    this.#backend = place.backend;
    this.#claims = new Claims(place.folder ?? "");
    this.#warn = warn;
  }

  /** What an earlier run has left about the resource; undefined where there is nothing. */
  async find(urn: string, serviceUrl: string): Promise<Found | undefined> {
    const file = this.#fileOf(urn, serviceUrl);
    if (file === undefined) return undefined;
    await Promise.all(this.#pending);
    try {
      const found = await readIfThere(file);
      if (found === undefined) return undefined;
      const entry = entryIn(found.text);
      const reason = typeof entry === "string" ? entry : "it is about another resource";
      const fits =
        typeof entry !== "string" &&
        entry.urn === urn &&
        entry.serviceUrl === serviceUrl &&
        entry.backend === this.#backend;
      if (!fits) return { file, entry: { reason, changedAt: found.changedAt } };
      const isOver = entry.id !== undefined && (await this.#claims.isClosed(serviceUrl, entry.id));
      if (!isOver) return { file, entry };
      await removed(file);
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
    });
  }

  /** Notes the id that the service gave, also to an entry that an earlier run has left. Never throws. */
  async made(urn: string, serviceUrl: string, id: string): Promise<void> {
    const file = this.#fileOf(urn, serviceUrl);
    if (file === undefined) return;
    const found = this.#own.get(file)?.entry ?? (await this.find(urn, serviceUrl))?.entry;
    if (found === undefined || "reason" in found) return;
    const entry = { ...found, id };
    await this.#guarded(async () => {
      if (await this.#isStill(file, entry.token)) await replaceWhole(file, textOf(entry));
    }).catch(() => undefined);
    this.#own.set(file, { entry, handedOver: false });
  }

  /** The engine has been told the id: once it ends in good order, the state has it. */
  handedOver(urn: string, serviceUrl: string): void {
    const file = this.#fileOf(urn, serviceUrl) ?? "";
    const own = this.#own.get(file);
    if (own?.entry.id !== undefined) this.#own.set(file, { ...own, handedOver: true });
  }

  /** The creation ended in doubt: its entry stays for the next run. */
  letGo(urn: string, serviceUrl: string): void {
    this.#own.delete(this.#fileOf(urn, serviceUrl) ?? "");
  }

  /** Removes the entry of a creation that certainly made nothing, or that is given up. */
  async drop(urn: string, serviceUrl: string): Promise<void> {
    const file = this.#fileOf(urn, serviceUrl);
    if (file === undefined) return;
    this.#own.delete(file);
    await this.#guarded(() => removed(file));
  }

  /** The state has this id: an entry that waits for that is closed, later and aside. */
  confirmed(urn: string, serviceUrl: string, id: string): void {
    const file = this.#fileOf(urn, serviceUrl);
    if (file === undefined) return;
    const job = this.#close(file, id).catch((error: unknown) => this.#unusable(error));
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
    return [...this.#own.values()].some(({ entry }) => entry.id === undefined);
  }

  /**
   * The engine ends in good order, all that it was told is in the state: at once, since the process ends with it. The
   * files are removed by a later run, which has the time.
   */
  closeHandedOver(): void {
    const over = [...this.#own.values()].filter(({ handedOver }) => handedOver);
    if (over.length === 0) return;
    try {
      this.#claims.rememberAtOnce(over.map(({ entry }) => entry));
    } catch {
      // What stays open is closed by the next run that finds the id in the state.
    }
  }

  async #close(file: string, id: string): Promise<void> {
    const folder = path.dirname(file);
    const listing = this.#listed.get(folder) ?? namesIn(folder).then((names) => new Set(names));
    this.#listed.set(folder, listing);
    if (!this.#own.has(file) && !(await listing).has(path.basename(file))) return;
    const entry = entryIn((await readIfThere(file))?.text ?? "");
    if (typeof entry === "string" || entry.id !== id) return;
    await this.#claims.remember(entry);
    this.#own.delete(file);
    await removed(file);
  }

  /** Whether the file still holds that creation: another run may have given it up meanwhile. */
  async #isStill(file: string, token: string): Promise<boolean> {
    const entry = entryIn((await readIfThere(file))?.text ?? "");
    return typeof entry !== "string" && entry.token === token;
  }

  #fileOf(urn: string, serviceUrl: string): string | undefined {
    if (this.#folder === undefined || urn === "") return undefined;
    return path.join(this.#folder, ...placeOf({ urn, serviceUrl, backend: this.#backend }));
  }

  /** A journal that cannot be written must not make creations impossible; that another run is at it, must. */
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
    const { code, path: place } = error as NodeJS.ErrnoException;
    await this.#warn(
      `the journal of creations cannot be used (${code ?? (error as Error).message} at ${place ?? this.#folder}): a creation that is interrupted ` +
        "now is guarded only by the look-up of its name. Set deploymentControl:journal (or DEPLOYMENT_CONTROL_JOURNAL) to a folder that can be written, or to off",
    ).catch(() => undefined);
  }
}

async function removed(file: string): Promise<void> {
  await unlink(file).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}

function textOf(entry: Entry): string {
  return `${JSON.stringify(entry, undefined, 2)}\n`;
}
