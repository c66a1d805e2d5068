import { createdDeployment } from "../../support/createdDeployment";
import { chat, failureOf } from "../../support/providerRun";
import { deployment } from "../../support/resourceCalls";

const PATCH = { method: "PATCH" } as const;
const inPlace = { ...chat, sourceConfig: { buildOnPush: false } };
const revising = { ...chat, sourceRevisionConfig: { repoRef: "next" }, revisionGeneration: 2 };
const secretly = { ...chat, secrets: { TOKEN: "rotated-secret-value" }, secretGenerations: { TOKEN: 2 } };

async function running(settings = {}) {
  const created = await createdDeployment(chat, {}, settings);
  const revisions = () => created.stored()?.revisions.length;
  const patches = (requests: readonly string[]) => requests.filter((each) => each.startsWith("PATCH")).length;
  return { ...created, revisions, patches };
}

test("if the answer to an applied PATCH is lost, the run makes no second revision", async () => {
  const { emulator, update, revisions, sent, patches, told } = await running();
  emulator.failNext({ kind: "drop-after", match: PATCH });
  const after = await update(revising);
  expect(patches(sent())).toBe(1);
  expect(revisions()).toBe(2);
  expect(after.latestRevisionId).toBe(emulator.deployments()[0]?.latest_revision_id);
  expect(told[0]).toContain("it is not certain whether the request took effect");
});

test.each([
  ["an update in place", inPlace, 1],
  ["an update that makes a revision", revising, 2],
  ["an update of a secret", secretly, 2],
] as const)("the run repeats a lost PATCH once: %s", async (_, news, count) => {
  const { emulator, update, revisions, sent, patches } = await running();
  emulator.failNext({ kind: "drop-before", match: PATCH });
  await update(news);
  expect(patches(sent())).toBe(2);
  expect(revisions()).toBe(count);
});

test("the run gives up after a PATCH has been lost twice", async () => {
  const { emulator, update, revisions, sent, patches } = await running();
  emulator.failNext({ kind: "drop-before", match: PATCH, times: 5 });
  expect((await failureOf(update(revising))).message).toContain("lost the connection");
  expect(patches(sent())).toBe(2);
  expect(revisions()).toBe(1);
});

test("the warning about a revision that the plan did not announce names the field and the override that corrects the plan", async () => {
  const { emulator, update, warnings, revisions } = await running();
  emulator.behaviour.extraRevisionOn = ["source_config.build_on_push"];
  const after = await update(inPlace);
  expect(revisions()).toBe(2);
  expect(warnings()).toHaveLength(1);
  expect(warnings()[0]).toContain(
    "NOT as planned: the plan said no new revision, but this update created revision",
  );
  expect(warnings()[0]).toContain("sourceConfig.buildOnPush true -> false");
  expect(warnings()[0]).toContain('{"classes": {"sourceConfig.buildOnPush": "newRevision"}}');
  expect(warnings()[0]).not.toContain("that of profile");
  expect(after).toMatchObject({ latestRevisionStatus: "DEPLOYED", rolloutState: "deployed" });
});

test("if another profile gives the field the correct class, the warning first names that profile, and then the override", async () => {
  const { emulator, update, warnings } = await running();
  emulator.behaviour.extraRevisionOn = ["source_config.install_command"];
  await update({ ...chat, sourceConfig: { ...chat.sourceConfig, installCommand: "npm ci" } });
  expect(warnings()[0]).toMatch(
    /that of profile "langsmith" does: if this is such a service, set deployment-control:profile to langsmith\. Otherwise correct it with profileOverrides/,
  );
});

test("a warning reports an announced revision that was not made", async () => {
  const profileOverrides = '{"classes": {"secrets": "newRevision"}}';
  const { emulator, update, warnings, revisions } = await running({ profileOverrides });
  emulator.behaviour.secretsMakeRevision = false;
  await update(secretly);
  expect(revisions()).toBe(1);
  expect(warnings()[0]).toContain(
    "NOT as planned: the plan said a new revision, but this update created none (secret TOKEN changed)",
  );
  expect(warnings()[0]).not.toContain("secret-value");
});

test.each([
  [true, "this update did create a new revision"],
  [false, "this update created no new revision"],
])(
  "if the plan says that an update may make a revision, the update reports whether a revision was made: %p",
  async (secretsMakeRevision, words) => {
    const { emulator, update, told, warnings } = await running();
    emulator.behaviour.secretsMakeRevision = secretsMakeRevision;
    await update(secretly);
    expect(told[0]).toContain(words);
    expect(warnings()).toEqual([]);
    expect(emulator.deployments()[0]?.secrets).toEqual([{ name: "TOKEN", value: "rotated-secret-value" }]);
  },
);

test("an update that would make a forbidden revision is refused before anything is sent", async () => {
  const { update, sent } = await running({ newRevisions: "forbid" });
  expect((await failureOf(update(revising))).message).toContain('newRevisions is "forbid"');
  expect(sent()).toEqual([]);
});

test("only the plan warns about values that the service will keep", async () => {
  const capabilities = { nullClears: false };
  const { id, outputs, session, warnings, sent } = await running({
    profileOverrides: JSON.stringify({ capabilities }),
  });
  const { buildOnPush: _, ...config } = chat.sourceConfig;
  const news = { ...outputs, sourceConfig: config, secrets: undefined };
  await deployment.diff(session, id, outputs, news, true);
  expect(warnings()).toEqual([
    expect.stringContaining(
      "the service keeps what the program no longer sets: sourceConfig.buildOnPush, secrets.TOKEN",
    ),
  ]);
  await deployment.diff(session, id, outputs, news, false);
  expect(warnings()).toHaveLength(1);
  expect(sent()).toEqual([]);
});
