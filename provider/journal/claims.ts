/**
 * Claims of names: of all runs that share the journal's folder, one at a time creates a deployment of a name.
 *
 * Each contender makes an empty file of its own, then looks for others: of two, the later one to look sees the other. So no
 * file is ever taken over, and a run that was killed holds its claim just as long as its request may still arrive. The files
 * are empty, since every creation pays for each step: the time of its last change says until when one holds. None is ever
 * renamed, as a listing may miss a file meanwhile.
 */
import { randomUUID } from "node:crypto";
import { mkdir, open, rmdir, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { hashOf, type Moment } from "./entry";
import { JournalConflict } from "./faults";
import { isMissing, namesIn, removeIfThere } from "./files";

export interface Claim {
  /** Whether no other run can have created the name since this run has listed what there is. */
  readonly isFirst: boolean;
  /** To be called right before each try. Throws a JournalConflict where another run has the claim by now. */
  renew(moment: Moment): Promise<void>;
  release(outcome: "made" | "not made"): Promise<void>;
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
const FREE: Claim = { isFirst: true, renew: async () => {}, release: async () => {} };
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
  async claim({ serviceUrl, name }: ClaimedName, now: number): Promise<Claim | undefined> {
    if (this.#root === undefined) return FREE;
    await this.#forgetOld(this.#root, now);
    const folder = path.join(this.#root, hashOf(serviceUrl, name));
    if (await isClaimed(folder, await namesIn(folder), now)) return undefined;
    const own = `${CLAIM}${randomUUID()}`;
    const isMade = await make(path.join(folder, own)).catch(() => false);
    if (isMade === false) return FREE;
    const others = (await namesIn(folder)).filter((file) => file !== own);
    if (await isClaimed(folder, others, now)) {
      await removeIfThere(path.join(folder, own));
      return undefined;
    }
    const left = others.filter((file) => file.startsWith(CLAIM));
    for (const file of left) await removeIfThere(path.join(folder, file));
    return this.#granted(folder, own, left.length === 0 && !(await this.#isMadeByOther(folder, others, now)));
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
          if (!(await holdUntil(file, overAt))) throw taken;
          const others = (await namesIn(folder)).filter((each) => each !== own);
          if (!(await isClaimed(folder, others, sentAt))) return;
          if (looks === LOOKS_AT_OTHERS) throw taken;
          await new Promise((done) => setTimeout(done, BETWEEN_LOOKS_MS));
        }
      },
      release: async (outcome) => {
        if (outcome === "made") await make(path.join(folder, this.#made)).catch(() => undefined);
        await removeIfThere(file).catch(() => undefined);
        // Only an empty folder goes.
        if (outcome !== "made") await rmdir(folder).catch(() => undefined);
      },
    };
  }

  async #isMadeByOther(folder: string, files: readonly string[], now: number): Promise<boolean> {
    const made = files.filter((file) => file.startsWith(MADE) && file !== this.#made);
    const changes = await Promise.all(made.map((file) => changeOf(path.join(folder, file))));
    return changes.some((changedAt) => changedAt !== undefined && now - changedAt < MEMORY_MS);
  }

  async #forgetOld(root: string, now: number): Promise<void> {
    if (this.#swept) return;
    this.#swept = true;
    for (const name of await namesIn(root)) {
      const folder = path.join(root, name);
      for (const made of (await namesIn(folder)).filter((file) => file.startsWith(MADE))) {
        const file = path.join(folder, made);
        if (now - ((await changeOf(file)) ?? now) >= MEMORY_MS)
          await removeIfThere(file).catch(() => undefined);
      }
      await rmdir(folder).catch(() => undefined);
    }
  }
}

/** Whether one of the files is the claim of somebody whose request may still be sent, or arrive. */
async function isClaimed(folder: string, files: readonly string[], now: number): Promise<boolean> {
  const claims = files.filter((file) => file.startsWith(CLAIM));
  const changes = await Promise.all(claims.map((file) => changeOf(path.join(folder, file))));
  return changes.some((changedAt) => changedAt !== undefined && now < changedAt + UNSENT_MS);
}

/** When the file was last changed, in ms since 1970, or is said to have been; undefined where there is none. */
async function changeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
}

/** Whether it was still there. A new file holds for the time of a claim whose request is not sent. */
async function holdUntil(file: string, moment: number): Promise<boolean> {
  const changedAt = (moment - UNSENT_MS) / 1_000;
  try {
    await utimes(file, changedAt, changedAt);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Another run may just remove the empty folder: then once more. */
async function make(file: string, isAgain = false): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    await (await open(file, "a", 0o600)).close();
  } catch (error) {
    if (isAgain || !isMissing(error)) throw error;
    await make(file, true);
  }
}
