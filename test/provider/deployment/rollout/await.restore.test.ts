import type { UnfinishedError } from "../../../../provider/failure";
import { chat, failureOf, provided } from "../../../support/providerRun";
import { createDeployment, deployment, updateDeployment } from "../../../support/resourceCalls";

const first = { ...chat, rollout: { onFailure: "restore" } };
const next = { ...first, sourceRevisionConfig: { repoRef: "next" }, revisionGeneration: 2 };

/** A running deployment, and an update whose revision fails. */
async function failing() {
  const run = await provided();
  const { id, outputs } = await createDeployment(run.session, first);
  run.emulator.requests.length = 0;
  run.emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const fail = () => failureOf<UnfinishedError>(updateDeployment(run.session, id, outputs, next));
  const patches = () =>
    run.emulator.requests.filter(({ method }) => method === "PATCH").map(({ body }) => body);
  return { ...run, id, outputs, fail, patches };
}

test("the settings of the last good revision are deployed again, but the update still fails", async () => {
  const { emulator, session, id, outputs, fail, patches } = await failing();
  const error = await fail();
  expect(error.message).toMatch(
    new RegExp(
      `ended BUILD_FAILED .*The settings of the last good revision, ${outputs.latestRevisionId}, were restored: deployed as revision \\S+`,
    ),
  );
  expect(patches()).toEqual([
    { source_revision_config: { repo_ref: "next" } },
    { source_revision_config: { repo_ref: "main" } },
  ]);
  const [stored] = emulator.deployments();
  expect(stored?.active_revision_id).toBe(stored?.latest_revision_id);
  // The state has the running settings, so the next plan shows the change again.
  expect(error.properties).toMatchObject({
    sourceRevisionConfig: { repoRef: "main" },
    rolloutState: "deployed",
  });
  const plan = await deployment.diff(session, id, error.properties, next, true);
  expect(plan.changes).toBe(true);
});

test("if the restored revision fails too, the error reports both failures", async () => {
  const { emulator, fail } = await failing();
  emulator.failNext({ kind: "revision", status: "DEPLOY_FAILED" });
  const error = await fail();
  expect(error.message).toMatch(/ended BUILD_FAILED .* were restored: revision \S+ ended DEPLOY_FAILED/);
  expect(error.properties.rolloutState).toBe("failed");
});

test("if a restore cannot be sent, the error reports that with the failure", async () => {
  const { session, service, id, fail } = await failing();
  const update = service.endpoints.updateDeployment.bind(service.endpoints);
  let calls = 0;
  jest.spyOn(service.endpoints, "updateDeployment").mockImplementation((...args) => {
    calls += 1;
    return calls === 1 ? update(...args) : Promise.reject(new Error("nothing can be sent"));
  });
  const error = await fail();
  expect(error.message).toMatch(
    /The next up makes the revision again\..* Restoring the settings of revision \S+ failed too: nothing can be sent/,
  );
  expect((await deployment.read(session, id, error.properties)).outputs).toMatchObject({
    rolloutState: "failed",
  });
});

test("if nothing was ever deployed, there is nothing to restore", async () => {
  const { emulator, session } = await provided();
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const error = await failureOf(createDeployment(session, first));
  expect(error.message).toContain("no revision of it was ever good: nothing to restore");
  expect(emulator.requests.some(({ method }) => method === "PATCH")).toBe(false);
});
