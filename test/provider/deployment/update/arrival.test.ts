import { readFileSync, writeFileSync } from "node:fs";
import { UnfinishedError } from "../../../../provider/failure";
import type { Properties } from "../../../../provider/schema/value";
import { ask, heldRequests } from "../../../support/embeddedService";
import {
  attemptFiles,
  attemptsIn,
  bare,
  changed,
  journalFolder,
  nextRun,
  recorded,
  until,
  untilRead,
} from "../../../support/interruptedRun";
import { chat, failureOf, sessionOn, URN } from "../../../support/providerRun";
import { deployment, updateDeployment } from "../../../support/resourceCalls";

const PATCH = { method: "PATCH" } as const;
const secretly = { ...chat, secrets: { TOKEN: "rotated-secret-value" }, revisionGeneration: 2 };

/** Kills a run during its update, after the request or the answer was lost. */
async function interrupted(
  lost: "request" | "answer",
  news: Properties = changed,
  ...of: Parameters<typeof recorded>
) {
  const run = await recorded(...of);
  run.emulator.failNext({ kind: lost === "answer" ? "drop-after" : "drop-before", match: PATCH });
  await run.kill(news);
  return run;
}

test("the next run takes over an interrupted update that reached the service, and waits for its rollout", async () => {
  const { emulator, next, revisions, patches } = await interrupted("answer", changed, bare, {
    revisionSeconds: 0.2,
  });
  const { after, told } = await next();
  expect(patches()).toEqual([]);
  expect(revisions()).toBe(2);
  const latest = emulator.deployments()[0]?.latest_revision_id;
  expect(told.join()).toContain(
    `the service already has the update (revision ${latest}): it is not sent again`,
  );
  expect(told.join()).toContain(`this update did create a new revision: ${latest}`);
  expect(told.join()).not.toContain("may still arrive");
  expect(after).toMatchObject({
    ...changed,
    latestRevisionId: latest,
    latestRevisionStatus: "DEPLOYED",
    rolloutState: "deployed",
  });
});

test("an interrupted update that the next run takes over has the same outputs as an uninterrupted update", async () => {
  const individualOutputs =
    /^(id|tenantId|createdAt|updatedAt|latestRevisionId|activeRevisionId|repoCommitSha|url|serviceUrl|__lastGood)$/;
  const lasting = (outputs: Properties) =>
    Object.entries(outputs).map(([name, value]) => [
      name,
      individualOutputs.test(name) ? typeof value : value,
    ]);
  const usual = await recorded();
  const plain = await updateDeployment(usual.session, usual.id, usual.outputs, changed);
  const { emulator, kill, next } = await recorded();
  emulator.failNext({ kind: "drop-after", match: PATCH });
  await kill();
  expect(lasting((await next()).after)).toEqual(lasting(plain));
});

test("the next run takes over an update whose answer arrived, even if the service's settings have changed since", async () => {
  const { journal, emulator, id, kill, next, revisions, patches } = await recorded(bare, {
    revisionSeconds: 0.2,
  });
  await kill();
  await until(() => "answer" in attemptsIn(journal)[0]);
  expect(attemptsIn(journal)[0].answer).toBe(emulator.deployments()[0]?.latest_revision_id);
  emulator.change(id, { source_revision_config: { repo_ref: "0123abcd" } });
  const { after } = await next();
  expect(patches()).toEqual([]);
  expect([revisions(), after.rolloutState]).toEqual([2, "deployed"]);
});

test("a run on another machine does not send an update again if the service already shows the whole update", async () => {
  const { emulator, outputs, next, revisions, patches } = await interrupted("answer");
  const { after, told } = await next(changed, outputs, { journal: journalFolder() });
  const latest = emulator.deployments()[0]?.latest_revision_id;
  expect([patches(), revisions()]).toEqual([[], 2]);
  expect(told.join()).toContain(
    `the service already has the update (revision ${latest}): it is not sent again`,
  );
  expect(told.join()).toContain(`as planned, a new revision: ${latest}`);
  expect(after).toMatchObject({ ...changed, latestRevisionId: latest, rolloutState: "deployed" });
});

