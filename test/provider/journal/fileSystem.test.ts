import { existsSync } from "node:fs";
import { JournalUnusable } from "../../../provider/journal/faults";
import { CreationJournal } from "../../../provider/journal/journals";
import { filesIn, freshFolder, intent, journalIn, KEY, moment, URN } from "../../support/journalFolder";
import { onUnix } from "../../support/systems";

type FileSystem = typeof import("node:fs");
/** The calls that simulate a faulty file system; empty for a sound file system. */
let faultyCalls: { readonly [call: string]: unknown } = {};
let syncs = 0;

// The calls are replaced, because no file system of this machine has these faults.
jest.mock("node:fs", () => {
  const sound = jest.requireActual<FileSystem>("node:fs");
  const call =
    (name: "openSync" | "renameSync" | "lstatSync" | "fsync") =>
    (...args: readonly unknown[]) => {
      if (name === "fsync") syncs += 1;
      return ((faultyCalls[name] ?? sound[name]) as (...callArguments: readonly unknown[]) => unknown)(
        ...args,
      );
    };
  return {
    ...sound,
    openSync: call("openSync"),
    renameSync: call("renameSync"),
    lstatSync: call("lstatSync"),
    fsync: call("fsync"),
  };
});
const real = jest.requireActual<FileSystem>("node:fs");

beforeEach(() => {
  faultyCalls = {};
  syncs = 0;
});

/** The calls of a system that opens folders, but fails to sync them. */
const folderSync = (code: string) => ({
  fsync: (descriptor: number, done: (error: Error | null) => void) =>
    real.fstatSync(descriptor).isDirectory()
      ? done(Object.assign(new Error("no"), { syscall: "fsync", code }))
      : real.fsync(descriptor, done),
});

const isEntry = (file: unknown): boolean => String(file).endsWith(".json");

type Lack = readonly [fault: string, calls: { readonly [call: string]: unknown }];

const LACKS: readonly Lack[] = [
  [
    "creates a file that exists already",
    {
      openSync: (file: string, flag: string | number, mode: number) =>
        real.openSync(file, flag === "wx" ? "w" : flag, mode),
    },
  ],
  [
    "does not replace a file by renaming another one",
    { renameSync: (from: string) => real.unlinkSync(from) },
  ],
  [
    "cannot force a file to the disk (EINVAL)",
    {
      fsync: (_: number, done: (error: Error) => void) =>
        done(Object.assign(new Error("no"), { syscall: "fsync", code: "EINVAL" })),
    },
  ],
];

/** Windows has neither modes nor owners. */
const LACKS_OF_UNIX: readonly Lack[] = [
  [
    "cannot keep a file from other users",
    { openSync: (file: string, flag: string) => real.openSync(file, flag, 0o644) },
  ],
  [
    "gives new files to another user (uid 4711)",
    {
      lstatSync: (file: string, options: object) =>
        real.lstatSync(file, options).isFile()
          ? Object.assign(real.lstatSync(file), { uid: 4711 })
          : real.lstatSync(file, options),
    },
  ],
];

const REFUSED =
  "on a file system that %s, no entry is written, and one warning names the fault and the remedy";
test.each(LACKS)(REFUSED, isRefused);
onUnix.each(LACKS_OF_UNIX)(REFUSED, isRefused);

async function isRefused(...[fault, calls]: Lack): Promise<void> {
  const root = freshFolder();
  faultyCalls = calls;
  const { journal, warned } = journalIn(root);
  for (const number of [1, 2]) await journal.sending({ ...intent, urn: `${URN}-${number}` }, moment);
  expect(filesIn(root)).toEqual([]);
  expect(warned).toEqual([
    `the journal of creations cannot be used (the file system of ${root} ${fault}, which the journal relies on): ` +
      "a creation that is interrupted now is guarded only by the look-up of its name. " +
      "Set deployment-control:journal (or DEPLOYMENT_CONTROL_JOURNAL) to a folder of your own that can be written, or to off",
  ]);
  const only = new CreationJournal({ folder: root, backend: "", isOnlyTrace: true }, async () => undefined);
  const sending = only.sending(intent, moment);
  await expect(sending).rejects.toThrow(JournalUnusable);
  await expect(sending).rejects.toThrow(fault);
}

test("on a system without owners and modes, such as Windows, the journal is written and read", async () => {
  const root = freshFolder();
  const geteuid = process.geteuid;
  Object.assign(process, { geteuid: undefined });
  faultyCalls = {
    lstatSync: (file: string, options: object) => {
      const stats = real.lstatSync(file, options);
      return stats && Object.assign(stats, { uid: 4711, mode: stats.mode | 0o666 });
    },
  };
  try {
    const { journal, warned } = journalIn(root);
    await journal.sending(intent, moment);
    const next = journalIn(root);
    expect((await next.journal.openEntry(KEY))?.entry).toMatchObject(intent);
    expect([...warned, ...next.warned]).toEqual([]);
  } finally {
    Object.assign(process, { geteuid });
  }
});

test("a journal whose folder cannot be synced is written, and one warning says that a power failure may harm the journal", async () => {
  const root = freshFolder();
  faultyCalls = folderSync("EIO");
  const warned: string[] = [];
  const journal = new CreationJournal(
    { folder: root, backend: "", isOnlyTrace: true },
    async (words) => void warned.push(words),
  );
  for (const number of [1, 2]) await journal.sending({ ...intent, urn: `${URN}-${number}` }, moment);
  expect(filesIn(root)).toHaveLength(2);
  expect(warned).toEqual([
    `after a power failure the journal of creations may lack its newest entries (the file system of ${root} cannot flush the name of a new file to the disk (EIO)): ` +
      "in that case a creation that is interrupted now is guarded only by the look-up of its name. " +
      "Set deployment-control:journal (or DEPLOYMENT_CONTROL_JOURNAL) to a folder on another disk",
  ]);
});

test("on a system that refuses to sync folders, such as Windows, the journal is written without a warning", async () => {
  const root = freshFolder();
  faultyCalls = folderSync("EPERM");
  const { journal, warned } = journalIn(root);
  await journal.sending(intent, moment);
  expect(filesIn(root)).toHaveLength(1);
  expect(warned).toEqual([]);
});

test("a sound file system is checked once in a run, with a file that is removed again", async () => {
  const root = freshFolder();
  const { journal, warned } = journalIn(root);
  await journal.sending({ ...intent, urn: `${URN}-1` }, moment);
  const first = syncs;
  const openedFiles: string[] = [];
  faultyCalls = {
    openSync: (file: string, flag: string, mode: number) => {
      openedFiles.push(file);
      return real.openSync(file, flag, mode);
    },
  };
  await journal.sending({ ...intent, urn: `${URN}-2` }, moment);
  expect([syncs - first, openedFiles.filter(isEntry).length, openedFiles.length]).toEqual([2, 1, 2]);
  expect(filesIn(root).every(isEntry)).toBe(true);
  expect(warned).toEqual([]);
});

test("after a failed check, the next entry checks again, because a disk that was full may have room by then", async () => {
  const root = freshFolder();
  faultyCalls = LACKS[2]?.[1] ?? {};
  const { journal } = journalIn(root);
  await journal.sending(intent, moment);
  faultyCalls = {};
  await journal.sending(intent, moment);
  expect(filesIn(root)).toHaveLength(1);
});

test("reading a journal, as a preview does, writes nothing", async () => {
  const root = freshFolder();
  expect(await journalIn(root).journal.openEntry(KEY)).toBeUndefined();
  expect(existsSync(root)).toBe(false);
});
