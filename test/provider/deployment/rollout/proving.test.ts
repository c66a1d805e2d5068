/** Tests verified revisions on the embedded service, with a runtime whose reply depends on the revision. */

import { shownFailure } from "../../../../provider/engine/engine";
import type { UnfinishedError } from "../../../../provider/failure";
import type { ProfileName } from "../../../../provider/profiles/profiles";
import { faultInWords } from "../../../../provider/schema/check";
import type { Properties } from "../../../../provider/schema/value";
import { freshFolder } from "../../../support/journalFolder";
import { chat, failureOf, provided, sessionOn } from "../../../support/providerRun";
import { provingRuntime } from "../../../support/provingRuntime";
import { createDeployment, deployment, updateDeployment } from "../../../support/resourceCalls";

const question = {
  assistantId: "echo",
  messages: [{ role: "user", content: "hello there" }],
  expect: { contains: "hello" },
};

/** Returns a running deployment, and functions that update the deployment with verified revisions. */
async function proved(rollout: Properties = {}, verify: Properties = {}, profile: ProfileName = "contract") {
  const run = await provided({ revisionSeconds: 0, profile });
  const runtime = await provingRuntime(run.emulator);
  const rolloutOn = (more: Properties, verification: Properties) => ({
    ...more,
    verify: { ...question, ...verification },
  });
  const plain = { ...chat, sourceRevisionConfig: { repoRef: "right-1", graphConfigPath: "graph.json" } };
  const created = await createDeployment(run.session, plain);
  const deploymentUrl = `${runtime.url}/runtime/${created.id}`;
  const args = (ref: string, more: Properties = {}, asked: Properties = {}): Properties => ({
    ...plain,
    sourceRevisionConfig: { ...plain.sourceRevisionConfig, repoRef: ref },
    revisionGeneration: Number(ref.split("-")[1]),
    rollout: rolloutOn({ ...rollout, ...more }, { deploymentUrl, ...verify, ...asked }),
  });
  const { id } = created;
  const update = (olds: Properties, news: Properties) => updateDeployment(run.session, id, olds, news);
  const plan = (olds: Properties, news: Properties) => deployment.diff(run.session, id, olds, news, true);
  const stored = () => run.emulator.deployments()[0];
  run.sent();
  run.told.length = 0;
  return { ...run, id, runtime, outputs: created.outputs, args, update, plan, stored };
}

test("a wrong reply fails the revision, and the error shows the question, the reply and the command that rolls back", async () => {
  const { args, update, outputs, plan, told, stored, session, id } = await proved();
  const error = await failureOf<UnfinishedError>(update(outputs, args("wrong-2")));
  const latest = stored()?.latest_revision_id;
  expect(error.message).toMatch(
    new RegExp(
      `revision ${latest} was deployed after .* s \\(.*DEPLOYED\\), but failed verification: asked "hello there": wrong answer: expected a text that contains "hello", but got "nonsense" \\(assistant "echo" at .*\\)\\. Revision ${latest} is still serving\\. The next update makes the revision again\\. Revision ${outputs.latestRevisionId} was the last good one: \`npx --no-install deployment-control rollback chat --to last-good\` plans the rollback\\.`,
    ),
  );
  expect(error.properties).toMatchObject({
    rolloutState: "failed",
    latestRevisionStatus: "VERIFY_FAILED",
    __lastGood: outputs.latestRevisionId,
  });
  const { outputs: refreshed = {} } = await deployment.read(session, id, error.properties);
  for (const state of [error.properties, refreshed]) {
    expect((await plan(state, args("wrong-2"))).changes).toBe(true);
    expect(told.at(-1)).toContain(`creates a new revision (`);
    expect(told.at(-1)).toContain(`${latest} ended VERIFY_FAILED`);
  }
  expect(stored()?.revisions).toHaveLength(2);
  expect((await update(error.properties, args("right-3"))).rolloutState).toBe("deployed");
});

test("during a revision's bake time, the question is asked again, and the revision is verified if every reply is right", async () => {
  const { args, update, outputs, runtime, told, stored } = await proved({}, { bakeSeconds: 3 });
  expect(await update(outputs, args("right-2"))).toMatchObject({ rolloutState: "deployed" });
  expect(runtime.conversations()).toBeGreaterThan(2);
  expect(told.at(-2)).toContain(
    `revision ${stored()?.latest_revision_id} is deployed and must now reply as expected for 3 s`,
  );
});

