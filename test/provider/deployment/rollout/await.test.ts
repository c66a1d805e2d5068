import type { UnfinishedError } from "../../../../provider/failure";
import type { EmulatorOptions } from "../../../../sdk/emulator";
import { chat, failureOf, provided } from "../../../support/providerRun";
import { createDeployment, deployment, updateDeployment } from "../../../support/resourceCalls";
import { sharedClock } from "../../../support/sharedClock";

const next = { ...chat, sourceRevisionConfig: { repoRef: "next" }, revisionGeneration: 2 };

async function running(options: EmulatorOptions = {}) {
  const run = await provided(options, {}, sharedClock());
  const { id, outputs } = await createDeployment(run.session, chat);
  run.sent();
  const update = (olds = outputs, news: object = next) =>
    updateDeployment(run.session, id, olds, { ...news });
  return { ...run, id, outputs, update };
}

test("the error about a failed revision has its steps and the serving revision, and the state keeps the failure", async () => {
  const { emulator, outputs, update } = await running({ revisionSeconds: 3 });
  emulator.failNext({ kind: "revision", status: "DEPLOY_FAILED" });
  const error = await failureOf<UnfinishedError>(update());
  expect(error.message).toMatch(
    new RegExp(
      `revision \\S+ ended DEPLOY_FAILED after .* s \\(.*DEPLOY_FAILED\\)\\. Revision ${outputs.activeRevisionId} goes on serving\\. The next up makes the revision again`,
    ),
  );
  expect(error.properties).toMatchObject({
    rolloutState: "failed",
    latestRevisionStatus: "DEPLOY_FAILED",
    sourceRevisionConfig: { repoRef: "next" },
  });
});

test("if no revision was ever deployed, the error says that none serves", async () => {
  const { emulator, session } = await provided();
  emulator.failNext({ kind: "revision", status: "CREATE_FAILED" });
  const error = await failureOf<UnfinishedError>(createDeployment(session, chat));
  expect(error.message).toContain("ended CREATE_FAILED");
  expect(error.message).toContain("No revision serves");
});

test("the next update resumes an interrupted wait, without another PATCH", async () => {
  const { emulator, session, id, update, sent } = await running();
  emulator.behaviour.revisionSeconds = 600;
  const news = { ...next, rollout: { timeoutSeconds: 1 } };
  const error = await failureOf<UnfinishedError>(update(undefined, news));
  expect(error.message).toMatch(
    /was not deployed within 1(\.\d)? s, last seen CREATING.*The next up resumes the wait/,
  );
  expect(error.properties.rolloutState).toBe("unfinished");
  const plan = await deployment.diff(session, id, error.properties, news, true);
  expect(plan.changes).toBe(true);
  emulator.settle(id, "DEPLOYED");
  sent();
  expect(await update(error.properties, news)).toMatchObject({ rolloutState: "deployed" });
  expect(sent().filter((request) => request.startsWith("PATCH"))).toEqual([]);
});
