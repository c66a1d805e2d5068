/**
 * Claims of names: of all runs that share the journal's folder, one at a time creates a deployment of a name.
 *
 * Each contender makes an empty file of its own, then looks for others: of two, the later one to look sees the other. So no
 * file is ever taken over, and a run that was killed holds its claim just as long as its request may still arrive. The files
 * are empty, since every creation pays for each step: the time of its last change says until when one holds. None is ever
 * renamed, as a listing may miss a file meanwhile; one that has led to a creation gets a second name before its first goes.
 */
import { randomUUID } from "node:crypto";
import { closeSync, linkSync, mkdirSync, openSync, rmdirSync, statSync, utimesSync } from "node:fs";
import path from "node:path";
import { hashOf, type Moment } from "./entry";
import { JournalConflict } from "./faults";
import { ifThere, isMissing, namesIn, removeIfThere } from "./files";

export interface Claim {
  /** Whether no other run can have created the name since this run has listed what there is. */
  readonly isFirst: boolean;
  /** To be called right before each try. Throws a JournalConflict where another run has the claim by now. */
  renew(moment: Moment): Promise<void>;
  release(outcome: "made" | "not made"): void;
}

/** What is claimed. A name that is secret leaves no trace: all of them are claimed together, as the empty one. */
export interface ClaimedName {
  readonly serviceUrl: string;
  readonly name: string;
}

/** How long a claim holds whose request is not sent yet. */
const UNSENT_MS = 10_000;
const LOOKS_AT_OTHERS = 40;
const BETWEEN_LOOKS_MS = 50;
/** Longer than any listing of a run is used. */
const MEMORY_MS = 3_600_000;
const FREE: Claim = { isFirst: true, renew: async () => {}, release: () => {} };
/** A contender's file is named `claim-ID`; `made-RUN` says which run has created the name. */
const [CLAIM, MADE] = ["claim-", "made-"];

export class NameClaims {
  readonly #root: string | undefined;
  readonly #made = `${MADE}${randomUUID()}`;
  #swept = false;

  /** `journal`: its folder; without one, or where it cannot be written, every claim is granted. */
  constructor(journal: string | undefined) {
    this.#root = journal === undefined ? undefined : path.join(journal, "names");
  }

  /** The claim; undefined while another run has it. */
  claim({ serviceUrl, name }: ClaimedName, now: number): Claim | undefined {
    if (this.#root === undefined) return FREE;
    this.#forgetOld(this.#root, now);
    const folder = path.join(this.#root, hashOf(serviceUrl, name));
    if (isClaimed(folder, namesIn(folder), now)) return undefined;
    const own = `${CLAIM}${randomUUID()}`;
    if (!make(path.join(folder, own))) return FREE;
    const others = namesIn(folder).filter((file) => file !== own);
    if (isClaimed(folder, others, now)) {
      removeIfThere(path.join(folder, own));
      return undefined;
    }
    const left = others.filter((file) => file.startsWith(CLAIM));
    for (const file of left) removeIfThere(path.join(folder, file));
    return this.#granted(folder, own, left.length === 0 && !this.#isMadeByOther(folder, others, now));
  }

  #granted(folder: string, own: string, isFirst: boolean): Claim {
    const file = path.join(folder, own);
    return {
      isFirst,
      renew: async ({ sentAt, overAt }) => {
        const taken = new JournalConflict(
          "another run on this machine is creating a deployment of this name",
        );
        // Whoever has only just come sees this claim too, and goes: it is taken if somebody stays.
        for (let looks = 1; ; looks += 1) {
          if (!holdUntil(file, overAt)) throw taken;
          const others = namesIn(folder).filter((each) => each !== own);
          if (!isClaimed(folder, others, sentAt)) return;
          if (looks === LOOKS_AT_OTHERS) throw taken;
          await new Promise((done) => setTimeout(done, BETWEEN_LOOKS_MS));
        }
      },
      release: (outcome) => {
        if (outcome === "made") makeOf(file, path.join(folder, this.#made));
        clearAway(() => removeIfThere(file));
        // Only an empty folder goes.
        if (outcome !== "made") clearAway(() => rmdirSync(folder));
      },
    };
  }

  #isMadeByOther(folder: string, files: readonly string[], now: number): boolean {
    const made = files.filter((file) => file.startsWith(MADE) && file !== this.#made);
    return made.some((file) => now - changeOf(path.join(folder, file)) < MEMORY_MS);
  }

  #forgetOld(root: string, now: number): void {
    if (this.#swept) return;
    this.#swept = true;
    for (const name of namesIn(root)) {
      const folder = path.join(root, name);
      for (const made of namesIn(folder).filter((file) => file.startsWith(MADE))) {
        const file = path.join(folder, made);
        if (now - changeOf(file) >= MEMORY_MS) clearAway(() => removeIfThere(file));
      }
      clearAway(() => rmdirSync(folder));
    }
  }
}

/** Whether one of the files is the claim of somebody whose request may still be sent, or arrive. */
function isClaimed(folder: string, files: readonly string[], now: number): boolean {
  const claims = files.filter((file) => file.startsWith(CLAIM));
  return claims.some((file) => now < changeOf(path.join(folder, file)) + UNSENT_MS);
}

/** When the file was last changed, in ms since 1970, or is said to have been; as long ago as can be where there is none. */
function changeOf(file: string): number {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}

/** Whether it was still there. A new file holds for the time of a claim whose request is not sent. */
function holdUntil(file: string, moment: number): boolean {
  const changedAt = (moment - UNSENT_MS) / 1_000;
  return (
    ifThere(() => {
      utimesSync(file, changedAt, changedAt);
      return true;
    }) ?? false
  );
}

/** Makes an empty file; false where that cannot be. Another run may just remove the empty folder: then once more. */
function make(file: string, isAgain = false): boolean {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, "a", 0o600));
    return true;
  } catch (error) {
    return !isAgain && isMissing(error) && make(file, true);
  }
}

/** The same, as a second name of a file that is there: to make a file, or take it away, costs the disk far more. */
function makeOf(known: string, file: string): boolean {
  try {
    linkSync(known, file);
    return true;
  } catch {
    return make(file);
  }
}

/** What cannot be cleared away is in nobody's way for long. */
function clearAway(clear: () => void): void {
  try {
    clear();
  } catch {}
}
