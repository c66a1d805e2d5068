/**
 * Refuses folders and files of the journal that another user can write, because an entry decides which resource is
 * taken over.
 */
import { chmodSync, lstatSync, type Stats } from "node:fs";
import path from "node:path";

/** The size of the largest file that is read, much larger than any entry. */
const LARGEST_FILE = 1024 * 1024;
const WRITABLE_BY_OTHERS = 0o022;

/** The folder or file exists, but is not safe to use. */
export class UntrustedError extends Error {
  override readonly name = "UntrustedError";

  /** `fault`: the message's words after the path. `isAnothers`: whether another user owns the folder or file. */
  constructor(
    readonly path: string,
    readonly fault: string,
    readonly isAnothers = false,
  ) {
    super(`${path} ${fault}`);
  }
}

/**
 * Removes other users' permission to write from every folder from `root` to `folder`. Throws an UntrustedError if one
 * of these folders belongs to another user or is a symbolic link.
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
  if (!isOurs(stats)) throw foreignOwner(folder, stats);
  if (!isWritableByOthers(folder)) return;
  chmodSync(folder, stats.mode & ~WRITABLE_BY_OTHERS);
  if (isWritableByOthers(folder))
    throw new UntrustedError(
      folder,
      "can be written by other users, and its file system does not let the provider change that",
    );
}

/** Whether others can write into the folder; false on systems without file modes. */
const isWritableByOthers = (folder: string): boolean =>
  process.geteuid !== undefined && (lstatSync(folder).mode & WRITABLE_BY_OTHERS) !== 0;

const foreignOwner = (place: string, { uid }: Stats): UntrustedError =>
  new UntrustedError(place, `belongs to another user (uid ${uid})`, true);

/** Throws an UntrustedError for an open file that cannot be an entry of ours. */
export function trustFile(file: string, stats: Stats): void {
  if (!stats.isFile()) throw new UntrustedError(file, "is not a regular file");
  if (!isOurs(stats)) throw foreignOwner(file, stats);
  if (stats.size > LARGEST_FILE) throw new UntrustedError(file, "is larger than 1 MB");
}

/** Whether this user owns the file or folder; always true on systems without user ids. */
export const isOurs = ({ uid }: Pick<Stats, "uid">): boolean =>
  process.geteuid === undefined || uid === process.geteuid();
