/** What the journal's tests share: a folder for it, runs that are cut off, and what stands in its files. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { Clock } from "../../provider/client/retry";
import { createDeployment } from "../../provider/deployment/create";
import type { Properties } from "../../provider/fields/value";
import type { Emulator } from "../../sdk/emulator";
import { type Provided, sessionOn } from "./providing";

export { freshFolder as journalFolder } from "../journal/folders";

/** Every entry's file, closed ones left out. */
export function entryFiles(folder: string): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => path.join(folder, name));
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into entries freely.
export function entriesIn(folder: string): any[] {
  return entryFiles(folder).map((file) => JSON.parse(readFileSync(file, "utf8")));
}

/** Time that runs a hundred times as fast while somebody waits, so that what is under way has a chance to arrive. */
export function fastClock(): Clock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    sleep: async (milliseconds) => {
      await new Promise((done) => setTimeout(done, milliseconds / 100));
      ahead += milliseconds;
    },
  };
}

/** A clock on which every wait is the last. */
export const STOPPED: Clock = {
  now: () => Date.now(),
  sleep: () => new Promise(() => undefined),
  alarm: () => () => undefined,
};

/** A run whose process is killed once its creation waits for anything: nothing of it happens after that. */
export async function killedRun(
  emulator: Emulator,
  journal: string,
  inputs: Properties,
  settings: { readonly [key: string]: string } = {},
): Promise<void> {
  const { session } = sessionOn(emulator, { journal, maxRetries: "0", ...settings }, STOPPED);
  const before = emulator.requests.length;
  void createDeployment(session, inputs).catch(() => undefined);
  await until(() => emulator.requests.slice(before).some(({ method }) => method === "POST"));
  await new Promise((done) => setTimeout(done, 50));
}

/** The run after it. */
export function nextRun(
  emulator: Emulator,
  journal: string,
  settings: { readonly [key: string]: string } = {},
): Omit<Provided, "emulator"> {
  emulator.requests.length = 0;
  return sessionOn(emulator, { journal, ...settings }, fastClock());
}

export async function until(holds: () => boolean): Promise<void> {
  for (let left = 1_000; !holds(); left -= 1) {
    if (left === 0) throw new Error("it never came true");
    await new Promise((done) => setTimeout(done, 5));
  }
}