test("a run on another machine does not send an update again if only arguments that are never sent have changed since", async () => {
  const { outputs, next, revisions, patches } = await interrupted("answer");
  const news = { ...changed, rollout: { timeoutSeconds: 900 }, onDestroy: "fail" };
  const { after } = await next(news, outputs, { journal: journalFolder() });
  expect([patches(), revisions()]).toEqual([[], 2]);
  expect(after).toMatchObject(news);
});

test("if another tool's revision already has the changes of an update, a later update keeps the other values of that revision", async () => {
  const settings = { repoRef: "main", graphConfigPath: "graph.json" };
  const both = { ...bare, sourceRevisionConfig: settings };
  const { emulator, id, next, posts } = await recorded(both, { profile: "langsmith" });
  const theirs = { repo_ref: "next", langgraph_config_path: "theirs.json" };
  await ask(emulator, "POST", `/v2/deployments/${id}/revisions`, { source_revision_config: theirs });
  const news = { ...both, sourceRevisionConfig: { ...settings, repoRef: "next" }, revisionGeneration: 2 };
  const { after } = await next(news);
  expect(posts()).toEqual([]);
  await next({ ...news, secrets: { TOKEN: "another-secret-value" }, revisionGeneration: 3 }, after);
  expect(posts()).toHaveLength(1);
  expect(emulator.deployments()[0]?.source_revision_config).toMatchObject(theirs);
});

test.each([
  ["another value", { ...changed, sourceRevisionConfig: { repoRef: "later" } }],
  ["a secret's value", secretly],
  ["a trigger", { ...bare, revisionTriggers: { data: "2" }, revisionGeneration: 2 }],
])("a run on another machine sends an update that the service does not show: %s", async (_, news) => {
  const { outputs, next, revisions, patches } = await interrupted(
    "answer",
    news === secretly ? secretly : changed,
    news === secretly ? chat : bare,
    { secretsInResponses: "masked" },
  );
  await next(news, outputs, { journal: journalFolder() });
  expect([patches().length, revisions()]).toEqual([1, 3]);
});

test("the next run waits for a request that arrives late", async () => {
  const { emulator, kill, next, revisions, patches } = await recorded();
  const release = heldRequests();
  emulator.failNext({ kind: "delay", ms: 1, match: PATCH });
  await kill();
  expect(revisions()).toBe(1);
  const nextUpdate = next();
  await untilRead(emulator);
  release();
  const { told } = await nextUpdate;
  expect([patches().length, revisions()]).toEqual([0, 2]);
  expect(told[0]).toContain("its request may still arrive: waiting 40 s at most");
});

test("the next run repeats a lost request only after the first request can no longer arrive", async () => {
  const { journal, next, revisions, patches } = await interrupted("request");
  const [attempt] = attemptsIn(journal);
  const { told } = await next();
  expect(told.filter((words) => words.includes("may still arrive"))).toHaveLength(1);
  expect(attemptsIn(journal)[0].sentAt).toBeGreaterThanOrEqual(attempt.expiresAt);
  expect([patches().length, revisions()]).toEqual([1, 2]);
});

const edits: [string, Properties, unknown[], number][] = [
  ["in place", { sourceConfig: { buildOnPush: false } }, [{ source_config: { build_on_push: false } }], 2],
  [
    "another revision",
    { sourceRevisionConfig: { repoRef: "later" } },
    [{ source_revision_config: { repo_ref: "later" } }],
    3,
  ],
  [
    "the update undone, and a change in place",
    { sourceRevisionConfig: { repoRef: "main" }, sourceConfig: { buildOnPush: false } },
    [{ source_config: { build_on_push: false }, source_revision_config: { repo_ref: "main" } }],
    3,
  ],
];
test.each(edits)(
  "after an edit to the program (%s), the next run sends only the values that the service lacks",
  async (_, edit, sent, count) => {
    const { next, revisions, patches } = await interrupted("answer");
    const { after, told } = await next({ ...changed, ...edit });
    expect(told.join()).toContain("; sending the rest of the program's changes");
    expect(patches()).toEqual(sent);
    expect(revisions()).toBe(count);
    expect(after).toMatchObject({ ...edit, rolloutState: "deployed" });
  },
);

