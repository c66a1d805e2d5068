/** Which folders and files of the journal are trusted: an entry decides what is taken over, so only this user may write it. */
import { chmodSync, lstatSync, type Stats } from "node:fs";
import path from "node:path";

/** Far larger than any entry. */
const LARGEST_FILE = 1024 * 1024;
const WRITABLE_BY_OTHERS = 0o022;

/** A folder or file that is there and must not be used. */
export class UntrustedError extends Error {
  override readonly name = "UntrustedError";

  /** `fault` goes on after the path. */
  constructor(
    readonly path: string,
    readonly fault: string,
  ) {
    super(`${path} ${fault}`);
  }
}

/**
 * Takes others' permission to write from the folder and from each folder between it and the root. Throws an
 * UntrustedError if one of them is another user's or a symbolic link.
 */
export function trustFolders(root: string, folder: string): void {
  for (let place = folder; ; place = path.dirname(place)) {
    trustFolder(place);
    if (place.length <= root.length) return;
  }
}

function trustFolder(folder: string): void {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (stats.isSymbolicLink()) throw new UntrustedError(folder, "is a symbolic link");
  if (!isOurs(stats)) throw new UntrustedError(folder, "belongs to another user");
  if (stats.isDirectory() && process.geteuid !== undefined && (stats.mode & WRITABLE_BY_OTHERS) !== 0)
    chmodSync(folder, stats.mode & ~WRITABLE_BY_OTHERS);
}

/** Throws an UntrustedError for an opened file that cannot be an entry of ours. */
export function trustFile(file: string, stats: Stats): void {
  if (!stats.isFile()) throw new UntrustedError(file, "is not a regular file");
  if (!isOurs(stats)) throw new UntrustedError(file, "belongs to another user");
  if (stats.size > LARGEST_FILE) throw new UntrustedError(file, "is larger than 1 MB");
}

/** Some systems have no numbers of users. */
const isOurs = ({ uid }: Stats): boolean => process.geteuid === undefined || uid === process.geteuid();
