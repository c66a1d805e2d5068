// The programs of `npm start`: each ends before we do, even when we are interrupted.
import { spawn } from "node:child_process";
import os from "node:os";
import { isWindows, Stop, say } from "../steps.mjs";

/** Thrown after an interruption, because nothing new may start. */
export class Interrupted extends Stop {}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
const running = new Set();
let interruption;

/** Makes signals end the current program instead of us; its wait then throws an `Interrupted`. */
export function catchInterruptions() {
  for (const signal of signals) process.on(signal, () => interrupt(signal));
  // If the reader stops early (`npm start | head`), this process would otherwise end at once and leave everything
  // behind.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => interrupt("SIGPIPE"));
}

let last = 0;

function interrupt(signal) {
  // A terminal and npm may each pass on the same Ctrl-C.
  if (Date.now() - last < 500) return;
  last = Date.now();
  if (!interruption && signal !== "SIGPIPE") say("interrupted: stopping what runs …");
  interruption ??= signal;
  for (const { child, endsOn } of running) child.kill(endsOn);
}

/** The exit code of an interrupted program. */
export const codeOfInterruption = () => 128 + os.constants.signals[interruption];

/**
 * Starts a program out of the terminal's reach: Pulumi must get exactly one SIGINT, a second means "stop at once",
 * and the service must outlive it. `endsOn`: the signal with which an interruption ends it; without one, it goes on.
 */
export function startChild(command, args, { endsOn, ...options }) {
  if (interruption) throw new Interrupted(`interrupted (${interruption})`);
  const child = spawn(command, args, { ...options, detached: !isWindows });
  const entry = { child, endsOn };
  if (endsOn) running.add(entry);
  const ended = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(code ?? 128 + os.constants.signals[signal]));
  }).finally(() => running.delete(entry));
  // A later await reports the error; until then it must not end this process.
  ended.catch(() => {});
  return { child, ended };
}

/** Waits for the end of a program; throws an `Interrupted` if we were interrupted meanwhile. */
export async function endOf({ ended }) {
  const code = await ended;
  if (interruption) throw new Interrupted(`interrupted (${interruption})`);
  return code;
}