test("the next run sends no field of the interrupted update again, not even triggers, which no answer shows", async () => {
  const more = {
    ...changed,
    sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graph.json" },
    revisionTriggers: { data: "2" },
  };
  const { next, revisions, patches } = await interrupted("answer", more);
  const { after } = await next(more);
  expect([patches(), revisions()]).toEqual([[], 2]);
  expect(after.revisionTriggers).toEqual({ data: "2" });
});

test("if triggers have changed again since the interruption, the next run makes a new revision", async () => {
  const { next, revisions } = await interrupted("answer", {
    ...bare,
    revisionTriggers: { data: "2" },
    revisionGeneration: 2,
  });
  await next({ ...bare, revisionTriggers: { data: "3" }, revisionGeneration: 2 });
  expect(revisions()).toBe(3);
});

test.each([-1, 1])(
  "a revision that was made an hour before or after the request does not count as made by the update (request moved by %i h)",
  async (hours) => {
    const AN_HOUR = 3_600_000;
    const triggered = { ...bare, revisionTriggers: { data: "2" }, revisionGeneration: 2 };
    const { journal, next, revisions } = await interrupted("answer", triggered);
    const [[file = ""], [attempt]] = [attemptFiles(journal), attemptsIn(journal)];
    const [sentAt, expiresAt] = [attempt.sentAt + hours * AN_HOUR, attempt.expiresAt + hours * AN_HOUR];
    writeFileSync(file, JSON.stringify({ ...attempt, sentAt, expiresAt }));
    // Sets the clock ahead of every recorded date.
    jest.setSystemTime(Date.now() + 2 * AN_HOUR);
    await next(triggered);
    expect(revisions()).toBe(3);
  },
);

test.each([
  ["masked", "rotated-secret-value", 1],
  ["hidden", "rotated-secret-value", 1],
  ["echoed", "rotated-secret-value", 0],
  ["echoed", "edited-secret-value", 1],
  ["masked", "edited-secret-value", 1],
] as const)(
  "secrets that are %s in answers are sent again unless an answer shows the same value: %s",
  async (secretsInResponses, value, count) => {
    const { emulator, next, patches } = await interrupted("answer", secretly, chat, { secretsInResponses });
    const { after } = await next({ ...secretly, secrets: { TOKEN: value } });
    expect(patches()).toHaveLength(count);
    emulator.behaviour.secretsInResponses = "echoed";
    expect(emulator.deployments()[0]?.secrets).toEqual([{ name: "TOKEN", value }]);
    expect(after).toMatchObject({ secrets: { TOKEN: value }, rolloutState: "deployed" });
  },
);

test.each([
  ["changed a secret and the program undoes it", secretly, { ...chat, sourceConfig: { buildOnPush: false } }],
  [
    "removed all secrets, and the program declares them again",
    changed,
    { ...changed, secrets: chat.secrets },
  ],
])("if the interrupted update %s, the service gets the first value again", async (_what, news, next) => {
  const { emulator, ...run } = await interrupted("answer", news, chat, { secretsInResponses: "masked" });
  await run.next(next);
  emulator.behaviour.secretsInResponses = "echoed";
  expect(emulator.deployments()[0]?.secrets).toEqual([{ name: "TOKEN", value: "token-secret-value" }]);
});

