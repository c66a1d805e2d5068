import type { Properties } from "../../../provider/schema/value";
import type { EmulatorOptions } from "../../../sdk/emulator";
import { createdDeployment } from "../../support/createdDeployment";
import { chat, failureOf, provided } from "../../support/providerRun";
import { readDeployment } from "../../support/resourceCalls";

async function recorded(options: EmulatorOptions = {}) {
  const { emulator, id, outputs, later } = await createdDeployment(chat, options);
  const run = later();
  const read = (state: Properties = outputs) => readDeployment(run.session, id, state);
  return { ...run, emulator, id, outputs, later, read };
}

test("after a push to the same branch, a refresh records the push's revision as the latest revision, and finds no drift", async () => {
  const { emulator, id, read } = await recorded();
  const { id: revision } = emulator.push(id, {});
  const refreshed = await read();
  expect(refreshed.outputs).toMatchObject({ latestRevisionId: revision });
  expect(refreshed).not.toHaveProperty("inputs");
});

test("after a push to another branch, a refresh records the push's revision as the latest revision, and the push's settings as drift", async () => {
  const { emulator, id, read } = await recorded();
  const { id: revision } = emulator.push(id, { repoRef: "hotfix" });
  const { inputs, outputs } = await read();
  expect(outputs).toMatchObject({
    latestRevisionId: revision,
    latestRevisionStatus: "DEPLOYED",
    rolloutState: "deployed",
  });
  expect(inputs).toMatchObject({ sourceRevisionConfig: { repoRef: "hotfix" } });
});

test("a refresh returns no deployment if the service has deleted the deployment", async () => {
  const { emulator, id, read, warnings } = await recorded();
  emulator.remove(id);
  expect(await read()).toEqual({ id: undefined });
  expect(warnings()).toEqual([]);
});

test.each([
  ["nine minutes ago is read again, because lists may lag", 9, true],
  ["eleven minutes ago counts as gone", 11, false],
])("a missing deployment that was made %s", async (_, minutes, isKept) => {
  const { session, id, outputs, read } = await recorded();
  const { endpoints } = session.service(undefined);
  const list = endpoints.listDeployments.bind(endpoints);
  let lagging = 6;
  jest.spyOn(endpoints, "listDeployments").mockImplementation(async function* (...args) {
    lagging -= 1;
    if (lagging < 0) yield* list(...args);
  });
  const createdAt = new Date(Date.now() - minutes * 60_000).toISOString();
  expect((await read({ ...outputs, createdAt })).id).toBe(isKept ? id : undefined);
});

test.each(["AWAITING_DELETE", "AWAITING_FINAL_DELETE"])(
  "a deployment that is %s counts as gone, with a warning",
  async (status) => {
    const { emulator, id, read, warnings } = await recorded();
    emulator.change(id, { status });
    expect(await read()).toEqual({ id: undefined });
    expect(warnings()).toEqual([expect.stringContaining(`is being deleted on the service (id ${id})`)]);
  },
);

test("a deployment that is UNUSED stays in the state, and a warning says that the deployment may not be running", async () => {
  const { emulator, id, outputs, read, warnings } = await recorded();
  emulator.change(id, { status: "UNUSED" });
  expect(await read()).toEqual({ id, outputs: { ...outputs, status: "UNUSED" } });
  expect(warnings()).toEqual([
    expect.stringContaining(`the service calls it UNUSED (id ${id}): it may not be running`),
  ]);
});

test.each([401, 403, 500])("if the answer has status %i, no deployment counts as gone", async (status) => {
  const { emulator, read } = await recorded();
  emulator.failNext({ kind: "status", status, times: 2 });
  expect(await failureOf(read())).toMatchObject({ status });
});

const FAILED = { rolloutState: "failed", latestRevisionStatus: "BUILD_FAILED", __incomplete: true };

test("after a failed update, a refresh keeps the failure and the recorded inputs", async () => {
  const { emulator, id, outputs, read } = await recorded();
  emulator.settle(id, "BUILD_FAILED");
  const refreshed = await read({ ...outputs, ...FAILED });
  expect(refreshed.outputs).toMatchObject({ rolloutState: "failed", latestRevisionStatus: "BUILD_FAILED" });
  expect(refreshed.inputs).toBeUndefined();
});

test("while a later revision is being built, a refresh records a failed rollout as unfinished, so the next update waits", async () => {
  const { emulator, id, outputs, later } = await recorded();
  emulator.behaviour.revisionSeconds = 600;
  emulator.push(id);
  const refreshed = await readDeployment(later().session, id, { ...outputs, ...FAILED });
  expect(refreshed.outputs).toMatchObject({ rolloutState: "unfinished" });
});

