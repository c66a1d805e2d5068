// Runs a program in place of this process, with the same terminal and the same exit code. Passes every signal
// on exactly once.
import { spawn } from "node:child_process";
import os from "node:os";
import { isWindows } from "./steps.mjs";

/**
 * Pulumi treats a second SIGINT as "stop at once", and loses the resources that it was creating. The program must
 * therefore get one signal per Ctrl-C, although the terminal, npm and this process may each send one.
 *
 * At a terminal, the terminal itself signals the program, and this process only stays alive. Elsewhere, the program
 * gets a separate process group, so only this process signals it. On Windows, which has no process groups, a separate
 * group would open a console window.
 *
 * With `descendantsToo`, the program's child processes get the signal too, because jest does not pass signals on.
 * Node gives a child the default action of every signal, even of a SIGINT that a shell made this process ignore.
 */
export function runInForeground(command, args, { descendantsToo = false, ...options } = {}) {
  const atTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", ...options, detached: !atTerminal && !isWindows });
    const lastSent = {};
    const passOn = (signal) => {
      if (atTerminal && signal === "SIGINT") return;
      const again = Date.now() - (lastSent[signal] ?? 0) < 500;
      lastSent[signal] = Date.now();
      if (again) return;
      if (descendantsToo && !atTerminal) signalGroup(child.pid, signal);
      else child.kill(signal);
    };
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
    for (const signal of signals) process.on(signal, passOn);
    const settle = (finish) => {
      for (const signal of signals) process.off(signal, passOn);
      finish();
    };
    child.on("error", (error) => settle(() => reject(error)));
    child.on("exit", (code, signal) => settle(() => resolve(code ?? 128 + os.constants.signals[signal])));
  });
}

function signalGroup(leader, signal) {
  try {
    process.kill(-leader, signal);
  } catch {
    // The group has ended, or the system has no process groups.
  }
}