test("if a run cannot find out whether its update was applied, the next run reads the service before it sends a secret", async () => {
  const { emulator, journal, id, outputs, next, patches } = await recorded(chat, {
    secretsInResponses: "masked",
  });
  const { session } = sessionOn(emulator, { journal, maxRetries: "0" });
  emulator.failNext({ kind: "drop-after", match: PATCH });
  const update = failureOf<UnfinishedError>(updateDeployment(session, id, outputs, secretly));
  await until(() => emulator.requests.some(({ method }) => method === "PATCH"));
  emulator.failNext({ kind: "status", status: 500, match: { method: "GET" } });
  const error = await update;
  expect(error).toBeInstanceOf(UnfinishedError);
  expect(attemptsIn(journal)).toHaveLength(1);
  await next({ ...secretly, secrets: { TOKEN: "edited-secret-value" } }, error.properties);
  expect(patches()).toHaveLength(1);
  emulator.behaviour.secretsInResponses = "echoed";
  expect(emulator.deployments()[0]?.secrets).toEqual([{ name: "TOKEN", value: "edited-secret-value" }]);
});

test.each([
  ["cut off", (text: string) => text.slice(0, 40)],
  ["of another version", (text: string) => text.replace('"version": 1', '"version": 2')],
])(
  "if the journal file is %s, the update is refused once and, after a refresh, is not sent again",
  async (_what, breaking) => {
    const { journal, next, revisions, patches, emulator, id, outputs } = await interrupted("answer");
    const [file = ""] = attemptFiles(journal);
    writeFileSync(file, breaking(readFileSync(file, "utf8")));
    expect((await failureOf(next())).message).toContain(`${file}.unreadable could not be read`);
    const { session: refresh } = sessionOn(emulator, { journal });
    const { outputs: refreshed = {} } = await deployment.read(refresh, id, outputs);
    await next(changed, refreshed);
    expect([patches(), revisions()]).toEqual([[], 2]);
    expect(attemptFiles(journal)).toEqual([]);
  },
);

test("after a refresh, an interrupted update is not sent again", async () => {
  const triggered = { ...changed, revisionTriggers: { data: "2" } };
  const { session, id, outputs, next, revisions, patches } = await interrupted("answer", triggered);
  const { outputs: refreshed = {} } = await deployment.read(session, id, outputs);
  await next(triggered, { ...refreshed });
  expect([patches(), revisions()]).toEqual([[], 2]);
});

test("if a push follows the interrupted update, the wait follows the push's revision, but the journal does not record that revision as made by the update", async () => {
  const { journal, emulator, id, kill, next, revisions, patches } = await recorded(bare, {
    revisionSeconds: 0.2,
  });
  const triggered = { ...changed, revisionTriggers: { data: "2" } };
  await kill(triggered);
  await until(() => "answer" in attemptsIn(journal)[0]);
  const [{ answer }] = attemptsIn(journal);
  const push = emulator.push(id);
  const { after } = await next(triggered);
  expect([patches(), revisions()]).toEqual([[], 3]);
  expect(after).toMatchObject({ latestRevisionId: push.id, rolloutState: "deployed" });
  expect(attemptsIn(journal)[0].answer).toBe(answer);
});

const base = {
  ...chat,
  environment: { LEVEL: "info" },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graph.json" },
};
const { secrets: _secrets, ...withoutSecrets } = base;
const moved = { ...withoutSecrets, environment: { LEVEL: "info", TOKEN: "token-secret-value" } };
const nextSettings = { sourceRevisionConfig: { ...base.sourceRevisionConfig, repoRef: "next" } };
const updates: { readonly [what: string]: Properties } = {
  "the settings": { ...base, ...nextSettings },
  "the settings, with a change in place": { ...base, ...nextSettings, sourceConfig: { buildOnPush: false } },
  "a secret": { ...base, secrets: { TOKEN: "rotated-secret-value" } },
  "a further secret": { ...base, secrets: { ...base.secrets, MORE: "further-secret-value" } },
  "a plain variable": { ...base, environment: { LEVEL: "debug" } },
  "a secret that becomes plain": { ...moved, environment: { LEVEL: "info", TOKEN: "another-plain-value" } },
  "a trigger": { ...base, revisionTriggers: { data: "2" } },
  everything: {
    ...base,
    ...nextSettings,
    sourceConfig: { buildOnPush: false },
    secrets: { TOKEN: "rotated-secret-value", MORE: "further-secret-value" },
    environment: { LEVEL: "debug", OTHER: "more" },
    revisionTriggers: { data: "2" },
  },
};
const MAY_REVISE =
  "may create a new revision (it is not known whether the last update was applied: the update looks first)";
