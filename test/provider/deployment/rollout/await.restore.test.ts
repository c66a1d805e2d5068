import type { UnfinishedError } from "../../../../provider/failure";
import { type Properties, propertiesIn, valueAt } from "../../../../provider/fields/value";
import type { EmulatorOptions } from "../../../../sdk/emulator";
import { createdDeployment } from "../../../support/createdDeployment";
import { freshFolder } from "../../../support/journalFolder";
import { chat, failureOf, provided } from "../../../support/providerRun";
import { createDeployment, deployment, updateDeployment } from "../../../support/resourceCalls";

const first = { ...chat, rollout: { onFailure: "restore" } };
const next = { ...first, sourceRevisionConfig: { repoRef: "next" }, revisionGeneration: 2 };

/** A running deployment, and an update whose revision fails. */
async function failing(inputs: Properties = first, options: EmulatorOptions = {}, settings = {}) {
  const run = await createdDeployment(inputs, options, settings);
  const fail = (news: Properties = next, olds = run.outputs) => {
    run.emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
    return failureOf<UnfinishedError>(run.update(news, olds));
  };
  return { ...run, fail };
}

test("after a failed revision, the update deploys the settings of the last good revision again, and still fails", async () => {
  const { session, id, outputs, fail, stored, writes } = await failing();
  const error = await fail();
  expect(error.message).toMatch(
    new RegExp(
      `ended BUILD_FAILED .*The settings of the last good revision, ${outputs.latestRevisionId}, were restored: deployed as revision \\S+`,
    ),
  );
  expect(writes()).toEqual([
    { source_revision_config: { repo_ref: "next" } },
    { source_revision_config: { repo_ref: "main" } },
  ]);
  expect(stored()?.active_revision_id).toBe(stored()?.latest_revision_id);
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
  const failed = fail();
  emulator.failNext({ kind: "revision", status: "DEPLOY_FAILED" });
  const error = await failed;
  expect(error.message).toMatch(/ended BUILD_FAILED .* were restored: revision \S+ ended DEPLOY_FAILED/);
  expect(error.properties.rolloutState).toBe("failed");
});

