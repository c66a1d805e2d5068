import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { createDurably, replaceWhole } from "../../../provider/journal/files";
import { freshFolder } from "../../support/journalFolder";
import { onUnix } from "../../support/systems";

const openedFiles: { readonly file: string; flag: unknown; synced: boolean; closed: boolean }[] = [];
/** The error codes with which syncing and opening a folder fail; undefined if the call succeeds. */
let foldersCannotSync: string | undefined;
let foldersCannotOpen: string | undefined;
/** How many times a rename fails before it succeeds, because another process has the file open. */
let inUse: { code: string; times: number } | undefined;
/** Whether every write stops halfway, as on a full disk. */
let diskIsFull = false;

// Only the system calls show which bytes reach the disk.
jest.mock("node:fs", () => {
  const real = jest.requireActual<typeof import("node:fs")>("node:fs");
  const byDescriptor = new Map<number, (typeof openedFiles)[number]>();
  const openSync = (file: string, flag: string, mode?: number) => {
    if (flag === "r" && foldersCannotOpen) throw Object.assign(new Error("no"), { code: foldersCannotOpen });
    const descriptor = real.openSync(file, flag, mode);
    const record = { file, flag, synced: false, closed: false };
    byDescriptor.set(descriptor, record);
    openedFiles.push(record);
    return descriptor;
  };
  const writeFileSync = (descriptor: number, text: string) => {
    real.writeFileSync(descriptor, diskIsFull ? text.slice(0, text.length / 2) : text);
    if (diskIsFull) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
  };
  const fsync = (descriptor: number, done: (error: Error | null) => void) => {
    const record = byDescriptor.get(descriptor);
    if (record?.flag === "r" && foldersCannotSync)
      return done(Object.assign(new Error("no"), { syscall: "fsync", code: foldersCannotSync }));
    if (record !== undefined) record.synced = true;
    real.fsync(descriptor, done);
  };
  const closeSync = (descriptor: number) => {
    const record = byDescriptor.get(descriptor);
    if (record !== undefined) record.closed = true;
    real.closeSync(descriptor);
  };
  const renameSync = (from: string, to: string) => {
    if (inUse !== undefined && inUse.times-- > 0)
      throw Object.assign(new Error("in use"), { code: inUse.code });
    real.renameSync(from, to);
  };
  return { ...real, openSync, writeFileSync, fsync, closeSync, renameSync };
});

beforeEach(() => {
  openedFiles.length = 0;
  foldersCannotSync = undefined;
  foldersCannotOpen = undefined;
  inUse = undefined;
  diskIsFull = false;
});

const modeOf = (file: string) => statSync(file).mode & 0o777;

onUnix("a new file is complete, readable only by its owner, and on disk with every new folder", async () => {
  const root = freshFolder();
  const file = path.join(root, "app", "dev", "a.json");
  await createDurably(file, "text");
  expect(readFileSync(file, "utf8")).toBe("text");
  const folders = [path.join(root, "app", "dev"), path.join(root, "app"), root];
  expect([modeOf(file), ...folders.map(modeOf)]).toEqual([0o600, 0o700, 0o700, 0o700]);
  expect(new Set(openedFiles.map((each) => each.file.replace(/\.[^.]+\.next$/, "")))).toEqual(
    new Set([file, ...folders, path.dirname(root)]),
  );
  expect(openedFiles.every(({ synced, closed }) => synced && closed)).toBe(true);
});

test("an existing file is not overwritten", async () => {
  const file = path.join(freshFolder(), "a.json");
  await createDurably(file, "first");
  await expect(createDurably(file, "second")).rejects.toMatchObject({ code: "EEXIST" });
  expect(readFileSync(file, "utf8")).toBe("first");
});

test("on a full disk, a failed creation leaves no file, and a failed replacement leaves the old content", async () => {
  const root = freshFolder();
  const file = path.join(root, "a.json");
  await createDurably(file, "first");
  diskIsFull = true;
  await expect(createDurably(path.join(root, "b.json"), "text")).rejects.toMatchObject({ code: "ENOSPC" });
  await expect(replaceWhole(file, "second")).rejects.toMatchObject({ code: "ENOSPC" });
  expect(readdirSync(root)).toEqual(["a.json"]);
  expect(readFileSync(file, "utf8")).toBe("first");
  expect(openedFiles.every(({ closed }) => closed)).toBe(true);
});

test.each([
  ["open", "EISDIR"],
  ["sync", "EPERM"],
  ["open", "EACCES"],
  ["sync", "EIO"],
])("files are written even on a system that cannot %s folders (%s)", async (call, code) => {
  if (call === "sync") foldersCannotSync = code;
  else foldersCannotOpen = code;
  const file = path.join(freshFolder(), "app", "a.json");
  await createDurably(file, "text");
  expect(readFileSync(file, "utf8")).toBe("text");
  expect(openedFiles.every(({ closed }) => closed)).toBe(true);
});

test.each(["EPERM", "EACCES", "EBUSY"])(
  "a file that another process is reading (%s) is replaced as soon as that process closes it",
  async (code) => {
    const root = freshFolder();
    const file = path.join(root, "a.json");
    await createDurably(file, "first");
    inUse = { code, times: 2 };
    await replaceWhole(file, "second");
    expect(readFileSync(file, "utf8")).toBe("second");
    inUse = { code, times: 1_000 };
    await expect(replaceWhole(file, "third")).rejects.toMatchObject({ code });
    expect(readFileSync(file, "utf8")).toBe("second");
    expect(readdirSync(root)).toEqual(["a.json"]);
  },
);

test("a file is replaced atomically by a file that is already on disk, and no other file is left", async () => {
  const root = freshFolder();
  const file = path.join(root, "a.json");
  await createDurably(file, "a long first text");
  openedFiles.length = 0;
  await replaceWhole(file, "second");
  await replaceWhole(file, "third");
  expect(readFileSync(file, "utf8")).toBe("third");
  expect(readdirSync(root)).toEqual(["a.json"]);
  expect(modeOf(file)).toBe(process.platform === "win32" ? 0o666 : 0o600);
  expect(openedFiles.map(({ synced, closed }) => [synced, closed])).toEqual([
    [true, true],
    [true, true],
  ]);
  // A reader must never see a half-written file.
  expect(openedFiles.map((each) => each.file)).not.toContain(file);
});

test("a replacement succeeds despite the leftover of a crashed process with the same id", async () => {
  const root = freshFolder();
  const file = path.join(root, "a.json");
  await createDurably(file, "first");
  for (let number = 1; number < 100; number += 1)
    appendFileSync(`${file}.${process.pid}-${number}.next`, "a longer text that was cut o");
  await replaceWhole(file, "second");
  expect(readFileSync(file, "utf8")).toBe("second");
});

test("a new file appears only when its content is complete, so a killed run leaves no empty file", async () => {
  const root = freshFolder();
  const file = path.join(root, "whole.json");
  const writing = createDurably(file, "text");
  expect(existsSync(file)).toBe(false);
  await writing;
  expect(readFileSync(file, "utf8")).toBe("text");
  expect(readdirSync(root).filter((name) => name.endsWith(".next"))).toEqual([]);
});