const withAndWithoutKey: { readonly [setting: string]: string }[] = [{}, { apiKey: "key-of-the-service" }];
const undone = (["contract", "langsmith"] as const).flatMap((profile) =>
  Object.keys(updates).flatMap((what) =>
    withAndWithoutKey.map((key) => [profile, what, "apiKey" in key ? "a" : "no", key] as const),
  ),
);

test.each(undone)(
  "profile %s: if the program reverts a killed update of %s, the plan says that a revision may be made, and `pulumi up` reverts the service (%s key)",
  async (profile, what, _key, key) => {
    const { emulator, journal, id, outputs, kill, next } = await recorded(
      base,
      { profile, secretsInResponses: "masked", ...key },
      key,
    );
    const shown = () => {
      emulator.behaviour.secretsInResponses = "echoed";
      const [{ secrets, source_config, source_revision_config } = {} as never] = emulator.deployments();
      emulator.behaviour.secretsInResponses = "masked";
      const { repo_commit_sha: _built, ...settings } = source_revision_config as Properties;
      return { secrets, settings, isPushed: (source_config as Properties).build_on_push };
    };
    const before = shown();
    expect(JSON.stringify(before)).toContain("token-secret-value");
    // The update arrives, and the run is killed before it has the answer.
    const match = profile === "contract" ? PATCH : { method: "POST" as const };
    emulator.failNext({ kind: "drop-after", match });
    await kill({ ...updates[what], revisionGeneration: 2 });
    expect(attemptsIn(journal)).toHaveLength(1);

    const settings = { profile, journal, ...key };
    const plan = async (state: Properties) => {
      const run = sessionOn(emulator, settings);
      const { changes } = await deployment.diff(run.session, id, state, base, true);
      return { changes, told: run.told.join() };
    };
    expect(await plan(outputs)).toEqual({ changes: true, told: expect.stringContaining(MAY_REVISE) });
    const forbidding = sessionOn(emulator, { ...settings, newRevisions: "forbid" });
    await expect(deployment.diff(forbidding.session, id, outputs, base, true)).rejects.toThrow(
      `the configuration's newRevisions is "forbid", but this update ${MAY_REVISE}`,
    );
    const { after } = await next(base);
    expect(shown()).toEqual(before);
    expect(after).toMatchObject({ ...base, rolloutState: "deployed" });
    expect(after.latestRevisionId).toBe(emulator.deployments()[0]?.latest_revision_id);
    expect(await plan(after)).toEqual({ changes: false, told: "" });
    expect(attemptFiles(journal)).toEqual([]);
  },
);

/** Plans the program `bare` in a new run. Returns the plan's words, and whether the plan has changes. */
async function planOf({ emulator, journal, id }: Awaited<ReturnType<typeof recorded>>, state: Properties) {
  const { session, told } = sessionOn(emulator, { journal });
  const { changes } = await deployment.diff(session, id, state, bare, true);
  return { changes, told: told.join() };
}

