import type { UnfinishedError } from "../../../../provider/failure";
import { type Properties, propertiesIn, valueAt } from "../../../../provider/fields/value";
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

test.each<[string, (good: Properties) => Properties[] | Error, string]>([
  [
    "cannot be read",
    () => new Error("the list is down"),
    "the revisions could not be read: the list is down.",
  ],
  ["lack the good one", () => [], "the service does not list the last good revision, "],
  [
    "show no settings",
    ({ source_revision_config: _hidden, ...good }) => [good],
    "the service does not show the settings of revision ",
  ],
])(
  "if the revisions %s, nothing is sent for a restore, and the error says why",
  async (_how, listed, why) => {
    const { service, fail, patches } = await failing();
    const list = service.endpoints.listRevisions.bind(service.endpoints);
    let lists = 0;
    jest.spyOn(service.endpoints, "listRevisions").mockImplementation(async function* (...args) {
      lists += 1;
      // The first list shows the failure.
      if (lists === 1) return yield* list(...args);
      const revisions: Properties[] = [];
      for await (const page of list(...args)) revisions.push(...page);
      const others = listed(revisions.find(({ status }) => status === "DEPLOYED") as Properties);
      if (others instanceof Error) throw others;
      yield others;
    });
    const error = await fail();
    expect(error.message).toContain(`nothing was restored, since ${why}`);
    expect(patches()).toHaveLength(1);
  },
);

test("if nothing was ever deployed, there is nothing to restore", async () => {
  const { emulator, session } = await provided();
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const error = await failureOf(createDeployment(session, first));
  expect(error.message).toContain("no revision of it was ever good: nothing to restore");
  expect(emulator.requests.some(({ method }) => method === "PATCH")).toBe(false);
});

const variableMaps = ["secrets", "environment", "secretGenerations"];

describe.each(["contract", "langsmith"] as const)("variables that move, under profile %s", (profile) => {
  const settings = { repoRef: "main", graphConfigPath: "graph.json" };
  const asSecret = { ...first, sourceRevisionConfig: settings, environment: { LEVEL: "info" } };
  const { secrets: _secrets, secretGenerations: _counted, ...others } = asSecret;
  const asPlain = { ...others, environment: { LEVEL: "info", TOKEN: "token-secret-value" } };

  test.each([
    ["environment to secrets", asPlain, asSecret, "token-secret-value"],
    ["secrets to environment", asSecret, asPlain, "token-secret-value"],
    ["secrets to environment, with another value", asSecret, asPlain, "token-other-value"],
  ])("a restore keeps what moves from %s", async (_where, before, after, value) => {
    const { emulator, session } = await provided({ profile });
    const { id, outputs } = await createDeployment(session, before);
    const changed = JSON.parse(JSON.stringify(after).replaceAll("token-secret-value", value));
    emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
    const news = {
      ...changed,
      sourceRevisionConfig: { ...settings, repoRef: "next" },
      revisionGeneration: 2,
    };
    const error = await failureOf<UnfinishedError>(updateDeployment(session, id, outputs, news));
    expect(error.message).toMatch(/settings of the last good revision, \S+, were restored: deployed/);
    expect(emulator.deployments()[0]?.secrets).toEqual([
      { name: "LEVEL", value: "info" },
      { name: "TOKEN", value: "token-secret-value" },
    ]);
    const namesIn = (args: object) =>
      variableMaps.map((map) => Object.keys(propertiesIn(valueAt(args, [map]))));
    expect(namesIn(error.properties)).toEqual(namesIn(before));
  });
});

/** The state after an update whose revision failed, and that update's inputs with other arguments. */
async function afterFailure(onFailure: string) {
  const { fail, id, outputs, session, emulator } = await failing();
  const rollout = { onFailure };
  const news = { ...next, rollout };
  const error =
    onFailure === "restore"
      ? await fail()
      : await failureOf<UnfinishedError>(updateDeployment(session, id, outputs, news));
  const failAgain = (olds: object, args: object) => {
    emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
    return failureOf<UnfinishedError>(updateDeployment(session, id, olds as never, args as never));
  };
  return { session, id, state: error.properties, failAgain };
}

test("a secret that was set without a wait is not proven, even if it gets the generation of a failed update", async () => {
  const { session, id, state, failAgain } = await afterFailure("fail");
  const secrets = { TOKEN: "token-unproven-value" };
  // The engine still has the inputs from before the failed update, so `check` counts from these.
  const unfollowed = { ...first, secrets, rollout: { wait: false }, revisionGeneration: 2 };
  const olds = await updateDeployment(session, id, state, unfollowed);
  const error = await failAgain(olds, { ...next, secrets, revisionGeneration: 3 });
  expect(error.message).toContain("nothing was restored, since this cannot be brought back: secrets.");
});

