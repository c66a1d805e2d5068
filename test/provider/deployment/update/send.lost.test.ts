/** The answer to a call that makes a revision is lost, or the run is killed: no revision is made twice. */
import { UnreachableError } from "../../../../provider/client/errors";
import type { UnfinishedError } from "../../../../provider/failure";
import type { Properties } from "../../../../provider/schema/value";
import { createdDeployment } from "../../../support/createdDeployment";
import { ask, heldRequests } from "../../../support/embeddedService";
import { attemptsIn, recorded, until, untilRead } from "../../../support/interruptedRun";
import { chat, failureOf } from "../../../support/providerRun";
import { updateDeployment } from "../../../support/resourceCalls";

const CALL = { method: "POST", pathPattern: /revisions$/ };

const settings = { repoRef: "main", graphConfigPath: "graph.json" };
const agent = { ...chat, sourceRevisionConfig: settings, rollout: { wait: false } };
const revising = { ...agent, sourceRevisionConfig: { ...settings, repoRef: "next" }, revisionGeneration: 2 };
const both = { ...revising, sourceConfig: { buildOnPush: false } };
const nextWire = { repo_ref: "next", langgraph_config_path: "graph.json" };

const running = (more = {}) => recorded(agent, { profile: "langsmith" }, more);

test("if the answer to a call that creates a revision was lost, the run finds the revision that the call created, and does not repeat the call", async () => {
  const { emulator, session, id, outputs, posts, revisions } = await running();
  emulator.failNext({ kind: "drop-after", match: CALL });
  const after = await updateDeployment(session, id, outputs, both);
  expect([posts().length, revisions()]).toEqual([1, 2]);
  expect(after.latestRevisionId).toBe(emulator.deployments()[0]?.latest_revision_id);
});

test("a run does not repeat a lost call that creates a revision, and the next run waits until the call can no longer arrive", async () => {
  const { emulator, journal, session, id, outputs, next, posts } = await running();
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
  const { emulator, session, id, outputs, next, posts } = await running({ journal: "off" });
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
    const { emulator, kill, next, posts, patches } = await running();
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

test("the run recognizes a lost PATCH that removed a member of the spec, although the service put a default there", async () => {
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
  "a push at the moment of a lost update is not mistaken for the update if the service lacks %s",
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
