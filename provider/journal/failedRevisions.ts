/**
 * Notes of failed revisions, in the journal's folder. A deployment that does not wait for its revision cannot record how
 * the revision ended, and a Rollout, which waits in its place, can record it only in its own state. So the Rollout notes
 * the failure here, and the deployment's next plan reads the note.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hashOf } from "./entry";
import { readIfExists, removeIfExists } from "./files";
import type { JournalPlace } from "./place";
import { trustFolder } from "./trust";

/** Identifies a revision by the outputs of its deployment. */
interface RevisionKey {
  readonly serviceUrl?: unknown;
  readonly latestRevisionId?: unknown;
}

/** Without a journal that can be used there are no notes, and only a refresh finds the failures. */
export class FailedRevisions {
  readonly #journal: string | undefined;

  constructor({ folder }: JournalPlace) {
    this.#journal = folder;
  }

  note(key: RevisionKey, status: string): void {
    this.#at(key, (file) => {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, status, { mode: 0o600 });
    });
  }

  /** How the revision failed; undefined if no failure is noted. */
  statusOf(key: RevisionKey): string | undefined {
    return this.#at(key, readIfExists);
  }

  /** Removes the note: the state names a later revision now. */
  forget(key: RevisionKey): void {
    this.#at(key, removeIfExists);
  }

  #at<T>({ serviceUrl, latestRevisionId: id }: RevisionKey, use: (file: string) => T): T | undefined {
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
