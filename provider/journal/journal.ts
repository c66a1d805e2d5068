/**
 * The journal: a durable map from keys to attempts. A run records each attempt before it sends the request, and notes
 * the service's answer. The engine ends its plugins before it writes the final state, so a run keeps its attempts. A
 * later run drops an attempt once the state has the result. After a killed run, the next run makes nothing twice.
 */
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import type { State } from "../schema/recorded";
import {
  type Attempt,
  type AttemptKey,
  attemptIn,
  type Intent,
  isRecorded,
  type Moment,
  notAhead,
  placeOf,
  textOf,
} from "./attempt";
import { Faults, JournalConflict, UnreadableAttempt } from "./faults";
import { createDurably, moveAside, readIfExists, removeIfExists, replaceWhole } from "./files";
import type { JournalPlace } from "./place";
import { trustFolder } from "./trust";

export class Journal {
  readonly #folder: string | undefined;
  readonly #backend: string;
  readonly #faults: Faults;
  /** The attempts that this process has written or taken over, by file. */
  readonly #mine = new Map<string, Attempt>();
  /** The files of the attempts whose requests are in flight. */
  readonly #sending = new Set<string>();
  /** Tokens of the attempts whose results the engine has received. */
  readonly #reported = new Set<string>();

  constructor(place: JournalPlace, warn: (words: string) => Promise<void>) {
    this.#folder = place.folder;
    this.#backend = place.backend;
    this.#faults = new Faults(place, warn);
  }

  /**
   * The open attempt for the key, which this run may now continue; undefined if there is none. Throws an
   * UnreadableAttempt, but only once for each file, because the file is then renamed.
   */
  async get(key: AttemptKey): Promise<Attempt | undefined> {
    const file = this.fileOf(key);
    if (file === undefined) return undefined;
    try {
      trustFolder(this.#folder as string);
      const attempt = this.#read(file);
      this.#mine.delete(file);
      if (attempt === undefined) return undefined;
      if (typeof attempt === "string") throw new UnreadableAttempt(moveAside(file), attempt);
      this.#mine.set(file, attempt);
      if (!this.#reported.has(attempt.token)) return attempt;
      this.#remove(file);
      return undefined;
    } catch (error) {
      if (error instanceof UnreadableAttempt) throw error;
      await this.#faults.warn(error);
      return undefined;
    }
  }

  /**
   * Records that the request is about to be sent or sent again. The attempt is on disk when this method returns. Throws
   * a JournalConflict if another run has an attempt for the key, and an Error if a required attempt cannot be recorded.
   */
  async put(intent: Intent, moment: Moment): Promise<void> {
    const file = this.fileOf(intent);
    if (file === undefined) return;
    const token = this.#mine.get(file)?.token ?? randomUUID();
    const attempt: Attempt = { version: 1, token, ...intent, backend: this.#backend, ...moment };
    await this.#faults.guarded(async () => {
      trustFolder(this.#folder as string);
      if (!this.#mine.has(file)) await createDurably(file, textOf(attempt));
      else if (isStill(file, token)) await replaceWhole(file, textOf(attempt));
      else throw new JournalConflict(`another run has taken over ${file}`);
      this.#mine.set(file, attempt);
      this.#sending.add(file);
    }, true);
  }

  /** Notes the id that the service returned, in an attempt that this run has recorded or read. Never throws. */
  async answer(key: AttemptKey, answer: string | null): Promise<void> {
    const file = this.fileOf(key) ?? "";
    const before = this.#mine.get(file);
    if (before === undefined) return;
    const attempt = { ...before, answer };
    await this.#faults
      .guarded(async () => {
        if (isStill(file, attempt.token)) await replaceWhole(file, textOf(attempt));
      })
      .catch(() => undefined);
    this.#mine.set(file, attempt);
    this.#sending.delete(file);
  }

  /** Removes an attempt whose request certainly did nothing or was given up. */
  async drop(key: AttemptKey): Promise<void> {
    const file = this.fileOf(key);
    if (file !== undefined) await this.#faults.guarded(async () => this.#remove(file));
  }

  /**
   * Notes that the engine has received the result of an update, so that this run no longer continues the attempt.
   * Drops the attempt if `outputs` lack the attempt's result. No later state will have this result, because the program
   * has gone back to the arguments from before the request. An attempt that is still in doubt stays.
   */
  async reported(key: AttemptKey, outputs: State): Promise<void> {
    const attempt = this.#mine.get(this.fileOf(key) ?? "");
    if (attempt === undefined || outputs.uncertainSince !== undefined) return;
    this.#reported.add(attempt.token);
    if (!isRecorded(attempt, attempt.id ?? "", outputs)) await this.drop(key).catch(() => undefined);
  }

  /** Drops the attempt if the state has the attempt's result. `id`: the id of the resource. Never throws. */
  confirmed(key: AttemptKey, id: string, state: State): void {
    const file = this.fileOf(key);
    // Returns early, because every read and diff calls this method, and there is almost never an attempt to drop.
    if (file === undefined || !existsSync(file)) return;
    this.#faults
      .guarded(async () => {
        const attempt = attemptIn(readIfExists(file) ?? "");
        if (typeof attempt === "object" && isRecorded(attempt, id, state)) this.#remove(file);
      })
      .catch(() => undefined);
  }

  /** Whether an attempt of another resource, in any stack on this machine, may have made or changed this deployment. */
  isMadeElsewhere(intent: Intent, id: string, name: string): boolean {
    const ownFile = this.fileOf(intent);
    if (ownFile === undefined) return false;
    return this.#attemptsBelow(this.#folder as string, (file) => file === ownFile).some((attempt) => {
      if (attempt.kind !== intent.kind || attempt.serviceUrl !== intent.serviceUrl) return false;
      const madeId = attempt.id ?? attempt.answer ?? undefined;
      // An attempt without a name is about a resource with a secret name, which may equal `name`.
      return madeId === undefined ? ["", name].includes(attempt.name) : madeId === id;
    });
  }

  /**
   * A creation that has no answer yet and can still arrive. An earlier run of this stack began the creation for a
   * deployment with this name, but for a different resource.
   */
  creationElsewhere(key: AttemptKey, name: string, now: number): Attempt | undefined {
    const ownFile = this.fileOf(key);
    if (ownFile === undefined) return undefined;
    // This run's own attempts do not count, because they are not interrupted.
    const isOurs = (file: string) => file === ownFile || this.#mine.has(file);
    return this.#attemptsBelow(path.dirname(ownFile), isOurs).find(
      ({ purpose, serviceUrl, answer, expiresAt, ...attempt }) =>
        purpose === "create" &&
        attempt.backend === this.#backend &&
        attempt.kind === "deployment" &&
        attempt.name === name &&
        serviceUrl === key.serviceUrl &&
        answer === undefined &&
        expiresAt > now,
    );
  }

