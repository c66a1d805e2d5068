/**
 * Notes about failed revisions, in the journal's folder. A deployment that does not wait for its revision cannot
 * record how the revision ended. A Rollout waits in the deployment's place, but can write only its own state.
 * So the Rollout notes the failure here, and the deployment's next plan reads the note.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { State } from "../schema/recorded";
import { hashOf } from "./attempt";
import { readIfExists, removeIfExists } from "./files";
import type { JournalPlace } from "./place";
import { trustFolder } from "./trust";

/** Finds a revision's note by its deployment's state. Without a usable journal, only a refresh finds failures. */
export class FailedRevisions {
  readonly #journal: string | undefined;

  constructor({ folder }: JournalPlace) {
    this.#journal = folder;
  }

  note(state: State, status: string): void {
    this.#at(state, (file) => {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, status, { mode: 0o600 });
    });
  }

  /** The failed revision's status; undefined if no failure is noted. */
  statusOf(state: State): string | undefined {
    return this.#at(state, readIfExists);
  }

  /** Removes the note. A successful update makes the note obsolete. */
  forget(state: State): void {
    this.#at(state, removeIfExists);
  }

  #at<T>({ serviceUrl, latestRevisionId: id }: State, use: (file: string) => T): T | undefined {
    if (this.#journal === undefined || typeof serviceUrl !== "string" || typeof id !== "string")
      return undefined;
    try {
      trustFolder(this.#journal);
      return use(path.join(this.#journal, "failed", hashOf(serviceUrl, id)));
    } catch {
      return undefined;
    }
  }
}
