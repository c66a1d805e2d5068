import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { placeOf, textOf } from "../../../provider/journal/attempt";
import {
  attempt,
  filesIn,
  freshFolder,
  intent,
  journalIn,
  KEY,
  moment,
  URN,
} from "../../support/journalFolder";
import { onUnix } from "../../support/systems";

const PLACE = path.join(...placeOf(KEY, ""));
const SET_IT =
  "Set deployment-control:journal (or DEPLOYMENT_CONTROL_JOURNAL) to a folder of your own that can be written";

afterEach(() => {
  jest.restoreAllMocks();
});

/** A journal with an open attempt. */
function journalFolder(): string {
  const root = freshFolder();
  mkdirSync(path.dirname(path.join(root, PLACE)), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(root, PLACE), textOf({ ...attempt, answer: "d-1" }));
  return root;
}

function toAnotherUser(): void {
  jest.spyOn(process, "geteuid").mockReturnValue((process.geteuid?.() ?? 0) + 1);
}

onUnix.each<[string, (root: string) => void, RegExp]>([
  ["is open to other users", (root) => chmodSync(root, 0o750), /is open to other users: run chmod 700 on it/],
  ["belongs to another user", toAnotherUser, /belongs to another user \(uid \d+\)/],
  [
    "is a symbolic link",
    (root) => {
      renameSync(root, `${root}-elsewhere`);
      symlinkSync(`${root}-elsewhere`, root);
    },
    /is a symbolic link/,
  ],
])(
  "a journal whose folder %s is neither read nor written, and one warning says what to do",
  async (_what, spoil, words) => {
    const root = journalFolder();
    const before = filesIn(root);
    spoil(root);
    const { journal, warned } = journalIn(root);
    expect(await journal.get(KEY)).toBeUndefined();
    await journal.put({ ...intent, urn: `${URN}-2` }, moment);
    expect(filesIn(root)).toEqual(before);
    expect(warned).toEqual([expect.stringMatching(words)]);
    expect(warned[0]).toContain(SET_IT);
  },
);

test("an attempt with a future date counts as sent now", async () => {
  const root = journalFolder();
  const file = path.join(root, PLACE);
  const ahead = Date.now() + 3_600_000;
  writeFileSync(file, textOf({ ...attempt, sentAt: ahead, expiresAt: ahead + 40_000 }));
  const open = await journalIn(root).journal.get(KEY);
  if (open === undefined) throw new Error("there is no attempt");
  expect(open.sentAt).toBeLessThanOrEqual(Date.now());
  expect(open.expiresAt - open.sentAt).toBe(40_000);
});