test("if the program reverts a killed update that never arrived, `pulumi up` waits until the update can no longer arrive, and sends nothing", async () => {
  const run = await interrupted("request");
  const { expiresAt } = attemptsIn(run.journal)[0];
  expect(await planOf(run, run.outputs)).toEqual({
    changes: true,
    told: expect.stringContaining(MAY_REVISE),
  });
  const { after, told } = await run.next(bare);
  expect(told.join()).toContain("its request may still arrive: waiting 40 s at most");
  expect(Date.now()).toBeGreaterThanOrEqual(expiresAt);
  expect([run.patches(), run.revisions()]).toEqual([[], 1]);
  expect(await planOf(run, after)).toEqual({ changes: false, told: "" });
});

test.each(["by hand", "except for a change in place"])(
  "if somebody reverts the service before `pulumi up` (%s), `pulumi up` makes no revision, and the next plan has no changes",
  async (how) => {
    const inPlace = how === "by hand" ? {} : { sourceConfig: { buildOnPush: false } };
    const run = await interrupted("answer", { ...changed, ...inPlace });
    run.emulator.change(run.id, { source_revision_config: { repo_ref: "main" } });
    const { after } = await run.next(bare);
    expect(run.patches()).toHaveLength(how === "by hand" ? 0 : 1);
    expect(run.revisions()).toBe(2);
    expect(await planOf(run, after)).toEqual({ changes: false, told: "" });
    expect(attemptFiles(run.journal)).toEqual([]);
  },
);

test("a damaged attempt makes one plan fail, and the next plan succeeds", async () => {
  const run = await interrupted("answer");
  const [file = ""] = attemptFiles(run.journal);
  writeFileSync(file, "{");
  expect((await failureOf(planOf(run, run.outputs))).message).toContain(
    `${file}.unreadable could not be read`,
  );
  expect(await planOf(run, run.outputs)).toEqual({ changes: false, told: "" });
});

test("if the program renames a resource after its update was killed, the renamed resource takes over the update", async () => {
  const secret = { ...chat, secrets: { TOKEN: "rotated-secret-value" }, revisionGeneration: 2 };
  const options = { secretsInResponses: "masked" } as const;
  const run = await interrupted("answer", secret, chat, options, { apiKey: "key-of-the-service" });
  const { session } = nextRun(run.emulator, run.journal, { apiKey: "key-of-the-service" });
  const renamed = (args: Properties) => ({ ...args, __urn: `${URN}-renamed` });
  await updateDeployment(session, run.id, renamed(run.outputs), renamed(secret));
  expect([run.patches(), run.revisions()]).toEqual([[], 2]);
});

test("a refresh does not prove whether a killed update was applied, so the next `pulumi up` sends the program's secret again", async () => {
  const secret = { ...chat, secrets: { TOKEN: "rotated-secret-value" }, revisionGeneration: 2 };
  const run = await interrupted("answer", secret, chat, { secretsInResponses: "masked" });
  const { outputs: refreshed = {} } = await deployment.read(run.session, run.id, run.outputs);
  const { session, told } = sessionOn(run.emulator, { journal: run.journal });
  expect((await deployment.diff(session, run.id, refreshed, chat, true)).changes).toBe(true);
  expect(told.join()).toContain(MAY_REVISE);
  await run.next(chat, refreshed as typeof run.outputs);
  run.emulator.behaviour.secretsInResponses = "echoed";
  expect(run.emulator.deployments()[0]?.secrets).toEqual([{ name: "TOKEN", value: "token-secret-value" }]);
});

