/**
 * Updates on a service that has a call that creates revisions. The tests count and read the requests to the service.
 */
import type { UnfinishedError } from "../../../../provider/failure";
import type { Properties } from "../../../../provider/schema/value";
import type { EmulatorOptions } from "../../../../sdk/emulator";
import { createdDeployment } from "../../../support/createdDeployment";
import { chat, failureOf } from "../../../support/providerRun";
import { deployment } from "../../../support/resourceCalls";

const REVISE = "POST /v2/deployments/ID/revisions";
const PATCH = "PATCH /v2/deployments/ID";
const LOOK = "GET /v2/deployments/ID/revisions";
/** The read of the deployment before a request that makes a revision. */
const READ = "GET /v2/deployments/ID";
const CALL = { method: "POST", pathPattern: /revisions$/ };

const settings = { repoRef: "main", graphConfigPath: "graph.json" };
const wire = { repo_ref: "main", langgraph_config_path: "graph.json" };
const agent = { ...chat, sourceRevisionConfig: settings, rollout: { wait: false } };
const revising = { ...agent, sourceRevisionConfig: { ...settings, repoRef: "next" }, revisionGeneration: 2 };
const both = { ...revising, sourceConfig: { buildOnPush: false } };
const commanded = { ...agent, sourceConfig: { buildOnPush: true, installCommand: "npm ci" } };
const nextWire = { ...wire, repo_ref: "next" };
const bodyOfBoth = { source_config: { build_on_push: false }, source_revision_config: nextWire };

const running = (options: EmulatorOptions = {}, inputs: Properties = agent, settings = {}) =>
  createdDeployment(inputs, { profile: "langsmith", ...options }, settings);

test.each<[string, Properties, Properties]>([
  ["the revision's settings", revising, { source_revision_config: nextWire }],
  ["a trigger", { ...agent, revisionTriggers: { data: "2" } }, { source_revision_config: wire }],
  [
    "a secret",
    { ...agent, secrets: { TOKEN: "another-secret-value", EXTRA: "extra-secret-value" } },
    {
      source_revision_config: wire,
      secrets: [
        { name: "EXTRA", value: "extra-secret-value" },
        { name: "TOKEN", value: "another-secret-value" },
      ],
    },
  ],
  ["a command", commanded, { source_revision_config: wire, source_config: { install_command: "npm ci" } }],
])("a change to %s is one request, which sends the revision's section whole", async (_, news, body) => {
  const { update, writes, stored, told } = await running();
  const after = await update(news);
  expect(writes()).toEqual([body]);
  expect(stored()?.revisions).toHaveLength(2);
  expect(told).toEqual([
    expect.stringContaining(`as planned, a new revision: ${stored()?.latest_revision_id}`),
  ]);
  expect(after).toMatchObject({
    ...news,
    latestRevisionId: stored()?.latest_revision_id,
    rolloutState: "not awaited",
  });
});

test("the outputs after an update equal the outputs after a refresh", async () => {
  for (const news of [revising, both, commanded]) {
    const { update, session, id, stored } = await running();
    const after = await update(news);
    const { outputs = {} } = await deployment.read(session, id, after);
    const { updatedAt, activeRevisionId, rolloutState, ...lastingOutputs } = outputs;
    expect(after).toMatchObject(lastingOutputs as Properties);
    expect(lastingOutputs).toMatchObject({ ...news, latestRevisionId: stored()?.latest_revision_id });
  }
});

test("an update sends a change in place before the change that makes a revision, in a PATCH without any field of the revision", async () => {
  const { update, writes, sent, stored, told } = await running();
  await update(both);
  expect(writes()).toEqual([
    { source_config: { build_on_push: false } },
    { source_revision_config: nextWire },
  ]);
  expect(sent()).toEqual([READ, PATCH, REVISE]);
  expect(stored()?.revisions).toHaveLength(2);
  expect(told).toEqual([
    expect.stringContaining(
      `as planned, a new revision: ${stored()?.latest_revision_id}, and no other for what changed in place`,
    ),
  ]);
});

test("if a PATCH that should update in place also makes a revision, a warning says so", async () => {
  const { update, warnings, stored } = await running({ extraRevisionOn: ["source_config.build_on_push"] });
  await update(both);
  expect(stored()?.revisions).toHaveLength(3);
  expect(warnings()).toEqual([expect.stringContaining("NOT as planned: the plan said no new revision")]);
});

test("an update with revisionSource is one PATCH, because only a PATCH can carry that field", async () => {
  const { update, sent, writes } = await running();
  await update({ ...both, revisionSource: "repohost" });
  expect(writes()).toEqual([{ ...bodyOfBoth, revision_source: "github" }]);
  expect(sent()).toEqual([READ, PATCH, LOOK]);
});

