/** Tests updates on a service that has a separate call for new revisions. The tests count and read the requests. */

import { UnreachableError } from "../../../../provider/client/errors";
import type { UnfinishedError } from "../../../../provider/failure";
import type { Properties } from "../../../../provider/schema/value";
import type { Emulator, EmulatorOptions } from "../../../../sdk/emulator";
import { createdDeployment } from "../../../support/createdDeployment";
import { ask, heldRequests } from "../../../support/embeddedService";
import { attemptsIn, recorded, until, untilRead } from "../../../support/interruptedRun";
import { chat, failureOf } from "../../../support/providerRun";
import { deployment, updateDeployment } from "../../../support/resourceCalls";

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

test("if a PATCH that was planned as an update in place also makes a revision, a warning says so", async () => {
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

/** Makes a revision, as if another tool made it. */
const releaseOn = (emulator: Emulator, id: string) =>
  ask(emulator, "POST", `/v2/deployments/${id}/revisions`, {
    source_revision_config: { ...wire, repo_ref: "another" },
  });

test("if another tool has made a later revision, an update does not make the failed revision again", async () => {
  const failing = { ...agent, sourceRevisionConfig: { ...settings, repoRef: "next" }, rollout: {} };
  const { id, emulator, update, writes } = await running();
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const { properties } = await failureOf<UnfinishedError>(update(failing));
  await releaseOn(emulator, id);
  emulator.requests.length = 0;
  const { message } = await failureOf(update(failing, properties));
  expect(message).toMatch(/another tool made revision \S+ after revision \S+ failed\. Run `pulumi refresh`/);
  expect(writes()).toEqual([]);
});

test("a revision that another tool made before the request does not count as made by the request", async () => {
  const { id, emulator, journal, session, outputs } = await recorded(agent, { profile: "langsmith" });
  await releaseOn(emulator, id);
  const theirs = emulator.deployments()[0]?.latest_revision_id;
  emulator.failNext({ kind: "drop-before", match: CALL });
  await failureOf(updateDeployment(session, id, outputs, revising));
  expect(attemptsIn(journal)[0].known).toEqual([outputs.latestRevisionId, theirs]);
});

test.each([1, 3])(
  "even if the service shows the new revision only in read number %i after the answer, no message calls the plan wrong",
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

// In the next tests, a call that makes a revision loses its answer, or the run is killed. No revision is made twice.

const runningOnce = (more = {}) => recorded(agent, { profile: "langsmith" }, more);

test("if the answer to a call that creates a revision was lost, the run finds the revision that the call created, and does not repeat the call", async () => {
  const { emulator, session, id, outputs, posts, revisions } = await runningOnce();
  emulator.failNext({ kind: "drop-after", match: CALL });
  const after = await updateDeployment(session, id, outputs, both);
  expect([posts().length, revisions()]).toEqual([1, 2]);
  expect(after.latestRevisionId).toBe(emulator.deployments()[0]?.latest_revision_id);
});

test("a run does not repeat a lost call that creates a revision, and the next run waits until the call can no longer arrive", async () => {
  const { emulator, journal, session, id, outputs, next, posts } = await runningOnce();
  emulator.failNext({ kind: "drop-before", match: CALL });
  const error = await failureOf<UnfinishedError>(updateDeployment(session, id, outputs, both));
  expect(error.message).toContain("it is not known whether the update was applied");
  expect(error.properties).toMatchObject({
    sourceConfig: { buildOnPush: false },
    rolloutState: "unfinished",
  });
  expect(posts()).toHaveLength(1);
  const [{ expiresAt }] = attemptsIn(journal);
  const { after } = await next(both, error.properties);
  expect(attemptsIn(journal)[0].sentAt).toBeGreaterThanOrEqual(expiresAt);
  expect(posts()).toEqual([{ source_revision_config: nextWire }]);
  expect(after).toMatchObject({
    sourceRevisionConfig: { repoRef: "next" },
    sourceConfig: { buildOnPush: false },
  });
  expect(emulator.deployments()[0]?.revisions).toHaveLength(2);
});

test("without a journal, the state alone makes the next run wait until a lost call that creates a revision can no longer arrive", async () => {
  const { emulator, session, id, outputs, next, posts } = await runningOnce({ journal: "off" });
  emulator.failNext({ kind: "drop-before", match: CALL });
  const { properties } = await failureOf<UnfinishedError>(updateDeployment(session, id, outputs, revising));
  const later = next(revising, properties);
  await until(() => emulator.requests.filter(({ method }) => method === "GET").length > 3);
  expect(posts()).toEqual([]);
  await later;
  expect(emulator.deployments()[0]?.revisions).toHaveLength(2);
});

test.each(["drop-after", "delay"] as const)(
  "a run that is killed at the call that creates a revision (%s) and the next run together make only one revision",
  async (kind) => {
    const { emulator, kill, next, posts, patches } = await runningOnce();
    const release = heldRequests();
    emulator.failNext(kind === "delay" ? { kind, ms: 1, match: CALL } : { kind, match: CALL });
    await kill(both);
    const nextUpdate = next(both);
    await untilRead(emulator);
    release();
    const { after, told } = await nextUpdate;
    expect([posts(), patches()]).toEqual([[], []]);
    expect(emulator.deployments()[0]?.revisions).toHaveLength(2);
    expect(told.join()).toContain("it is not sent again");
    expect(after).toMatchObject({
      sourceRevisionConfig: { repoRef: "next" },
      sourceConfig: { buildOnPush: false },
    });
  },
);

test("the run recognizes a lost PATCH that removed a member of the spec, although the service put a default in its place", async () => {
  const resourceSpec = { minScale: 1, maxScale: 4 };
  const image = {
    ...chat,
    source: "external_docker",
    sourceConfig: { resourceSpec: { ...resourceSpec, memoryMb: 2048 } },
    sourceRevisionConfig: { imageUri: "chat:1" },
  };
  const { emulator, update, stored } = await createdDeployment(image, { secretsInResponses: "masked" });
  emulator.failNext({ kind: "drop-after", match: { method: "PATCH" } });
  const secrets = { TOKEN: "rotated-secret-value" };
  await update({ ...image, sourceConfig: { resourceSpec }, secrets, revisionGeneration: 2 });
  expect(stored()?.source_config.resource_spec).toMatchObject({ memory_mb: 1024 });
  expect(stored()?.revisions).toHaveLength(2);
});

const container = {
  ...chat,
  source: "external_docker",
  sourceConfig: { resourceSpec: { cpu: 1 } },
  sourceRevisionConfig: { imageUri: "chat:1" },
  rollout: { wait: false },
};
const newer = {
  ...container,
  sourceConfig: { resourceSpec: { cpu: 1.25 } },
  sourceRevisionConfig: { imageUri: "chat:2" },
  revisionGeneration: 2,
};

test.each(["contract", "langsmith"] as const)(
  "under %s, the next run recognizes a lost update, although the service shows a digest and a rounded number",
  async (profile) => {
    const { emulator, id, kill, next, revisions, patches, posts } = await recorded(container, {
      profile,
      finerCpu: "rounded",
    });
    emulator.failNext({ kind: "drop-after", match: profile === "contract" ? { method: "PATCH" } : CALL });
    await kill(newer);
    emulator.change(id, { source_revision_config: { image_uri: `chat@sha256:${"0".repeat(64)}` } });
    const { after, told } = await next(newer);
    expect([patches(), posts(), revisions()]).toEqual([[], [], 2]);
    expect(told.join()).toContain("it is not sent again");
    const { sourceConfig, sourceRevisionConfig } = newer;
    expect(after).toMatchObject({ sourceConfig, sourceRevisionConfig });
  },
);

test("a revision that is made at the time of a lost update, but with another image, does not count as made by the update", async () => {
  const { emulator, id, kill, next, patches } = await recorded(container);
  emulator.failNext({ kind: "drop-after", match: { method: "PATCH" } });
  await kill(newer);
  emulator.change(id, { source_revision_config: { image_uri: `other@sha256:${"0".repeat(64)}` } });
  await next(newer);
  expect(patches()).toHaveLength(1);
  expect(emulator.deployments()[0]?.source_revision_config).toMatchObject({ image_uri: "chat:2" });
});

/** The first write does not arrive, and at the same moment somebody's push makes a revision. */
async function lostAtAPush(profile: "contract" | "langsmith", args: typeof container) {
  const created = await createdDeployment(args, { profile, secretsInResponses: "echoed" });
  const { emulator, service, id } = created;
  const name = profile === "contract" ? "updateDeployment" : "createRevision";
  const write = service.endpoints[name].bind(service.endpoints) as (
    ...sent: unknown[]
  ) => Promise<Properties>;
  let writes = 0;
  jest.spyOn(service.endpoints, name).mockImplementation(async (...sent: unknown[]) => {
    writes += 1;
    if (writes > 1) return write(...sent);
    await (sent as [string, object, () => Promise<void>])[2]();
    const push = { source_revision_config: args.sourceRevisionConfig && { image_uri: "chat:1" } };
    await ask(emulator, "PATCH", `/v2/deployments/${id}`, push);
    throw new UnreachableError({ operation: name, method: "PATCH", url: "x" }, "lost the connection", true);
  });
  return { ...created, count: () => writes };
}

test.each<[string, Properties]>([
  ["an added secret", { secrets: { TOKEN: "token-secret-value", EXTRA: "extra-secret-value" } }],
  ["the removal of a secret", { secrets: { OTHER: "other-secret-value" } }],
  ["a changed secret reference", { secretReferences: { KEY: { secretName: "keys", secretKey: "two" } } }],
])(
  "a push at the moment of a lost update is not mistaken for the update if the service does not show %s",
  async (_what, change) => {
    const secretReferences = { KEY: { secretName: "keys", secretKey: "one" } };
    const args = { ...container, secrets: { TOKEN: "token-secret-value" }, secretReferences };
    const { update, stored, count } = await lostAtAPush("contract", args);
    await update({ ...args, ...change, revisionGeneration: 2 });
    expect(count()).toBe(2);
    const { secrets, secretReferences: references } = { ...args, ...change } as typeof args;
    const sent = Object.entries(secrets).map(([name, value]) => ({ name, value }));
    expect(stored()?.secrets).toHaveLength(sent.length);
    expect(stored()?.secrets).toEqual(expect.arrayContaining(sent));
    expect(stored()?.secret_references).toMatchObject([{ secret_key: references.KEY.secretKey }]);
  },
);