const built = { repoRef: "main", graphConfigPath: "graph.json" };
const commands = { ...first, sourceConfig: { installCommand: "install one" }, sourceRevisionConfig: built };

/** The good revision's note after an update without a wait, and the failure of the restoring update after it. */
async function afterUnawaited(profile: "contract" | "langsmith", before: Properties, change: Properties) {
  const { session, emulator } = await provided({ profile });
  const { id, outputs } = await createDeployment(session, before as typeof first);
  const unawaited = { ...before, ...change, rollout: { wait: false }, revisionGeneration: 2 };
  const olds = await updateDeployment(session, id, outputs, unawaited as never);
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const news = {
    ...before,
    ...change,
    sourceRevisionConfig: { ...built, repoRef: "next" },
    revisionGeneration: 3,
  };
  const error = await failureOf<UnfinishedError>(updateDeployment(session, id, olds, news as never));
  return { note: olds.__lastGood as Properties, message: error.message };
}

test.each<["contract" | "langsmith", string, Properties]>([
  ["langsmith", "sourceConfig.installCommand", { sourceConfig: { installCommand: "install two" } }],
  ["langsmith", "sourceConfig.buildCommand", { sourceConfig: { buildCommand: "build two" } }],
  ["contract", "revisionSource", { revisionSource: "internal_docker" }],
])("profile %s: %s that was set without a wait cannot be brought back", async (profile, path, change) => {
  const { note, message } = await afterUnawaited(profile, commands, change);
  expect(note.changed).toContain(path);
  const [, lost] = message.split("nothing was restored, since this cannot be brought back: ");
  expect(lost).toContain(path);
});

test("without a wait, the note lists a field that the service changes in place, and a restore does not change it back", async () => {
  const change = { sourceConfig: { installCommand: "install two" } };
  const { note, message } = await afterUnawaited("contract", commands, change);
  expect(note.changed).toEqual(["sourceConfig.installCommand"]);
  expect(message).toContain("were restored: deployed as revision");
});

test.each(["without a wait", "by an update that failed"])(
  "a trigger that was changed %s needs no way back: it says nothing about what runs",
  async (how) => {
    const triggered = { ...first, revisionTriggers: { day: "1" } };
    const { session, emulator } = await provided();
    const { id, outputs } = await createDeployment(session, triggered);
    const rollout = how === "without a wait" ? { wait: false } : { onFailure: "fail" };
    const change = { ...triggered, revisionTriggers: { day: "2" }, rollout, revisionGeneration: 2 };
    if (!("wait" in rollout)) emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
    const olds = await updateDeployment(session, id, outputs, change).catch(
      (error: UnfinishedError) => error.properties,
    );
    emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
    const news = {
      ...change,
      sourceRevisionConfig: { repoRef: "next" },
      rollout: first.rollout,
      revisionGeneration: 3,
    };
    const error = await failureOf(updateDeployment(session, id, olds as never, news));
    expect(error.message).toContain("were restored: deployed as revision");
  },
);

test("if a change is undone after a restore, every argument counts as proven", async () => {
  const { session, id, state, failAgain } = await afterFailure("restore");
  const olds = await updateDeployment(session, id, state, first);
  const error = await failAgain(olds, next);
  expect(error.message).toContain("were restored: deployed as revision");
});

/** The profile takes the spec for a change in place, so that a PATCH goes before the call that makes the revision. */
const inTwo = { profileOverrides: '{"classes": {"sourceConfig.resourceSpec": "inPlace"}}' };

test("a restore brings back what the first of two requests changed", async () => {
  const { emulator, session, warnings } = await provided({ profile: "langsmith" }, inTwo);
  const image = { ...first, source: "external_docker", sourceRevisionConfig: { imageUri: "chat:1" } };
  const specOf = (minScale: number) => ({ sourceConfig: { resourceSpec: { minScale, maxScale: 3 } } });
  const { id, outputs } = await createDeployment(session, { ...image, ...specOf(1) });
  for (const status of ["BUILD_FAILED", "BUILD_FAILED"] as const)
    emulator.failNext({ kind: "revision", status });
  const news = {
    ...image,
    ...specOf(2),
    sourceRevisionConfig: { imageUri: "chat:2" },
    revisionGeneration: 2,
  };
  const error = await failureOf(updateDeployment(session, id, outputs, news));
  expect(error.message).toContain("were restored: deployed");
  expect(emulator.deployments()[0]?.source_config.resource_spec).toMatchObject({ min_scale: 1 });
  // The embedded service makes a revision for the spec, so only the spec's class is wrong.
  const [refutation = ""] = warnings();
  expect(refutation).toContain("created revision");
  expect(refutation).not.toMatch(/imageUri|"contract"/);
});