test.each([
  ["a secret", { ...chat, secrets: { TOKEN: "rotated-secret-value" }, revisionGeneration: 2 }, chat],
  ["the settings", changed, bare],
])(
  "without a journal, if the state records an uncertain update of %s and the program reverts that update, `pulumi up` reverts the service",
  async (_what, news, inputs) => {
    const { emulator, id, outputs, patches } = await recorded(inputs, { secretsInResponses: "masked" });
    const { session } = sessionOn(emulator, { journal: "off", maxRetries: "0" });
    emulator.failNext({ kind: "drop-after", match: PATCH });
    const update = failureOf<UnfinishedError>(updateDeployment(session, id, outputs, news));
    await until(() => emulator.requests.some(({ method }) => method === "PATCH"));
    emulator.failNext({ kind: "status", status: 500, match: { method: "GET" } });
    const { properties } = await update;
    // The engine removes the secret marks before it passes the state.
    const state = { ...properties, secrets: outputs.secrets };
    const sentAt = Date.now();
    const after = await updateDeployment(nextRun(emulator, "off").session, id, state, inputs);
    expect(patches()).toHaveLength(1);
    // By now, the uncertain request can no longer arrive.
    expect(Date.now()).toBeGreaterThanOrEqual(sentAt + 30_000);
    emulator.behaviour.secretsInResponses = "echoed";
    expect(emulator.deployments()[0]).toMatchObject({ source_revision_config: { repo_ref: "main" } });
    const secrets = Object.entries(inputs.secrets ?? {}).map(([name, value]) => ({ name, value }));
    expect(emulator.deployments()[0]?.secrets).toEqual(secrets);
    expect((await deployment.diff(sessionOn(emulator).session, id, after, inputs, true)).changes).toBe(false);
  },
);

describe("if the program changes again after a killed update of a secret has arrived", () => {
  const twice = { ...secretly, sourceRevisionConfig: { repoRef: "next" } };
  const key = { apiKey: "key-of-the-service" };
  const rotated = () => interrupted("answer", secretly, chat, { ...key, secretsInResponses: "masked" }, key);

  test("if the next run is killed too, no needless revision is made", async () => {
    const { emulator, kill, next, patches, revisions } = await rotated();
    emulator.failNext({ kind: "drop-after", match: PATCH });
    await kill(twice);
    const { after } = await next(twice);
    expect([patches(), revisions()]).toEqual([[], 3]);
    expect(after).toMatchObject({ secrets: twice.secrets, sourceRevisionConfig: { repoRef: "next" } });
  });

  test("if the service refuses the next change, the state still has the secret", async () => {
    const { emulator, next, patches, revisions } = await rotated();
    emulator.failNext({ kind: "status", status: 422, match: PATCH });
    const { message, properties } = await failureOf<UnfinishedError>(next(twice));
    expect(message).toContain(
      "has the interrupted update, but not the rest of the changes: update deployment: PATCH",
    );
    await next(twice, { ...properties, secrets: twice.secrets });
    expect([patches(), revisions()]).toEqual([[{ source_revision_config: { repo_ref: "next" } }], 3]);
  });
});

const inRepository = {
  ...chat,
  sourceConfig: { buildOnPush: true, repoUrl: "https://repohost.example.test/acme/chat" },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graph.json" },
};
const KEY = { apiKey: "key-of-the-service" };
const CALL = { method: "POST" } as const;

test.each<[string, Properties, "masked" | "echoed"]>([
  [
    "a secret whose name the service lacks",
    { TOKEN: "token-secret-value", EXTRA: "extra-secret-value" },
    "masked",
  ],
  ["a secret whose old value the service shows", { TOKEN: "rotated-secret-value" }, "echoed"],
])(
  "a push's revision is not mistaken for a killed update of %s, and the next run sends the secret",
  async (_what, secrets, secretsInResponses) => {
    const options = { ...KEY, profile: "langsmith", secretsInResponses } as const;
    const { emulator, id, kill, next } = await recorded(inRepository, options, KEY);
    const news = { ...inRepository, secrets, revisionGeneration: 2 };
    emulator.failNext({ kind: "drop-before", match: CALL });
    await kill(news);
    emulator.push(id);
    await next(news);
    emulator.behaviour.secretsInResponses = "echoed";
    const sent = Object.entries(secrets).map(([name, value]) => ({ name, value }));
    expect(emulator.deployments()[0]?.secrets).toEqual(expect.arrayContaining(sent));
  },
);