  /** The readable attempts in the files below the folder. */
  #attemptsBelow(folder: string, isSkipped: (file: string) => boolean): Attempt[] {
    return filesIn(folder)
      .map((file) => path.join(folder, file))
      .filter((file) => file.endsWith(".json") && !isSkipped(file))
      .map((file) => this.#read(file))
      .filter((attempt) => typeof attempt === "object");
  }

  /** Whether a request is in flight and its answer is not noted yet. */
  get awaitsAnswers(): boolean {
    return this.#sending.size > 0;
  }

  /** The file of the key's attempt; undefined if the journal records nothing about the resource. */
  fileOf(key: AttemptKey): string | undefined {
    if (this.#folder === undefined || key.urn === "") return undefined;
    return path.join(this.#folder, ...placeOf(key, this.#backend));
  }

  /** The attempt in the file, or why it cannot be read; undefined if there is no file. */
  #read(file: string): Attempt | string | undefined {
    try {
      const text = readIfExists(file);
      const attempt = text === undefined ? undefined : attemptIn(text);
      if (typeof attempt !== "object") return attempt;
      const place = path.join(this.#folder as string, ...placeOf(attempt, attempt.backend));
      return place === file ? notAhead(attempt, Date.now()) : "it is about another resource";
    } catch (error) {
      return (error as Error).message;
    }
  }

  #remove(file: string): void {
    removeIfExists(file);
    this.#mine.delete(file);
    this.#sending.delete(file);
  }
}

/** The files below the folder; none if the folder cannot be read, because then no run uses its attempts. */
function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}

/** Whether the file still has the attempt with that token. Another run may have removed or replaced the attempt. */
function isStill(file: string, token: string): boolean {
  const attempt = attemptIn(readIfExists(file) ?? "");
  return typeof attempt === "object" && attempt.token === token;
}
