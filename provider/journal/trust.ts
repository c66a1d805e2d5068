/** No other user may have access to the journal's folder, because its attempts decide what a run takes over. */
import { lstatSync } from "node:fs";

const OPEN_TO_OTHERS = 0o077;

/** Throws an Error if another user can read or write the folder. A missing folder is trusted. */
export function trustFolder(folder: string): void {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  // Windows has neither user ids nor file modes.
  if (stats === undefined || process.geteuid === undefined) return;
  if (stats.isSymbolicLink()) throw new Error(`${folder} is a symbolic link`);
  if (stats.uid !== process.geteuid())
    throw new Error(`${folder} belongs to another user (uid ${stats.uid})`);
  if ((stats.mode & OPEN_TO_OTHERS) !== 0)
    throw new Error(`${folder} is open to other users: run chmod 700 on it`);
}