test("if a restore cannot be sent, the error reports both failures", async () => {
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

test("after a run is killed during a restore, the next up finishes the restore, and the up after that updates again", async () => {
  const { service, id, outputs, fail, later, writes } = await failing(first, {}, { journal: freshFolder() });
  const update = service.endpoints.updateDeployment.bind(service.endpoints);
  let calls = 0;
  const isRestoring = new Promise<void>((done) => {
    jest.spyOn(service.endpoints, "updateDeployment").mockImplementation(async (...args) => {
      calls += 1;
      const answer = await update(...args);
      if (calls === 1) return answer;
      done();
      return new Promise(() => undefined);
    });
  });
  void fail();
  await isRestoring;
  const error = await failureOf<UnfinishedError>(updateDeployment(later().session, id, outputs, next));
  expect(error.message).toMatch(
    /an earlier run was interrupted while it restored the settings of the last good revision: deployed as revision/,
  );
  const after = await updateDeployment(later().session, id, error.properties, next);
  expect(after).toMatchObject({ sourceRevisionConfig: { repoRef: "next" }, rolloutState: "deployed" });
  expect(writes()).toEqual(
    ["next", "main", "next"].map((repoRef) => ({ source_revision_config: { repo_ref: repoRef } })),
  );
});

test.each<[string, (good: Properties) => Properties[] | Error, string]>([
  [
    "cannot be read",
    () => new Error("the list is down"),
    "the revisions could not be read: the list is down.",
  ],
  ["lack the last good revision", () => [], "the service does not list the last good revision, "],
  [
    "show no settings",
    ({ source_revision_config: _hidden, ...good }) => [good],
    "the service does not show the settings of revision ",
  ],
])(
  "if the revisions %s, nothing is sent for a restore, and the error says why",
  async (_how, listed, why) => {
    const { service, fail, writes } = await failing();
    const list = service.endpoints.listRevisions.bind(service.endpoints);
    let lists = 0;
    jest.spyOn(service.endpoints, "listRevisions").mockImplementation(async function* (...args) {
      lists += 1;
      // The wait reads the first list, which shows the failure.
      if (lists === 1) return yield* list(...args);
      const revisions: Properties[] = [];
      for await (const page of list(...args)) revisions.push(...page);
      const others = listed(revisions.find(({ status }) => status === "DEPLOYED") as Properties);
      if (others instanceof Error) throw others;
      yield others;
    });
    const error = await fail();
    expect(error.message).toContain(`nothing was restored, since ${why}`);
    expect(writes()).toHaveLength(1);
  },
);

test("if no revision was ever deployed, nothing is restored", async () => {
  const { emulator, session } = await provided();
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const error = await failureOf(createDeployment(session, first));
  expect(error.message).toContain("no revision of it was ever good: nothing to restore");
  expect(emulator.requests.some(({ method }) => method === "PATCH")).toBe(false);
});

const variableMaps = ["secrets", "environment", "secretGenerations"];

describe.each(["contract", "langsmith"] as const)(
  "under profile %s, a restore moves variables back to their former map",
  (profile) => {
    const settings = { repoRef: "main", graphConfigPath: "graph.json" };
    const asSecret = { ...first, sourceRevisionConfig: settings, environment: { LEVEL: "info" } };
    const { secrets: _secrets, secretGenerations: _counted, ...others } = asSecret;
    const asPlain = { ...others, environment: { LEVEL: "info", TOKEN: "token-secret-value" } };

    test.each([
      ["environment to secrets", asPlain, asSecret, "token-secret-value"],
      ["secrets to environment", asSecret, asPlain, "token-secret-value"],
      ["secrets to environment, with another value", asSecret, asPlain, "token-other-value"],
    ])("a restore undoes the move of a variable from %s", async (_where, before, after, value) => {
      const { fail, stored } = await failing(before, { profile });
      const changed = JSON.parse(JSON.stringify(after).replaceAll("token-secret-value", value));
      const sourceRevisionConfig = { ...settings, repoRef: "next" };
      const error = await fail({ ...changed, sourceRevisionConfig, revisionGeneration: 2 });
      expect(error.message).toMatch(/settings of the last good revision, \S+, were restored: deployed/);
      expect(stored()?.secrets).toEqual([
        { name: "LEVEL", value: "info" },
        { name: "TOKEN", value: "token-secret-value" },
      ]);
      const namesIn = (args: object) =>
        variableMaps.map((map) => Object.keys(propertiesIn(valueAt(args, [map]))));
      expect(namesIn(error.properties)).toEqual(namesIn(before));
    });
  },
);

test("a secret that was set without a wait does not count as proven, even if it has the generation of a failed update", async () => {
  const { update, fail } = await failing();
  const { properties } = await fail({ ...next, rollout: { onFailure: "fail" } });
  const secrets = { TOKEN: "token-unproven-value" };
  // The engine still has the inputs from before the failed update, so `check` counts generations from those inputs.
  const unfollowed = { ...first, secrets, rollout: { wait: false }, revisionGeneration: 2 };
  const olds = await update(unfollowed, properties);
  const error = await fail({ ...next, secrets, revisionGeneration: 3 }, olds);
  expect(error.message).toContain("nothing was restored, since this cannot be brought back: secrets.");
});

const built = { repoRef: "main", graphConfigPath: "graph.json" };
const commands = { ...first, sourceConfig: { installCommand: "install one" }, sourceRevisionConfig: built };

/**
 * Makes a change without a wait, and then an update that fails. Returns the state's record of the last good revision
 * after the change, and the message of the failure.
 */
async function afterUnawaited(profile: "contract" | "langsmith", change: Properties) {
  const { update, fail } = await failing(commands, { profile });
  const changed = { ...commands, ...change };
  const olds = await update({ ...changed, rollout: { wait: false }, revisionGeneration: 2 });
  const sourceRevisionConfig = { ...built, repoRef: "next" };
  const { message } = await fail({ ...changed, sourceRevisionConfig, revisionGeneration: 3 }, olds);
  return { note: olds.__lastGood as Properties, message };
}

test.each<["contract" | "langsmith", string, Properties]>([
  ["langsmith", "sourceConfig.installCommand", { sourceConfig: { installCommand: "install two" } }],
  ["langsmith", "sourceConfig.buildCommand", { sourceConfig: { buildCommand: "build two" } }],
  ["contract", "revisionSource", { revisionSource: "internal_docker" }],
])("profile %s: %s that was set without a wait cannot be brought back", async (profile, path, change) => {
  const { note, message } = await afterUnawaited(profile, change);
  expect(note.changed).toContain(path);
  const [, unprovenPaths] = message.split("nothing was restored, since this cannot be brought back: ");
  expect(unprovenPaths).toContain(path);
});

test("the state records a change in place that was not awaited, and a restore does not undo the change", async () => {
  const change = { sourceConfig: { installCommand: "install two" } };
  const { note, message } = await afterUnawaited("contract", change);
  expect(note.changed).toEqual(["sourceConfig.installCommand"]);
  expect(message).toContain("were restored: deployed as revision");
});

test.each(["without a wait", "by an update that failed"])(
  "a restore ignores a trigger that was changed %s, because a trigger does not affect the running revision",
  async (how) => {
    const triggered = { ...first, revisionTriggers: { day: "1" } };
    const { update, fail } = await failing(triggered);
    const change = { ...triggered, revisionTriggers: { day: "2" }, revisionGeneration: 2 };
    const olds =
      how === "without a wait"
        ? await update({ ...change, rollout: { wait: false } })
        : (await fail({ ...change, rollout: { onFailure: "fail" } })).properties;
    const news = { ...change, sourceRevisionConfig: { repoRef: "next" }, revisionGeneration: 3 };
    expect((await fail(news, olds)).message).toContain("were restored: deployed as revision");
  },
);

test("if the program undoes a change after a restore, every argument counts as proven", async () => {
  const { update, fail } = await failing();
  const olds = await update(first, (await fail()).properties);
  expect((await fail(next, olds)).message).toContain("were restored: deployed as revision");
});

/** With this profile, a change of the spec is in place, so a PATCH precedes the call that makes the revision. */
const inTwo = { profileOverrides: '{"classes": {"sourceConfig.resourceSpec": "inPlace"}}' };

test("a restore also brings back the settings that the first of an update's two requests changed", async () => {
  const image = { ...first, source: "external_docker", sourceRevisionConfig: { imageUri: "chat:1" } };
  const specOf = (minScale: number) => ({ sourceConfig: { resourceSpec: { minScale, maxScale: 3 } } });
  const before = { ...image, ...specOf(1) };
  const { emulator, fail, stored, warnings } = await failing(before, { profile: "langsmith" }, inTwo);
  // The PATCH that precedes the call also makes a revision, and this revision fails too.
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const sourceRevisionConfig = { imageUri: "chat:2" };
  const error = await fail({ ...image, ...specOf(2), sourceRevisionConfig, revisionGeneration: 2 });
  expect(error.message).toContain("were restored: deployed");
  expect(stored()?.source_config.resource_spec).toMatchObject({ min_scale: 1 });
  // The embedded service makes a revision for the spec, so the warning says that only the spec's class is wrong.
  const [refutation = ""] = warnings();
  expect(refutation).toContain("created revision");
  expect(refutation).not.toMatch(/imageUri|"contract"/);
});
