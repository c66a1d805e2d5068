import { chmodSync } from "node:fs";
import { FailedRevisions } from "../../../provider/journal/failedRevisions";
import { filesIn, freshFolder, SERVICE } from "../../support/journalFolder";
import { onUnix } from "../../support/systems";

const key = { serviceUrl: SERVICE, latestRevisionId: "r1" };

test("a later run reads the noted failure of a revision, until the failure is forgotten", () => {
  const folder = freshFolder();
  new FailedRevisions({ folder, backend: "" }).note(key, "BUILD_FAILED");
  const later = new FailedRevisions({ folder, backend: "" });
  expect(later.statusOf(key)).toBe("BUILD_FAILED");
  for (const other of [{ ...key, latestRevisionId: "r2" }, { ...key, serviceUrl: `${SERVICE}/2` }, {}])
    expect(later.statusOf(other)).toBeUndefined();
  later.forget(key);
  expect([later.statusOf(key), filesIn(folder)]).toEqual([undefined, []]);
});

onUnix("a journal that other users can write is neither read nor written", () => {
  const folder = freshFolder();
  const notes = new FailedRevisions({ folder, backend: "" });
  notes.note(key, "BUILD_FAILED");
  chmodSync(folder, 0o777);
  notes.note({ ...key, latestRevisionId: "r2" }, "BUILD_FAILED");
  expect([notes.statusOf(key), filesIn(folder)]).toEqual([undefined, [expect.anything()]]);
});
