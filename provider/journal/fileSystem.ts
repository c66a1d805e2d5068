/** Checks that a file system does what the journal relies on: some network and desktop mounts do not. */
import { randomUUID } from "node:crypto";
import { lstatSync } from "node:fs";
import path from "node:path";
import { createDurably, readIfExists, removeIfExists, replaceWhole, syncFolder } from "./files";
import { isOurs } from "./trust";

const OPEN_TO_OTHERS = 0o077;

/**
 * Tests the file system with a file in the journal's folder. Throws an Error that names the missing ability. Returns a
 * warning if a power failure is the only risk.
 */
export async function checkFileSystem(folder: string): Promise<string | undefined> {
  const file = path.join(folder, `.${randomUUID()}`);
  try {
    await createDurably(file, "first", folder);
    const { uid, mode } = lstatSync(file);
    if (!isOurs({ uid })) throw unfit(folder, `gives new files to another user (uid ${uid})`);
    if (process.geteuid !== undefined && (mode & OPEN_TO_OTHERS) !== 0)
      throw unfit(folder, "cannot keep a file from other users");
    if (await isCreatedAgain(file)) throw unfit(folder, "creates a file that exists already");
    await replaceWhole(file, "second");
    if (readIfExists(file) !== "second")
      throw unfit(folder, "does not replace a file by renaming another one");
    const code = await syncFolder(folder);
    return code && `the file system of ${folder} cannot flush the name of a new file to the disk (${code})`;
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException;
    throw syscall === "fsync" ? unfit(folder, `cannot force a file to the disk (${code})`) : error;
  } finally {
    removeIfExists(file);
  }
}

/** `fault`: the message's words after the folder. */
const unfit = (folder: string, fault: string): Error =>
  new Error(`the file system of ${folder} ${fault}, which the journal relies on`);

async function isCreatedAgain(file: string): Promise<boolean> {
  try {
    await createDurably(file, "again");
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
