/**
 * Claims of names: of all runs that share the journal's folder, one at a time creates a deployment of a name.
 *
 * Each contender writes a file of its own, then looks for others: of two, the later one to look sees the other. So no file
 * is ever taken over, and a run that was killed holds its claim just as long as its request may still arrive.
 */
import { randomUUID } from "node:crypto";
import { mkdir, rename, rmdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { hashOf, type Moment } from "./entry";
import { JournalConflict } from "./faults";
import { isMissing, namesIn, readIfThere, removeIfThere } from "./files";

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
/** Longer than any listing of a run is used. */
const MEMORY_MS = 3_600_000;
/** Says in a name's folder which run has created it last. */
const MADE = "made";
const FREE: Claim = { isFirst: true, renew: async () => {}, release: async () => {} };

export class NameClaims {
  readonly #root: string | undefined;
  readonly #run = randomUUID();
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
    const own = path.join(folder, randomUUID());
    if ((await contendersIn(folder, own, now)).some(({ isLive }) => isLive)) return undefined;
    const isWritten = await write(own, `${now + UNSENT_MS}`).catch(() => false);
    if (isWritten === false) return FREE;
    const others = await contendersIn(folder, own, now);
    if (others.some(({ isLive }) => isLive)) {
      await removeIfThere(own);
      return undefined;
    }
    for (const { file } of others) await removeIfThere(file);
    return this.#granted(folder, own, others.length === 0 && !(await this.#isMadeByOther(folder, now)));
  }

  #granted(folder: string, own: string, isFirst: boolean): Claim {
    return {
      isFirst,
      renew: async ({ sentAt, overAt }) => {
        const taken = new JournalConflict(
          "another run on this machine is creating a deployment of this name",
        );
        if ((await readIfThere(own)) === undefined) throw taken;
        await write(own, `${overAt}`);
        if ((await contendersIn(folder, own, sentAt)).some(({ isLive }) => isLive)) throw taken;
      },
      release: async (outcome) => {
        if (outcome === "made") await write(path.join(folder, MADE), this.#run).catch(() => undefined);
        await removeIfThere(own).catch(() => undefined);
        // Only an empty folder goes.
        await rmdir(folder).catch(() => undefined);
      },
    };
  }

  async #isMadeByOther(folder: string, now: number): Promise<boolean> {
    const made = await readIfThere(path.join(folder, MADE)).catch(() => undefined);
    return made !== undefined && made.text !== this.#run && now - made.changedAt < MEMORY_MS;
  }

  async #forgetOld(root: string, now: number): Promise<void> {
    if (this.#swept) return;
    this.#swept = true;
    for (const folder of await namesIn(root)) {
      const made = path.join(root, folder, MADE);
      const changedAt = await stat(made).then(
        ({ mtimeMs }) => mtimeMs,
        () => now,
      );
      if (now - changedAt < MEMORY_MS) continue;
      await removeIfThere(made).catch(() => undefined);
      await rmdir(path.join(root, folder)).catch(() => undefined);
    }
  }
}

/** The files of others in the folder of a name. Live: until the moment that is written in it. */
async function contendersIn(folder: string, own: string, now: number) {
  const files = (await namesIn(folder))
    .filter((name) => /^[0-9a-f-]{36}$/.test(name))
    .map((name) => path.join(folder, name))
    .filter((file) => file !== own);
  const contenders = files.map(async (file) => {
    const found = await readIfThere(file).catch(() => undefined);
    return found === undefined ? [] : [{ file, isLive: now < Number(found.text) }];
  });
  return (await Promise.all(contenders)).flat();
}

/** In one step, so that nobody reads half of it. Another run may just remove the empty folder: then once more. */
async function write(file: string, text: string, isAgain = false): Promise<void> {
  const next = `${file}.next`;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(next, text, { mode: 0o600 });
    await rename(next, file);
  } catch (error) {
    if (isAgain || !isMissing(error)) throw error;
    await write(file, text, true);
  }
}
