/** Used by the journal's tests: a folder for the journal, interrupted runs, and the attempts in the journal's files. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { Clock } from "../../provider/client/clock";
import { attemptIn } from "../../provider/journal/attempt";
import type { EngineRun } from "../../provider/run/run";
import type { Properties } from "../../provider/schema/value";
import type { Emulator, EmulatorOptions } from "../../sdk/emulator";
import { freshFolder } from "./journalFolder";
import { chat, type Provided, provided, sessionOn } from "./providerRun";
import { createDeployment, deployment, updateDeployment } from "./resourceCalls";
import { requestsInFlight, sharedClock, untilQuiet } from "./sharedClock";

export const journalFolder = freshFolder;

/** The paths of the files of all open attempts. */
export function attemptFiles(folder: string): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => path.join(folder, name));
}

// biome-ignore lint/suspicious/noExplicitAny: tests read any field of an attempt.
export function attemptsIn(folder: string): any[] {
  return attemptFiles(folder).map((file) => attemptIn(readFileSync(file, "utf8")));
}

/** A clock whose sleeps never end. Each sleep calls `onSleep`. */
function stoppingClock(onSleep = () => {}): Clock {
  return {
    now: () => Date.now(),
    sleep: () => {
      onSleep();
      return new Promise(() => undefined);
    },
    alarm: () => () => undefined,
  };
}

/** Runs a creation until it waits, and never continues it, as if the process were killed at that moment. */
export const killedRun = (
  emulator: Emulator,
  journal: string,
  inputs: Properties,
  settings: { readonly [key: string]: string } = {},
): Promise<void> =>
  killedAfter("POST", emulator, { journal, ...settings }, (session) => createDeployment(session, inputs));

/**
 * Starts a run with these settings and without retries. Resolves once the run has sent the request and then sleeps,
 * ends, or waits for an answer that the service holds back.
 */
export async function killedAfter(
  method: "POST" | "PATCH",
  emulator: Emulator,
  settings: { readonly [key: string]: string },
  run: (session: EngineRun) => Promise<unknown>,
): Promise<void> {
  const before = emulator.requests.length;
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  const { session } = sessionOn(emulator, { maxRetries: "0", ...settings }, stoppingClock(end));
  void run(session).then(end, end);
  // An update may be a POST that makes a revision.
  const isAwaited = (request: { readonly method: string; readonly path: string }) =>
    request.method === method || (request.method === "POST" && request.path.endsWith("/revisions"));
  await until(() => emulator.requests.slice(before).some(isAwaited));
  await untilQuiet();
  await until(() => isOver || requestsInFlight() > 0);
}

export function nextRun(
  emulator: Emulator,
  journal: string,
  settings: { readonly [key: string]: string } = {},
): Omit<Provided, "emulator"> {
  emulator.requests.length = 0;
  return sessionOn(emulator, { journal, ...settings }, sharedClock());
}

/** Waits until the condition is true. If the condition never becomes true, the test times out. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((done) => setTimeout(done, 5));
}

/**
 * Resolves when the service has received a read. If the test then releases the requests that `heldRequests` holds, the
 * service answers the read first.
 */
export const untilRead = (emulator: Emulator): Promise<void> =>
  until(() => emulator.requests.some(({ method }) => method === "GET"));

/** The deployment `chat` without secrets, and the same deployment with a new revision. */
export const bare = { ...chat, secrets: undefined, secretGenerations: undefined };
export const changed = { ...bare, sourceRevisionConfig: { repoRef: "next" }, revisionGeneration: 2 };

/** A deployment that a run with a journal created, and functions that kill its update or run the next update. */
export async function recorded(inputs: Properties = bare, options: EmulatorOptions = {}, more = {}) {
  const journal = journalFolder();
  const settings = { profile: options.profile ?? "contract", ...more };
  const run = await provided(options, { journal, ...settings }, sharedClock());
  const { id, outputs } = await createDeployment(run.session, inputs);
  await deployment.diff(run.session, id, outputs, inputs, false);
  await until(() => attemptFiles(journal).length === 0);
  run.emulator.requests.length = 0;
  const { emulator } = run;
  /** Runs an update until it waits, and never continues it. */
  const kill = (news: Properties = changed) =>
    killedAfter("PATCH", emulator, { journal, ...settings }, (session) =>
      updateDeployment(session, id, outputs, news),
    );
  const next = async (news: Properties = changed, olds = outputs, more = {}) => {
    const later = nextRun(emulator, journal, { ...settings, ...more });
    return { ...later, after: await updateDeployment(later.session, id, olds, news) };
  };
  const revisions = () => emulator.deployments()[0]?.revisions.length;
  const bodies = (of: string) =>
    emulator.requests.filter(({ method }) => method === of).map(({ body }) => body);
  const [patches, posts] = [() => bodies("PATCH"), () => bodies("POST")];
  return { ...run, posts, journal, id, outputs, kill, next, revisions, patches };
}
