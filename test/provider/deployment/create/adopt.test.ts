import { RefusedError } from "../../../../provider/failure";
import type { EmulatorOptions } from "../../../../sdk/emulator";
import { chat, failureOf, provided, sessionOn, URN } from "../../../support/providerRun";
import { createDeployment, deployment } from "../../../support/resourceCalls";

const ABSENT = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";
/** Secrets cannot be compared, so an adoption sends them; without secrets, equal arguments need no PATCH. */
const { secrets: _, secretGenerations: __, ...open } = chat;

async function existing(options: EmulatorOptions = {}, settings = {}, args: object = open) {
  const creationRun = await provided(options, settings);
  const { id } = await createDeployment(creationRun.session, args as typeof chat);
  const { session, service, told, sent } = sessionOn(creationRun.emulator, settings);
  sent();
  return { emulator: creationRun.emulator, id, session, service, told, sent };
}

const patches = (requests: readonly string[]) => requests.filter((request) => request.startsWith("PATCH"));
const posts = (requests: readonly string[]) => requests.filter((request) => request.startsWith("POST"));

test.each(["by name", "by id", "by id in capitals", "by the configuration"])(
  "%s: a deployment that matches the program is adopted without a write",
  async (how) => {
    const { emulator, id, session, service, told, sent } = await existing(
      {},
      how === "by the configuration" ? { adopt: "true" } : {},
    );
    const adopt = { "by name": true, "by id": id, "by id in capitals": id.toUpperCase() }[how];
    const created = await createDeployment(session, { ...open, ...(adopt === undefined ? {} : { adopt }) });
    expect(created).toMatchObject({
      id,
      outputs: { name: "chat", latestRevisionId: emulator.deployments()[0]?.latest_revision_id },
    });
    expect(sent().every((request) => request.startsWith("GET"))).toBe(true);
    expect(told[0]).toContain(`takes over the existing deployment ${id}`);
    expect(emulator.deployments()).toHaveLength(1);
    expect(service.fleet.keeperOf(id)).toBe(URN);
  },
);

test("an up says once that it adopts a deployment, in the line that says what it changes", async () => {
  const { id, session, told } = await existing();
  const wanted = { ...open, adopt: true, sourceConfig: { buildOnPush: false } };
  const { inputs } = await deployment.check(session, undefined, wanted);
  await createDeployment(session, { ...wanted, ...inputs });
  const lines = told.filter((line) => line.includes("takes over"));
  expect(lines).toEqual([expect.stringContaining(`deployment ${id}; it updates in place, no new revision`)]);
});

test("an adoption changes all differences with one PATCH", async () => {
  const { emulator, id, session, sent } = await existing();
  const { outputs } = await createDeployment(session, {
    ...open,
    adopt: true,
    sourceConfig: { buildOnPush: false },
  });
  const body = emulator.requests.find(({ method }) => method === "PATCH")?.body;
  expect(body).toEqual({ source_config: { build_on_push: false } });
  const requests = sent();
  expect([patches(requests).length, posts(requests).length]).toEqual([1, 0]);
  expect(outputs.sourceConfig).toEqual({ buildOnPush: false });
  expect(emulator.deployments()).toMatchObject([
    { id, source_config: { build_on_push: false }, revisions: [{}] },
  ]);
});

test("an adoption that needs a new revision makes one and waits for it", async () => {
  const { emulator, session, sent } = await existing();
  const adoptingArgs = { ...open, adopt: true, sourceRevisionConfig: { repoRef: "next" } };
  const { outputs } = await createDeployment(session, adoptingArgs);
  expect(patches(sent())).toHaveLength(1);
  expect(emulator.deployments()[0]?.revisions).toHaveLength(2);
  expect(outputs).toMatchObject({
    rolloutState: "deployed",
    latestRevisionId: emulator.deployments()[0]?.latest_revision_id,
  });
});

test("adopting a name that does not exist creates the deployment", async () => {
  const { emulator, session, sent } = await provided();
  await createDeployment(session, { ...open, adopt: true });
  expect(posts(sent())).toHaveLength(1);
  expect(emulator.deployments()).toHaveLength(1);
});

test("adopting an unknown id is refused", async () => {
  const { emulator, session, sent } = await provided();
  const error = await failureOf(createDeployment(session, { ...open, adopt: ABSENT }));
  expect(error).toBeInstanceOf(RefusedError);
  expect(error.message).toContain(`adopt: ${emulator.url} has no deployment with the id ${ABSENT}`);
  expect(posts(sent())).toEqual([]);
});

