// Runs the programs of `npm start`. Each program ends before this process ends, even after an interruption.
import { spawn } from "node:child_process";
import os from "node:os";
import { isWindows, Stop, say } from "../steps.mjs";

/** Thrown after an interruption, so that nothing new starts. */
export class Interrupted extends Stop {}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
const running = new Set();
let interruption;

/** Makes signals end the running programs instead of this process. `endOf` then throws an `Interrupted`. */
export function catchInterruptions() {
  for (const signal of signals) process.on(signal, () => interrupt(signal));
  // Without this handler, a reader that stops early (`npm start | head`) would end this process but not its children.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => interrupt("SIGPIPE"));
}

let last = 0;

function interrupt(signal) {
  // A terminal and npm may each pass on the same Ctrl-C.
  if (Date.now() - last < 500) return;
  last = Date.now();
  if (!interruption && signal !== "SIGPIPE") say("interrupted: stopping what runs …");
  interruption ??= signal;
  for (const child of running) child.kill("SIGINT");
}

/** The exit code of an interrupted program. */
export const codeOfInterruption = () => 128 + os.constants.signals[interruption];

/**
 * The terminal cannot interrupt the program, so Pulumi gets exactly one SIGINT. A second SIGINT means "stop at once".
 */
export function startChild(command, args, options) {
  if (interruption) throw new Interrupted(`interrupted (${interruption})`);
  const child = spawn(command, args, { ...options, detached: !isWindows });
  running.add(child);
  const ended = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(code ?? 128 + os.constants.signals[signal]));
  }).finally(() => running.delete(child));
  // A later await reports the error. Until then, the error must not end this process.
  ended.catch(() => {});
  return { child, ended };
}

/** Throws an `Interrupted` if an interruption came during the wait. */
export async function endOf({ ended }) {
  const code = await ended;
  if (interruption) throw new Interrupted(`interrupted (${interruption})`);
  return code;
}
