/** Files that are still there after a crash, and whole. */
import { mkdir, open, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import path from "node:path";

// Private, although it holds no secret.
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Writes a new file, on disk when this returns. Throws `EEXIST` where there is one. */
export async function createDurably(file: string, text: string): Promise<void> {
  const folder = path.dirname(file);
  const first = await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  await writeAndSync(file, text, "wx");
  await syncFolder(folder);
  for (let made = folder; first !== undefined && made.length >= first.length; made = path.dirname(made))
    await syncFolder(path.dirname(made));
}

let replacements = 0;

/** Replaces a file in one step: a reader sees the old text or the new one, also after a crash. */
export async function replaceWhole(file: string, text: string): Promise<void> {
  replacements += 1;
  const next = `${file}.${process.pid}-${replacements}.next`;
  await writeAndSync(next, text, "w");
  await rename(next, file);
}

async function writeAndSync(file: string, text: string, flag: "w" | "wx"): Promise<void> {
  const handle = await open(file, flag, FILE_MODE);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Some systems cannot open a folder; they need no such call either.
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/** The text and when it was last written; undefined where there is no such file. */
export async function readIfThere(
  file: string,
): Promise<{ readonly text: string; readonly changedAt: number } | undefined> {
  try {
    return { text: await readFile(file, "utf8"), changedAt: (await stat(file)).mtimeMs };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export async function removeIfThere(file: string): Promise<void> {
  await unlink(file).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}

export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

export function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ENOTDIR";
}
