import { readFileSync } from "node:fs";
import { heldRequests } from "../../support/embeddedService";
import { attemptFiles, attemptsIn, bare, changed, recorded, until } from "../../support/interruptedRun";
import { chat, sessionOn, URN } from "../../support/providerRun";
import { deployment, updateDeployment } from "../../support/resourceCalls";

const PATCH = { method: "PATCH" } as const;
const secretly = { ...chat, secrets: { TOKEN: "rotated-secret-value" }, revisionGeneration: 2 };

test("an update that makes a revision is in the journal before its request arrives, and the revision is added after the answer", async () => {
  const { journal, emulator, session, id, outputs } = await recorded(chat);
  const release = heldRequests();
  emulator.failNext({ kind: "delay", ms: 1, match: PATCH });
  const updating = updateDeployment(session, id, outputs, {
    ...secretly,
    ...changed,
    secrets: secretly.secrets,
  });
  await until(() => emulator.requests.some(({ method }) => method === "PATCH"));
  const [before] = attemptsIn(journal);
  expect(before).toMatchObject({
    kind: "deployment",
    purpose: "update",
    urn: URN,
    serviceUrl: emulator.url,
    id,
    known: [outputs.latestRevisionId],
    carries: ["sourceRevisionConfig", "secrets", "environment"],
    sent: { sourceRevisionConfig: { repoRef: "next" } },
    secretNames: ["TOKEN"],
    generation: 2,
  });
  expect(before).not.toHaveProperty("answer");
  release();
  const after = await updating;
  expect(attemptsIn(journal)).toEqual([{ ...before, answer: after.latestRevisionId }]);
  expect(readFileSync(attemptFiles(journal)[0] as string, "utf8")).not.toContain("secret-value");
});

test("an uninterrupted update sends the same requests with and without a journal", async () => {
  const requestsOf = async (settings: object) => {
    const { session, id, outputs, sent } = await recorded(bare, {}, settings);
    await updateDeployment(session, id, outputs, changed);
    return sent();
  };
  expect(await requestsOf({})).toEqual(await requestsOf({ journal: "off" }));
});

test("if the state has a later update, the attempt of an earlier update is dropped, even if the later attempt is gone", async () => {
  const { emulator, journal, session, id, outputs } = await recorded();
  const after = await updateDeployment(session, id, outputs, changed);
  const later = sessionOn(emulator, { journal });
  const since = { ...after, revisionGeneration: 5 };
  await deployment.diff(later.session, id, since, { ...changed, revisionGeneration: 5 }, true);
  await until(() => attemptFiles(journal).length === 0);
});

test("the attempt of an update that only makes a failed revision again is dropped when the state has the new revision's id", async () => {
  const { emulator, journal, session, id, outputs } = await recorded();
  const failed = { ...outputs, rolloutState: "failed", latestRevisionStatus: "DEPLOY_FAILED" };
  const after = await updateDeployment(session, id, failed, bare);
  expect(after.latestRevisionId).not.toBe(outputs.latestRevisionId);
  for (const [state, left] of [
    [failed, 1],
    [{ ...after, __uncertain: 1 }, 1],
    [after, 0],
  ] as const) {
    const later = sessionOn(emulator, { journal });
    await deployment.diff(later.session, id, state, bare, false);
    if (left === 0) await until(() => attemptFiles(journal).length === 0);
    expect(attemptFiles(journal)).toHaveLength(left);
  }
});

test("a later run that finds the update in the state drops the attempt, but a refresh of an earlier state does not", async () => {
  const { emulator, journal, session, id, outputs } = await recorded();
  const after = await updateDeployment(session, id, outputs, changed);
  const before = sessionOn(emulator, { journal });
  const { outputs: refreshed = {} } = await deployment.read(before.session, id, outputs);
  expect(refreshed.latestRevisionId).toBe(after.latestRevisionId);
  expect(attemptFiles(journal)).toHaveLength(1);
  const later = sessionOn(emulator, { journal });
  await deployment.diff(later.session, id, after, changed, true);
  await until(() => attemptFiles(journal).length === 0);
});