test("a revision fails if it gives a wrong reply during its bake time, even after a right first reply", async () => {
  const { args, update, outputs, runtime } = await proved({}, { bakeSeconds: 600 });
  runtime.before = async () => {
    if (runtime.conversations() === 3) runtime.mood = "wrong";
  };
  const error = await failureOf<UnfinishedError>(update(outputs, args("right-2")));
  expect(error.message).toContain("but failed verification");
  expect(error.properties).toMatchObject({ latestRevisionStatus: "VERIFY_FAILED" });
  expect(runtime.conversations()).toBe(3);
});

test("if no reply comes, the update fails and restores nothing, and the next update verifies the revision again and sends no write", async () => {
  const { args, update, outputs, runtime, plan, told, sent, stored, session, id } = await proved({
    onFailure: "restore",
  });
  const error = await failureOf<UnfinishedError>(update(outputs, args("silent-2")));
  expect(error.message).toContain("but it is not known whether it replies as expected: asked");
  expect(error.message).toContain("The next update verifies the revision again and makes no new one");
  expect(error.properties).toMatchObject({ rolloutState: "unfinished", latestRevisionStatus: "UNVERIFIED" });
  const { outputs: refreshed = {} } = await deployment.read(session, id, error.properties);
  await plan(refreshed, args("silent-2"));
  expect(told.at(-1)).toContain(
    `resumes waiting for revision ${stored()?.latest_revision_id} (UNVERIFIED), no new revision for that`,
  );
  sent();
  runtime.mood = "right";
  expect(await update(refreshed, args("silent-2"))).toMatchObject({
    rolloutState: "deployed",
    latestRevisionStatus: "DEPLOYED",
  });
  expect(sent().filter((request) => !request.startsWith("GET") && request.includes("/v2/"))).toEqual([]);
  expect(stored()?.revisions).toHaveLength(2);
});

test.each(
  (["contract", "langsmith"] as const).flatMap((profile) =>
    (["allow", "forbid"] as const).map((newRevisions) => [profile, newRevisions] as const),
  ),
)(
  'profile %s, newRevisions "%s": if a resumed wait ends with a wrong reply, nothing is restored, as the plan said, and the error says why',
  async (profile, newRevisions) => {
    const { emulator, id, args, update, outputs, runtime, stored } = await proved(
      { onFailure: "restore" },
      {},
      profile,
    );
    const { properties } = await failureOf<UnfinishedError>(update(outputs, args("silent-2")));
    const later = sessionOn(emulator, { profile, newRevisions });
    await deployment.diff(later.session, id, properties, args("silent-2"), true);
    expect(later.told.join()).toMatch(/resumes waiting for revision \S+ \(UNVERIFIED\), no new revision/);
    emulator.requests.length = 0;
    runtime.mood = "wrong";
    const { message } = await failureOf(updateDeployment(later.session, id, properties, args("silent-2")));
    const why = {
      allow: "the state does not record that the rollout before this update was deployed.",
      forbid: 'the configuration\'s newRevisions is "forbid".',
    }[newRevisions];
    expect(message).toContain(`Revision ${outputs.latestRevisionId} was the last good one`);
    expect(message).toContain(`onFailure is "restore", but nothing was restored, since ${why}`);
    const writes = emulator.requests.filter(
      ({ method, path }) => method !== "GET" && path.startsWith("/v2/"),
    );
    expect([writes, stored()?.revisions.length]).toEqual([[], 2]);
  },
);

test("after a run is killed during the conversation, the next update verifies the same revision, and makes no new revision", async () => {
  const { emulator, id, outputs, args, runtime, stored } = await proved({ onFailure: "restore" });
  const settings = { journal: freshFolder() };
  const killed = new Promise<void>((reached) => {
    runtime.before = () => new Promise(() => reached());
  });
  const { session } = sessionOn(emulator, settings);
  void updateDeployment(session, id, outputs, args("right-2")).catch(() => undefined);
  await killed;
  runtime.before = async () => undefined;
  const next = sessionOn(emulator, settings);
  const after = await updateDeployment(next.session, id, outputs, args("right-2"));
  expect(after).toMatchObject({ rolloutState: "deployed", __lastGood: stored()?.latest_revision_id });
  expect([runtime.conversations(), stored()?.revisions.length]).toEqual([2, 2]);
});

test("a failed run counts as a wrong reply, but a refused key does not", async () => {
  const { args, update, outputs, emulator } = await proved();
  const failed = await failureOf<UnfinishedError>(update(outputs, args("failing-2")));
  expect(failed.message).toContain("the run failed: ");
  expect(failed.properties.latestRevisionStatus).toBe("VERIFY_FAILED");
  emulator.failNext({ kind: "status", status: 403, match: { pathPattern: /threads$/ } });
  const refused = await failureOf<UnfinishedError>(update(outputs, args("right-3")));
  expect(refused.message).toContain("Check apiKey of rollout.verify");
  expect(refused.properties.latestRevisionStatus).toBe("UNVERIFIED");
});