test("adopting a name that two deployments have is refused with both ids", async () => {
  const { emulator, id, session, sent } = await existing();
  const [other = ""] = emulator.seed(1);
  emulator.change(other, { name: "chat" });
  const error = await failureOf(createDeployment(session, { ...open, adopt: true }));
  expect(error.message).toContain('adopt: 2 deployments are named "chat"');
  for (const each of [id, other]) expect(error.message).toContain(each);
  expect(patches(sent())).toEqual([]);
});

test("secrets that the program does not give are named, and nothing is sent", async () => {
  const { id, session, sent } = await existing({}, {}, chat);
  const error = await failureOf(
    createDeployment(session, { ...open, adopt: id, secrets: { OTHER: "other-secret-value" } }),
  );
  expect(error.message).toContain("adopting it would remove them: TOKEN. Add them to secrets or environment");
  expect(error.message).not.toContain("secret-value");
  expect(patches(sent())).toEqual([]);
});

test("an argument that cannot change must match the adopted deployment", async () => {
  const { id, session, sent } = await existing();
  const error = await failureOf(
    createDeployment(session, { ...open, adopt: id, name: "other", source: "internal_source" }),
  );
  expect(error.message).toContain("differs in what cannot be changed");
  expect(error.message).toContain("name chat -> other");
  expect(error.message).toContain("source repohost -> internal_source");
  expect(patches(sent())).toEqual([]);
});

test("an adoption that would make a revision is refused if revisions are forbidden", async () => {
  const { id, session, sent } = await existing({}, { newRevisions: "forbid" });
  const adoptingArgs = { ...open, adopt: id, sourceRevisionConfig: { repoRef: "next" } };
  expect((await failureOf(createDeployment(session, adoptingArgs))).message).toContain('is "forbid"');
  expect(patches(sent())).toEqual([]);
});

test.each(["AWAITING_DELETE", "AWAITING_FINAL_DELETE"])(
  "a deployment that is %s is not adopted by its id",
  async (status) => {
    const { emulator, id, session } = await existing();
    emulator.change(id, { status });
    await expect(createDeployment(session, { ...open, adopt: id })).rejects.toThrow("delet");
  },
);

test("the plan of an adoption distinguishes secrets that are set again from new ones", async () => {
  for (const [secretsInResponses, happens] of [
    ["masked", "secret TOKEN set again; secret NEW added"],
    ["echoed", "secret TOKEN set again; secret NEW added"],
    ["hidden", "secret TOKEN added; secret NEW added"],
  ] as const) {
    const { emulator, id, session, told } = await existing({ secretsInResponses }, {}, chat);
    const secrets = { TOKEN: "token-secret-value", NEW: "new-secret-value" };
    const adoptingArgs = { ...chat, adopt: id, secrets };
    expect((await deployment.check(session, undefined, adoptingArgs)).failures).toEqual([]);
    for (const words of happens.split("; ")) expect(told.at(-1)).toContain(words);
    const { outputs } = await createDeployment(session, adoptingArgs);
    expect(told.join("\n")).not.toContain("secret-value");
    expect(outputs.secrets).toEqual(secrets);
    const patch = emulator.requests.find(({ method }) => method === "PATCH");
    expect(patch?.body).toEqual({
      secrets: [
        { name: "NEW", value: "new-secret-value" },
        { name: "TOKEN", value: "token-secret-value" },
      ],
    });
  }
});

const second = { ...open, __urn: `${URN}-again` };

test("a preview refuses a deployment that another resource of the program adopts, and names that resource", async () => {
  const { id, session, sent } = await existing();
  const first = await deployment.check(session, undefined, { ...open, adopt: true });
  expect(first.failures).toEqual([]);
  const refusal = `deployment "chat-again": the deployment ${id} is managed by "chat" of this program already. Declare it once`;
  expect(await failureOf(deployment.check(session, undefined, { ...second, adopt: id }))).toMatchObject({
    message: expect.stringContaining(refusal),
  });
  await createDeployment(session, { ...open, adopt: true });
  expect((await failureOf(createDeployment(session, { ...second, adopt: id }))).message).toContain(refusal);
  expect(patches(sent())).toEqual([]);
});

test.each(["first", "last"])(
  "declared %s: no resource adopts a deployment that the program already manages",
  async (place) => {
    const { id, session } = await existing();
    const manage = () => deployment.diff(session, id, open, open, true);
    const adopt = () => deployment.check(session, undefined, { ...second, adopt: id });
    const [one, other] = place === "last" ? [manage, adopt] : [adopt, manage];
    await one();
    expect((await failureOf(other())).message).toContain("of this program already");
    // Neither a repeated plan nor the resource itself counts as another resource.
    await one();
  },
);

test("another resource may adopt a deployment that is being replaced", async () => {
  const { id, session } = await existing();
  await deployment.diff(session, id, open, { ...open, name: "other" }, true);
  const { failures } = await deployment.check(session, undefined, { ...second, adopt: id });
  expect(failures).toEqual([]);
});
