import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { placeOf, textOf } from "../../../provider/journal/entry";
import { JournalUnusable } from "../../../provider/journal/faults";
import { CreationJournal } from "../../../provider/journal/journals";
import {
  entry,
  filesIn,
  freshFolder,
  intent,
  journalIn,
  KEY,
  moment,
  URN,
} from "../../support/journalFolder";
import { onUnix } from "../../support/systems";

const PLACE = path.join(...placeOf({ ...KEY, backend: "" }));
const levels = (root: string) => [root, path.join(root, "app"), path.join(root, "app", "dev")];
const modeOf = (place: string) => statSync(place).mode & 0o777;
const SET_IT =
  "Set deployment-control:journal (or DEPLOYMENT_CONTROL_JOURNAL) to a folder of your own that can be written";

afterEach(() => {
  jest.restoreAllMocks();
});

/** A journal with an open entry. */
function journalFolder(): string {
  const root = freshFolder();
  mkdirSync(path.dirname(path.join(root, PLACE)), { recursive: true });
  writeFileSync(path.join(root, PLACE), textOf({ ...entry, id: "d-1" }));
  return root;
}

function toAnotherUser(): void {
  jest.spyOn(process, "geteuid").mockReturnValue((process.geteuid?.() ?? 0) + 1);
}

onUnix(
  "if others can write into our folder, their permission is removed before anything is written",
  async () => {
    const root = journalFolder();
    for (const place of levels(root)) chmodSync(place, 0o777);
    await journalIn(root).journal.openEntry(KEY);
    expect(levels(root).map(modeOf)).toEqual([0o755, 0o755, 0o755]);
    for (const place of levels(root)) chmodSync(place, 0o720);
    const { journal, warned } = journalIn(root);
    await journal.sending({ ...intent, urn: `${URN}-2` }, moment);
    expect(levels(root).map(modeOf)).toEqual([0o700, 0o700, 0o700]);
    expect(warned).toEqual([]);
  },
);

onUnix("a folder that other users can still write to is neither read nor written", async () => {
  const root = journalFolder();
  chmodSync(root, 0o777);
  // Simulates a mount that ignores modes.
  jest.spyOn(jest.requireActual<typeof import("node:fs")>("node:fs"), "chmodSync").mockReturnValue();
  const before = filesIn(root);
  const { journal, warned } = journalIn(root);
  expect(await journal.openEntry(KEY)).toBeUndefined();
  await journal.sending({ ...intent, urn: `${URN}-2` }, moment);
  expect(filesIn(root)).toEqual(before);
  expect(warned).toEqual([
    expect.stringContaining(
      `${root} can be written by other users, and its file system does not let the provider change that`,
    ),
  ]);
  expect(warned[0]).toContain(SET_IT);
});

onUnix("a folder of another user is neither read nor written, and the warning says what to do", async () => {
  const root = journalFolder();
  const before = filesIn(root);
  toAnotherUser();
  const { journal, warned } = journalIn(root);
  expect(await journal.openEntry(KEY)).toBeUndefined();
  await journal.sending({ ...intent, urn: `${URN}-2` }, moment);
  expect(filesIn(root)).toEqual(before);
  expect(warned).toEqual([
    expect.stringContaining(`${path.join(root, "app", "dev")} belongs to another user`),
  ]);
  expect(warned[0]).toContain(
    `If the folder comes from a cache or a volume, run chown -R ${process.geteuid?.()} ${root} first; otherwise, s${SET_IT.slice(1)}`,
  );
});

onUnix("without checkpoints, nothing is sent if the folder belongs to another user", async () => {
  const folder = journalFolder();
  toAnotherUser();
  const journal = new CreationJournal({ folder, backend: "", isOnlyTrace: true }, async () => undefined);
  const sending = journal.sending({ ...intent, urn: `${URN}-2` }, moment);
  await expect(sending).rejects.toThrow(JournalUnusable);
  await expect(sending).rejects.toThrow(
    `belongs to another user (uid ${statSync(folder).uid})), and with PULUMI_SKIP_CHECKPOINTS`,
  );
});

onUnix.each([0, 1, 2])("no folder at depth %i may be a symbolic link", async (depth) => {
  const root = journalFolder();
  const place = levels(root)[depth] as string;
  renameSync(place, `${root}-elsewhere`);
  symlinkSync(`${root}-elsewhere`, place);
  const { journal, warned } = journalIn(root);
  expect(await journal.openEntry(KEY)).toBeUndefined();
  await journal.sending({ ...intent, urn: `${URN}-2` }, moment);
  expect(readdirSync(path.dirname(path.join(root, PLACE)))).toHaveLength(1);
  expect(warned).toEqual([expect.stringContaining(`${place} is a symbolic link`)]);
});

onUnix("an entry of another user is reported as unreadable", async () => {
  const root = journalFolder();
  const uid = process.geteuid?.() ?? 0;
  // The folders belong to this user, but the file does not.
  jest
    .spyOn(process, "geteuid")
    .mockReturnValueOnce(uid)
    .mockReturnValueOnce(uid)
    .mockReturnValueOnce(uid)
    .mockReturnValue(uid + 1);
  const openEntry = await journalIn(root).journal.openEntry(KEY);
  expect(openEntry?.entry).toMatchObject({ reason: expect.stringMatching(/^it belongs to another user/) });
});

onUnix("an entry that is a symbolic link is reported as unreadable", async () => {
  const root = journalFolder();
  renameSync(path.join(root, PLACE), `${root}-entry`);
  symlinkSync(`${root}-entry`, path.join(root, PLACE));
  const openEntry = await journalIn(root).journal.openEntry(KEY);
  expect(openEntry?.entry).toMatchObject({
    reason: expect.stringContaining("ELOOP"),
    changedAt: expect.any(Number),
  });
});

test("a future date of an entry or of an unreadable file counts as now", async () => {
  const root = journalFolder();
  const file = path.join(root, PLACE);
  const ahead = Date.now() + 3_600_000;
  writeFileSync(file, textOf({ ...entry, sentAt: ahead, overAt: ahead + 40_000 }));
  const openEntry = (await journalIn(root).journal.openEntry(KEY))?.entry;
  if (openEntry === undefined || "reason" in openEntry) throw new Error("there is no entry");
  expect(openEntry.sentAt).toBeLessThanOrEqual(Date.now());
  expect(openEntry.overAt - openEntry.sentAt).toBe(40_000);
  writeFileSync(file, "{");
  utimesSync(file, ahead / 1000, ahead / 1000);
  const doubt = (await journalIn(root).journal.openEntry(KEY))?.entry as { changedAt: number };
  expect(doubt.changedAt).toBeLessThanOrEqual(Date.now());
});
