import type { UnfinishedError } from "../../../../provider/failure";
import { type Properties, propertiesIn, valueAt } from "../../../../provider/schema/value";
import type { EmulatorOptions } from "../../../../sdk/emulator";
import { createdDeployment } from "../../../support/createdDeployment";
import { freshFolder } from "../../../support/journalFolder";
import { chat, failureOf, provided } from "../../../support/providerRun";
import { createDeployment, deployment, updateDeployment } from "../../../support/resourceCalls";

const first = { ...chat, rollout: { onFailure: "restore" } };
const next = { ...first, sourceRevisionConfig: { repoRef: "next" }, revisionGeneration: 2 };

const BOTH_PROFILES = ["contract", "langsmith"] as const;
const NOT_GOOD = "the state does not record that the rollout before this update was deployed.";

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
    /The next update makes the revision again\..* Restoring the settings of revision \S+ failed too: nothing can be sent/,
  );
  expect((await deployment.read(session, id, error.properties)).outputs).toMatchObject({
    rolloutState: "failed",
  });
});

test("after a run is killed during a restore, the next update waits for the restored revision, and then sends the change again", async () => {
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
  const { session, told } = later();
  const after = await updateDeployment(session, id, outputs, next);
  expect(told.join()).toMatch(/they are back, as revision \S+/);
  expect(after).toMatchObject({ sourceRevisionConfig: { repoRef: "next" }, rolloutState: "deployed" });
  expect(writes()).toEqual(
    ["next", "main", "next"].map((repoRef) => ({ source_revision_config: { repo_ref: repoRef } })),
  );
});

test.each(["DEPLOY_FAILED", "CREATING"])(
  "another tool's revision with the status %s is not restored",
  async (status) => {
    const { outputs, fail } = await failing();
    const state = { ...outputs, latestRevisionStatus: status, lastGood: undefined };
    expect((await fail(next, state)).message).toContain(`nothing was restored, since ${NOT_GOOD}`);
  },
);

test("if no revision was ever deployed, nothing is restored", async () => {
  const { emulator, session } = await provided();
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const error = await failureOf(createDeployment(session, first));
  expect(error.message).toContain('onFailure is "restore", but a new deployment has nothing to restore.');
  expect(emulator.requests.some(({ method }) => method === "PATCH")).toBe(false);
});

const variableMaps = ["secrets", "environment", "secretGenerations"];