test("an update needs `atLeast` right conversations, and starts no conversation after the verdict is certain", async () => {
  const { args, update, outputs, runtime } = await proved({}, { runs: 3, atLeast: 2 });
  const after = await update(outputs, args("right-2"));
  expect(runtime.conversations()).toBe(2);
  let count = 0;
  runtime.before = async ({ url }) => {
    if (url?.endsWith("/threads")) count += 1;
    runtime.mood = count === 2 ? "wrong" : "right";
  };
  const once = await update(after, args("right-3"));
  expect([once.rolloutState, runtime.conversations()]).toEqual(["deployed", 5]);
});

test("a changed question starts a conversation only after a wrong reply, and a change in place starts no conversation", async () => {
  const { args, update, outputs, sent, stored, runtime } = await proved();
  const after = await update(outputs, args("right-2"));
  sent();
  const other = { expect: { equals: "hello there" } };
  await update(after, args("right-2", {}, other));
  expect([sent(), runtime.conversations()]).toEqual([[], 1]);
  await update(after, { ...args("right-2"), sourceConfig: { buildOnPush: false } });
  expect([sent(), runtime.conversations()]).toEqual([["PATCH /v2/deployments/ID"], 1]);
  const error = await failureOf<UnfinishedError>(update(after, args("wrong-3")));
  await update(error.properties, args("wrong-3", {}, { expect: { equals: "nonsense" } }));
  expect(stored()?.revisions).toHaveLength(3);
});

test.each<[string, Properties, string]>([
  [
    "an atLeast greater than runs",
    { runs: 2, atLeast: 3 },
    "rollout.verify.atLeast: got 3; allowed: at most runs, 2",
  ],
  [
    "a key over plain http",
    { deploymentUrl: "http://chat.example", apiKey: "a-key-in-the-open" },
    "is plain http",
  ],
])("the preview refuses %s, and the error gives the path of the fault", async (_what, verify, words) => {
  const { session } = await provided();
  const rollout = { verify: { ...question, deploymentUrl: "https://chat.example", ...verify } };
  const { failures } = await deployment.check(session, undefined, { ...chat, rollout });
  expect(failures.map(faultInWords).join("\n")).toContain(words);
  expect(failures.map(faultInWords).join("\n")).not.toContain("a-key-in-the-open");
});

test("the preview refuses a missing address, unless the service reports an address or will make one", async () => {
  const { session, id, outputs, plan, args } = await proved();
  const verifiedArgs = { ...chat, rollout: { verify: question } };
  const image = {
    ...verifiedArgs,
    source: "internal_docker",
    sourceConfig: {},
    sourceRevisionConfig: { imageUri: "chat:1" },
  };
  const words = async (inputs: Properties) =>
    (await deployment.check(session, undefined, inputs)).failures.map(faultInWords).join("\n");
  expect(await words(image)).toContain("rollout.verify: has no address, and the service reports none");
  expect(await words(verifiedArgs)).toBe("");
  const news = args("right-2", {}, { deploymentUrl: undefined });
  expect(outputs.url).toEqual(expect.any(String));
  await plan(outputs, news);
  await expect(deployment.diff(session, id, { ...outputs, url: null }, news, true)).rejects.toThrow(
    "rollout.verify has no address, and the service reports none: set deploymentUrl",
  );
});

test("the runtime's key is sent only to the deployment, and is shown nowhere", async () => {
  const KEY = "key-of-the-deployment";
  const { args, update, outputs, runtime, emulator, told } = await proved({}, { apiKey: KEY });
  const keys: unknown[] = [];
  runtime.before = async ({ headers }) => keys.push(headers["x-api-key"]);
  const talkative = { messages: [{ role: "user", content: `hello ${KEY}` }], expect: { equals: "bye" } };
  const error = await failureOf<UnfinishedError>(update(outputs, args("right-2", {}, talkative)));
  expect(new Set(keys)).toEqual(new Set([KEY]));
  expect(emulator.requests.some(({ headers }) => headers["x-api-key"] === KEY)).toBe(false);
  const { rollout: _own, ...otherProperties } = error.properties as Properties;
  for (const text of [shownFailure(error), JSON.stringify(otherProperties), told.join()])
    expect(text).not.toContain(KEY);
  expect(shownFailure(error)).toContain('asked "hello [secret]"');
});