test("a display name is sent in a PATCH, even if the profile says that a display name makes a revision", async () => {
  const profileOverrides = JSON.stringify({ classes: { displayName: "newRevision" } });
  const { update, writes } = await running({ extraRevisionOn: ["display_name"] }, agent, {
    profileOverrides,
  });
  await update({ ...revising, displayName: "Agent" });
  expect(writes()).toEqual([{ display_name: "Agent", source_revision_config: nextWire }]);
});

test("if an installation lacks the call that creates revisions, each update is sent by PATCH, and a message reports this", async () => {
  const { emulator, update, sent, told } = await running({ older: true });
  const olds = await update(both);
  expect(sent()).toEqual([READ, PATCH, REVISE, PATCH, LOOK]);
  expect(told[0]).toContain("the service has no call that makes a revision");
  expect(told[1]).toMatch(/as planned, a new revision: \S+$/);
  await update({ ...both, sourceRevisionConfig: settings }, olds);
  expect(sent()).toEqual([READ, REVISE, PATCH, LOOK]);
  expect(emulator.deployments()[0]?.revisions).toHaveLength(3);
});

test("after a 404 from the call that creates revisions, the update succeeds only if a PATCH then succeeds", async () => {
  const { emulator, update, sent } = await running();
  emulator.failNext({ kind: "status", status: 404, match: CALL, times: 2 });
  emulator.failNext({ kind: "status", status: 404, match: { method: "PATCH" } });
  expect((await failureOf(update(revising))).message).toContain("update deployment");
  expect(sent()).toEqual([READ, REVISE, PATCH]);
  await update(revising);
  expect(sent()).toEqual([READ, REVISE, PATCH, LOOK]);
});

test("if the PATCH succeeds and the service refuses the call that creates revisions, the state has the PATCH's changes, and the next plan has the other changes", async () => {
  const { emulator, session, id, update, told, outputs, writes } = await running();
  emulator.failNext({ kind: "status", status: 422, match: CALL });
  const { message, properties } = await failureOf<UnfinishedError>(update(both));
  expect(message).toContain("was changed in place, but its new revision was not made");
  expect(properties).toMatchObject({
    sourceConfig: { buildOnPush: false },
    sourceRevisionConfig: settings,
    revisionGeneration: 1,
    latestRevisionId: outputs.latestRevisionId,
    rolloutState: "not awaited",
  });
  await deployment.diff(session, id, properties, both, true);
  expect(told.at(-1)).toContain("creates a new revision (sourceRevisionConfig.repoRef main -> next)");
  emulator.requests.length = 0;
  await update(both, properties);
  expect(writes()).toEqual([{ source_revision_config: nextWire }]);
});

test("the call that creates revisions makes a failed revision again, and restores the settings of the last good revision", async () => {
  const awaited = { ...agent, rollout: { onFailure: "restore" } };
  const failing = { ...awaited, sourceRevisionConfig: { ...settings, repoRef: "next" } };
  const { emulator, update, writes, stored } = await running({}, awaited);
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const { properties } = await failureOf<UnfinishedError>(update(failing));
  expect(writes()).toEqual([{ source_revision_config: nextWire }, { source_revision_config: wire }]);
  expect(emulator.requests.filter(({ method }) => method === "PATCH")).toEqual([]);
  expect(properties).toMatchObject({
    rolloutState: "deployed",
    latestRevisionId: stored()?.active_revision_id,
    sourceRevisionConfig: settings,
  });
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const plain = { ...failing, rollout: {} };
  const again = await failureOf<UnfinishedError>(update(plain, properties));
  emulator.requests.length = 0;
  expect(await update(plain, again.properties)).toMatchObject({ rolloutState: "deployed" });
  expect(writes()).toEqual([{ source_revision_config: nextWire }]);
});

test.each([1, 3])(
  "if the service shows the new revision only at look %i after its answer, the plan is not called wrong",
  async (looks) => {
    const { emulator, service, update, told } = await createdDeployment(chat);
    const old = emulator.deployments()[0]?.latest_revision_id;
    const send = service.endpoints.updateDeployment.bind(service.endpoints);
    const read = service.directory.fresh.bind(service.directory);
    let lag = 0;
    const lagging = <T>(resource: T): T => {
      lag -= 1;
      return lag >= 0 ? { ...resource, latest_revision_id: old } : resource;
    };
    jest.spyOn(service.endpoints, "updateDeployment").mockImplementation(async (...sent) => {
      const resource = await send(...sent);
      lag = looks;
      return lagging(resource);
    });
    jest.spyOn(service.directory, "fresh").mockImplementation(async (id) => lagging(await read(id)));
    const after = await update({ ...chat, sourceRevisionConfig: { repoRef: "next" }, revisionGeneration: 2 });
    expect(told.join()).toContain(`as planned, a new revision: ${after.latestRevisionId}`);
    expect(after.latestRevisionId).toBe(emulator.deployments()[0]?.latest_revision_id);
    expect(after).toMatchObject({ rolloutState: "deployed" });
    expect(after.latestRevisionId).not.toBe(old);
  },
);
