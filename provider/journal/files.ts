/**
 * Writes files that survive a crash undamaged. Every creation waits for these operations. Handing a call to another
 * thread takes several times as long as reading a small file, so only the wait for the disk uses another thread.
 */
import {
  closeSync,
  fsync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { systemClock } from "../client/clock";

const untilOnDisk = promisify(fsync);

// Only the owner can read the files, although they hold no secret.
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * Writes a new file in one step, so that a killed process leaves the whole file or no file. When this function returns,
 * the file is on disk, as far as the system can sync folders. Throws `EEXIST` if the file exists.
 */
export async function createDurably(file: string, text: string): Promise<void> {
  const folder = path.dirname(file);
  const first = mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  const next = nextFor(file);
  try {
    await writeAndSync(next, text);
    // Unlike a rename, a link never replaces another run's file.
    linkSync(next, file);
  } finally {
    removeIfExists(next);
  }
  await syncFolder(folder);
  for (
    let parent = folder;
    first !== undefined && parent.length >= first.length;
    parent = path.dirname(parent)
  )
    await syncFolder(path.dirname(parent));
}

let writes = 0;

const nextFor = (file: string): string => {
  writes += 1;
  return `${file}.${process.pid}-${writes}.next`;
};

/** Replaces a file in one step, so that a reader sees the old contents or the new contents, even after a crash. */
export async function replaceWhole(file: string, text: string): Promise<void> {
  const next = nextFor(file);
  await writeAndSync(next, text);
  await renameWhenClosed(next, file);
}

const RENAMES = 6;
const BETWEEN_RENAMES_MS = 30;

/** Retries, because Windows does not replace a file that another process, such as a virus scanner, is reading. */
async function renameWhenClosed(from: string, to: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return renameSync(from, to);
    } catch (error) {
      const isInUse = ["EPERM", "EACCES", "EBUSY"].includes(codeOf(error));
      if (isInUse && tries < RENAMES) await systemClock.sleep(BETWEEN_RENAMES_MS);
      else {
        removeIfExists(from);
        throw error;
      }
    }
  }
}

async function writeAndSync(file: string, text: string): Promise<void> {
  const descriptor = openSync(file, "w", FILE_MODE);
  try {
    writeFileSync(descriptor, text);
    await untilOnDisk(descriptor);
  } catch (error) {
    // The file can be removed, because nobody reads a file before it has its final name.
    removeIfExists(file);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Makes the names in the folder survive a power failure, as far as the system can. A system that refuses to sync a
 * folder, such as Windows, writes a new name before the file's data anyway.
 */
async function syncFolder(folder: string): Promise<void> {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(folder, "r");
    await untilOnDisk(descriptor);
  } catch {
    // The file itself is on disk already.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The file's contents; undefined if there is no such file. */
export function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return undefined;
    throw error;
  }
}

/** Renames the file, so that nothing reads it as an attempt anymore. Returns the new path. */
export function moveAside(file: string): string {
  const aside = `${file}.unreadable`;
  renameSync(file, aside);
  return aside;
}

export const removeIfExists = (file: string): void => rmSync(file, { force: true });

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";