test("after an interrupted wait, the rollout stays unfinished until the revision has ended", async () => {
  const { emulator, id, outputs, later, read } = await recorded();
  const cut = {
    ...outputs,
    rolloutState: "unfinished",
    latestRevisionStatus: "BUILDING",
    __incomplete: true,
  };
  expect((await read(cut)).outputs).toMatchObject({ rolloutState: "deployed" });
  emulator.behaviour.revisionSeconds = 600;
  emulator.push(id);
  const building = await readDeployment(later().session, id, cut);
  expect(building.outputs).toMatchObject({ rolloutState: "unfinished" });
  expect(building.inputs).toBeUndefined();
  emulator.settle(id, "DEPLOY_FAILED");
  expect((await readDeployment(later().session, id, cut)).outputs).toMatchObject({ rolloutState: "failed" });
});

test.each(["BUILD_FAILED", "SKIPPED", "INTERRUPTED"])(
  "if a push's revision ended with the status %s, a refresh warns, but no update makes the revision again",
  async (status) => {
    const { emulator, id, outputs, read, warnings } = await recorded();
    const { id: revision } = emulator.push(id);
    emulator.settle(id, status);
    const { outputs: refreshed = {} } = await read();
    expect(refreshed).toMatchObject({ rolloutState: "deployed", latestRevisionStatus: status });
    expect(warnings().join()).toContain(
      `revision ${revision}, which no update of this stack made, ended ${status}; it is not made again`,
    );
    expect((await read(refreshed)).outputs).toMatchObject({ rolloutState: "deployed" });
    const unawaited = await read({ ...outputs, rolloutState: "not awaited" });
    expect(unawaited.outputs).toMatchObject({ rolloutState: "failed" });
  },
);

test.each([
  ["whose settings are not the recorded ones", {}, { sourceRevisionConfig: { repoRef: "other" } }],
  ["that was deployed at first", {}, { latestRevisionId: "LATEST" }],
  ["that an unfinished update may have made", {}, { rolloutState: "unfinished" }],
  ["that the creation's answer did not name", {}, { latestRevisionId: null }],
])("a lost revision %s counts as this stack's failure", async (_what, pushed, recordedState) => {
  const { emulator, id, outputs, read } = await recorded();
  const { id: revision } = emulator.push(id, pushed);
  emulator.settle(id, "DEPLOY_FAILED");
  const state = JSON.parse(JSON.stringify({ ...outputs, ...recordedState }).replace("LATEST", revision));
  expect((await read(state)).outputs).toMatchObject({ rolloutState: "failed" });
});

test("a refresh after an interrupted wait leaves the verification to the next update", async () => {
  const { outputs, read } = await recorded();
  const rollout = { verify: { assistantId: "agent", messages: [], expect: { contains: "x" } } };
  const state = { ...outputs, rollout, rolloutState: "unfinished", __incomplete: true };
  expect((await read(state)).outputs).toMatchObject({ rolloutState: "unfinished" });
});

test("a deployment that only another tenant can see does not count as gone", async () => {
  const { outputs, read, session, id } = await recorded();
  const otherId = "00000000-0000-4000-8000-00000000000a";
  const strange = { ...outputs, tenantId: otherId, createdAt: "2020-01-01T00:00:00Z" };
  const missing = "00000000-0000-4000-8000-00000000000b";
  expect((await read(strange)).id).toBe(id);
  const lost = () => readDeployment(session, missing, strange);
  expect((await failureOf(lost())).message).toContain(
    `belongs to tenant ${otherId}, but the API key or the headers lead to tenant ${outputs.tenantId}. Set them back or, if`,
  );
  expect(await readDeployment(session, missing, { ...strange, tenantId: outputs.tenantId })).toEqual({});
  const headers = JSON.stringify({ "X-Tenant-ID": outputs.tenantId });
  const { session: empty } = await provided({ profile: "langsmith" }, { headers });
  const { tenantId, createdAt } = strange;
  const error = await failureOf(readDeployment(empty, missing, { tenantId, createdAt }));
  expect(error.message).toContain("lead to tenant");
  const same = JSON.stringify({ "X-Tenant-ID": String(tenantId).toUpperCase() });
  const { session: chosen } = await provided({ profile: "langsmith" }, { headers: same });
  expect(await readDeployment(chosen, missing, { tenantId, createdAt })).toEqual({});
});

test.each(["absent", "being deleted"])("`get` of a deployment that is %s is an error", async (how) => {
  const { emulator, id, session } = await recorded();
  if (how === "absent") emulator.remove(id);
  else emulator.change(id, { status: "AWAITING_DELETE" });
  const error = await failureOf(readDeployment(session, id, { __get: true }));
  expect(error.message).toContain(`Deployment.get: ${emulator.url}`);
  expect(error.message).toContain(id);
});
