// Functions that all tools share: the project's folder, announcements of long steps, and locks.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.resolve(fileURLToPath(new URL("..", import.meta.url)));
export const cache = path.join(root, ".cache");
export const nodeBin = path.join(root, "node_modules", ".bin");

export const isWindows = process.platform === "win32";
/** The file names of a program, and of a script that starts a program. */
export const executable = (name) => (isWindows ? `${name}.exe` : name);
export const script = (name) => (isWindows ? `${name}.cmd` : name);
/**
 * The Node that the project pins, because Pulumi 3.250 needs Node 22 and users may run Node 20. On Windows, `.bin`
 * has only a script that starts this Node.
 */
export const pinnedNode = path.join(root, "node_modules", "node", "bin", executable("node"));

/** A failure that is reported by its message, without a stack trace. */
export class Stop extends Error {}

// Writes to stderr, because stdout belongs to `pulumi … --json` and to the totals of the tests.
export const say = (text) => process.stderr.write(`[toolchain] ${text}\n`);

/** Announces a long step, and reports its time at the end. */
export function step(what, usually, work) {
  say(`${what} (usually ${usually}) …`);
  const started = Date.now();
  try {
    return work();
  } finally {
    say(`  ended after ${((Date.now() - started) / 1000).toFixed(1)} s`);
  }
}

/** Runs a program, and shows the program's output only if the program fails. */
export function runQuietly(command, args, { minutes = 10, ...options } = {}) {
  const limit = { timeout: minutes * 60_000, killSignal: "SIGKILL", maxBuffer: 256 * 1024 * 1024 };
  // On Windows, npm is a script that needs a shell. The shell takes the command as one line.
  const isScript = isWindows && command === "npm";
  const quoted = (argument) => (/\s/.test(argument) ? `"${argument}"` : argument);
  const started = isScript ? [[command, ...args.map(quoted)].join(" ")] : [command, args];
  const ran = spawnSync(...started, {
    encoding: "utf8",
    shell: isScript,
    ...limit,
    ...options,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (ran.status === 0) return ran.stdout;
  const why = ran.error?.code === "ETIMEDOUT" ? `gave up after ${minutes} min` : ran.error?.message;
  const lines = `${ran.stdout ?? ""}${ran.stderr ?? ""}`.trim().split("\n");
  if (lines.length > 40) lines.splice(10, lines.length - 40, "…");
  throw new Stop(
    [`${path.basename(command)} ${args.slice(0, 2).join(" ")}: ${why ?? `exit code ${ran.status}`}`, ...lines]
      .filter(Boolean)
      .join("\n"),
  );
}

export function pathFolders(environment = process.env) {
  return (environment.PATH ?? "").split(path.delimiter).filter(Boolean);
}

export function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Reports the error of a main program. Prints no stack trace for an expected failure. */
export function fail(error) {
  say(error instanceof Stop ? error.message : (error?.stack ?? String(error)));
  process.exitCode = 1;
}

/** Runs `work` with the command's arguments if Node was started with the file of this URL. */
export function asProgram(url, work) {
  if (!process.argv[1] || fs.realpathSync(process.argv[1]) !== fileURLToPath(url)) return;
  try {
    work(...process.argv.slice(2));
  } catch (error) {
    fail(error);
  }
}

/**
 * Makes a folder. `fill` fills a temporary folder. `fill` may return a subfolder, if only the subfolder is to be kept.
 * The finished folder is renamed in one step, so that other processes never see a partial folder.
 */
export function makeFolder(folder, fill) {
  const work = `${folder}.new-${process.pid}`;
  fs.rmSync(work, { recursive: true, force: true });
  fs.mkdirSync(work, { recursive: true });
  try {
    const filled = fill(work) ?? work;
    fs.rmSync(folder, { recursive: true, force: true });
    fs.renameSync(filled, folder);
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

const sleep = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

/** Runs `work` while no other process runs it. Takes over the lock of a dead process. */
export function withLock(name, work) {
  const lock = path.join(cache, "locks", name);
  fs.mkdirSync(path.dirname(lock), { recursive: true });
  const mine = `${lock}.${process.pid}`;
  fs.writeFileSync(mine, JSON.stringify({ pid: process.pid, host: os.hostname() }));
  try {
    let isAnnounced = false;
    while (!acquire(mine, lock)) {
      if (!isAnnounced) say(`waiting for another process to finish "${name}" …`);
      isAnnounced = true;
      if (isStale(lock)) breakLock(lock);
      sleep(200);
    }
    try {
      return work();
    } finally {
      fs.rmSync(lock, { force: true });
    }
  } finally {
    fs.rmSync(mine, { force: true });
  }
}

// A hard link appears complete or not at all, so no process reads a half-written lock.
function acquire(mine, lock) {
  try {
    fs.linkSync(mine, lock);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

function isStale(lock) {
  try {
    const { pid, host } = JSON.parse(fs.readFileSync(lock, "utf8"));
    // Another host, such as a container that uses the same folder, may have the lock. For another host's lock, only
    // the age shows whether the lock is stale.
    if (host !== os.hostname()) return Date.now() - fs.statSync(lock).mtimeMs > 30 * 60_000;
    try {
      process.kill(pid, 0);
      return false;
    } catch (error) {
      return error.code === "ESRCH";
    }
  } catch {
    return false;
  }
}

// Only one process may remove a stale lock. A second process could remove the lock of the next owner.
function breakLock(lock) {
  const breaker = `${lock}.break`;
  try {
    fs.mkdirSync(breaker);
  } catch {
    if (Date.now() - (fs.statSync(breaker, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > 10_000)
      fs.rmSync(breaker, { recursive: true, force: true });
    return;
  }
  if (isStale(lock)) fs.rmSync(lock, { force: true });
  fs.rmSync(breaker, { recursive: true, force: true });
}