describe.each(BOTH_PROFILES)(
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

test.each(["without a wait", "by an update that failed"])(
  "if the last revision was made %s, nothing is restored, and the error says why and names the last good revision",
  async (how) => {
    const { outputs, update, fail, writes } = await failing();
    const change = { ...first, secrets: { TOKEN: "token-unproven-value" }, revisionGeneration: 2 };
    const olds =
      how === "without a wait"
        ? await update({ ...change, rollout: { wait: false } })
        : (await fail({ ...change, rollout: { onFailure: "fail" } })).properties;
    const news = { ...change, sourceRevisionConfig: { repoRef: "next" }, revisionGeneration: 3 };
    const { message } = await fail(news, olds);
    expect(message).toContain(`Revision ${outputs.latestRevisionId} was the last good one`);
    expect(message).toContain(`nothing was restored, since ${NOT_GOOD}`);
    expect(writes()).toHaveLength(2);
  },
);

test("a restore also undoes the failed update's in-place change and trigger, but keeps an earlier in-place change", async () => {
  const built = { repoRef: "main", graphConfigPath: "graph.json" };
  const before = { ...first, sourceConfig: { installCommand: "install one" }, sourceRevisionConfig: built };
  const { update, fail, stored } = await failing({ ...before, revisionTriggers: { day: "1" } });
  const later = { sourceConfig: { installCommand: "install two" }, revisionTriggers: { day: "1" } };
  const olds = await update({ ...before, ...later });
  const { properties, message } = await fail(
    {
      ...before,
      sourceConfig: { installCommand: "install three" },
      revisionTriggers: { day: "2" },
      sourceRevisionConfig: { ...built, repoRef: "next" },
      revisionGeneration: 2,
    },
    olds,
  );
  expect(message).toContain("were restored: deployed as revision");
  expect(stored()?.source_config).toMatchObject({ install_command: "install two" });
  expect(properties).toMatchObject({ ...later, sourceRevisionConfig: built, revisionGeneration: 2 });
});

test("if a refresh found that somebody changed a secret on the service, the secret's old value cannot be restored, so nothing is restored", async () => {
  const { fail, outputs, writes } = await failing(first, { secretsInResponses: "echoed" });
  const { secrets: _altered, ...refreshed } = outputs;
  const error = await fail({ ...next, secrets: { TOKEN: "token-second-value" } }, refreshed);
  expect(error.message).toContain("nothing was restored, since this cannot be brought back: secrets.TOKEN.");
  expect(writes()).toHaveLength(1);
});

test("after a restore, the restored revision counts as good, so the next failed update also leads to a restore", async () => {
  const { update, fail } = await failing();
  const olds = await update(first, (await fail()).properties);
  expect((await fail(next, olds)).message).toContain("were restored: deployed as revision");
});

test.each(BOTH_PROFILES)(
  "under profile %s, a restore sends the arguments from before the failed update, including an earlier change to resourceSpec",
  async (profile) => {
    const specOf = (minScale: number) => ({ sourceConfig: { resourceSpec: { minScale, maxScale: 3 } } });
    const image = { ...first, source: "external_docker", sourceRevisionConfig: { imageUri: "chat:1" } };
    const { update, fail, stored } = await failing({ ...image, ...specOf(1) }, { profile });
    const scaled = { ...image, ...specOf(2), revisionGeneration: profile === "contract" ? 1 : 2 };
    const olds = await update(scaled);
    const sourceRevisionConfig = { imageUri: "chat:2" };
    const error = await fail({ ...scaled, ...specOf(3), sourceRevisionConfig, revisionGeneration: 3 }, olds);
    expect(error.message).toContain("were restored: deployed as revision");
    expect(stored()?.source_config.resource_spec).toMatchObject({ min_scale: 2 });
    expect(error.properties).toMatchObject({ ...specOf(2), sourceRevisionConfig: { imageUri: "chat:1" } });
  },
);

const FORBIDDERS = {
  "the configuration's newRevisions": { setting: { newRevisions: "forbid" }, argument: {} },
  "its argument newRevisions": { setting: {}, argument: { newRevisions: "forbid" } },
};

test.each(
  BOTH_PROFILES.flatMap((profile) =>
    Object.entries(FORBIDDERS).map(([words, forbidder]) => [profile, words, forbidder] as const),
  ),
)(
  "profile %s: if %s is forbid and an update makes a revision that its plan did not announce, nothing is restored, and the error says why",
  async (profile, words, { setting, argument }) => {
    const image = (tag: number) => ({
      ...first,
      ...argument,
      source: "external_docker",
      sourceConfig: {},
      sourceRevisionConfig: { imageUri: `chat:${tag}` },
    });
    const profileOverrides = '{"classes": {"sourceRevisionConfig.imageUri": "inPlace"}}';
    const { fail, writes, stored } = await failing(image(1), { profile }, { profileOverrides, ...setting });
    const { message } = await fail(image(2));
    expect(message).toContain(
      `onFailure is "restore", but nothing was restored, since ${words} is "forbid".`,
    );
    expect([writes().length, stored()?.revisions.length]).toEqual([1, 2]);
  },
);

/** With this profile, a change to the spec is in place, so a PATCH precedes the call that makes the revision. */
const inTwo = { profileOverrides: '{"classes": {"sourceConfig.resourceSpec": "inPlace"}}' };

test("if an update sends two requests, a restore also undoes the changes of the first request", async () => {
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
