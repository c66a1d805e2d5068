import { type Properties, UNKNOWN } from "../../../../provider/schema/value";
import type { EmulatorOptions } from "../../../../sdk/emulator";
import { createdDeployment } from "../../../support/createdDeployment";
import { chat, failureOf } from "../../../support/providerRun";
import { createDeployment, deployment } from "../../../support/resourceCalls";

const identical = { ...chat, adopt: "identical" };
const writesOf = (requests: readonly string[]) => requests.filter((request) => !request.startsWith("GET"));

/** A deployment that one run created, and a later run whose state lacks the deployment. */
async function leftOver(options: EmulatorOptions = {}, args: Properties = chat) {
  const { id, emulator, later } = await createdDeployment(args, options);
  return { id, emulator, later, ...later() };
}

test.each(["masked", "named", "hidden", "echoed"] as const)(
  "the take-over of an identical deployment sends no write, and the next plan has no changes (secrets %s)",
  async (secretsInResponses) => {
    const { id, emulator, later, session, told, sent } = await leftOver({ secretsInResponses });
    expect((await deployment.check(session, undefined, identical)).failures).toEqual([]);
    expect(told).toEqual([
      expect.stringMatching(/^info .*takes over .* nothing in it changes$/),
      expect.stringMatching(/^warn .*does not compare the values of TOKEN, which the service does not show/),
    ]);
    const created = await createDeployment(session, identical);
    expect(created).toMatchObject({
      id,
      outputs: { secrets: chat.secrets, secretGenerations: { TOKEN: 1 }, rolloutState: "not awaited" },
    });
    expect(writesOf(sent())).toEqual([]);
    expect(told.join()).not.toContain("secret-value");
    const again = later();
    expect(await deployment.diff(again.session, id, created.outputs, identical, true)).toMatchObject({
      changes: false,
    });
    const read = await deployment.read(again.session, id, created.outputs);
    expect(read.inputs).toBeUndefined();
    const rotated = { ...identical, secrets: { TOKEN: "another-secret-value" } };
    await deployment.update(later().session, id, created.outputs, rotated);
    expect(emulator.deployments()[0]?.secrets).toEqual([{ name: "TOKEN", value: "another-secret-value" }]);
  },
);

test('with "identical" in the configuration, a deployment with a free name is created, and an identical deployment is taken over', async () => {
  const { id, later } = await createdDeployment(chat, {}, { adopt: "identical" });
  const { session, sent } = later();
  expect((await createDeployment(session, chat)).id).toBe(id);
  expect(writesOf(sent())).toEqual([]);
});

test.each<[string, Properties, string]>([
  ["an in-place field", { sourceConfig: { buildOnPush: false } }, "sourceConfig.buildOnPush true -> false"],
  [
    "a field of the revision",
    { sourceRevisionConfig: { repoRef: "v2" } },
    "sourceRevisionConfig.repoRef main -> v2",
  ],
  ["an argument that cannot change", { source: "internal_source" }, "source repohost -> internal_source"],
  ["a secret that only the program has", { secrets: { ...chat.secrets, NEW: "x" } }, "secret NEW added"],
  ["the names of the secrets", { secrets: { OTHER: "x" } }, "secret OTHER added; secret TOKEN removed"],
  [
    "a secret that only the service has, if the program declares plain variables",
    { secrets: undefined, environment: { LEVEL: "info" } },
    "secret TOKEN removed; environment.LEVEL (not set) -> info",
  ],
])("both the preview and `pulumi up` refuse a deployment that differs in %s", async (_, change, words) => {
  const { id, session, sent, told } = await leftOver();
  const changedArgs = { ...identical, ...change };
  for (const attempt of [
    deployment.check(session, undefined, changedArgs),
    createDeployment(session, changedArgs as typeof identical),
  ]) {
    const { message } = await failureOf(attempt);
    expect(message).toContain(`adopt: the deployment ${id} is not identical: ${words} (the service's value`);
    expect(message).not.toContain("secret-value");
  }
  expect([writesOf(sent()), told]).toEqual([[], []]);
});

test.each(["masked", "named", "hidden", "echoed"] as const)(
  "if the program declares no variables, the variables on the service do not count as a difference (secrets %s)",
  async (secretsInResponses) => {
    const { id, emulator, later, session, told, sent } = await leftOver({ secretsInResponses });
    const { secrets: _, secretGenerations: __, ...args } = identical;
    expect((await deployment.check(session, undefined, args)).failures).toEqual([]);
    expect(told).toEqual([expect.stringMatching(/^info .*takes over .* nothing in it changes$/)]);
    const { outputs } = await createDeployment(session, args as typeof identical);
    expect(await deployment.diff(later().session, id, outputs, args, true)).toMatchObject({ changes: false });
    expect(writesOf(sent())).toEqual([]);
    expect(emulator.deployments()[0]?.secrets).toHaveLength(1);
  },
);

test.each([
  [
    "names the secrets of another deployment, an empty list counts as a difference",
    { A: "a" },
    "secret TOKEN added",
  ],
  ["names no deployment's secrets, an empty list does not count as a difference", undefined, undefined],
] as const)("if the service %s", async (_, otherSecrets, words) => {
  const { secrets: _secrets, secretGenerations: _generations, ...bareArgs } = chat;
  const { emulator, later, session } = await leftOver({}, bareArgs);
  await createDeployment(later().session, { ...bareArgs, name: "chat-2", secrets: otherSecrets });
  const checked = deployment.check(session, undefined, identical);
  if (words === undefined) expect((await checked).failures).toEqual([]);
  else expect((await failureOf(checked)).message).toContain(words);
  expect(emulator.deployments()).toHaveLength(2);
});

test("secret references count as a difference only if the program declares different references", async () => {
  const external = {
    ...chat,
    source: "external_docker",
    sourceConfig: {},
    sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
    secretReferences: { KEY: { secretName: "keys", secretKey: "key" } },
  };
  const { session, told } = await leftOver({}, external);
  const { secretReferences, ...args } = { ...external, adopt: "identical" };
  expect((await deployment.check(session, undefined, args)).failures).toEqual([]);
  expect(told[0]).toMatch(/nothing in it changes$/);
  const otherArgs = { ...args, secretReferences: { OTHER: secretReferences.KEY } };
  expect((await failureOf(deployment.check(session, undefined, otherArgs))).message).toContain(
    "secret reference KEY removed; secret reference OTHER added",
  );
});

test("values of variables are compared if the service shows them, but no message shows a secret's value", async () => {
  const options = { profile: "langsmith", secretsInResponses: "echoed" } as const;
  const built = { repoRef: "main", graphConfigPath: "graph.json" };
  const plain = { ...chat, sourceRevisionConfig: built, environment: { LEVEL: "info" } };
  const { session, sent, told } = await leftOver(options, plain);
  const adoptingArgs = { ...plain, adopt: "identical" };
  const secret = { ...adoptingArgs, secrets: { TOKEN: "another-secret-value" } };
  const { message } = await failureOf(deployment.check(session, undefined, secret));
  expect(message).toContain("secret TOKEN set again, since its value differs on the service");
  expect(message).not.toContain("secret-value");
  const debug = { ...adoptingArgs, environment: { LEVEL: "debug" } };
  expect((await failureOf(deployment.check(session, undefined, debug))).message).toContain(
    "environment.LEVEL info -> debug",
  );
  expect((await deployment.check(session, undefined, adoptingArgs)).failures).toEqual([]);
  expect(told).toEqual([
    expect.stringMatching(/nothing in it changes$/),
    expect.stringMatching(
      /^warn .*a later destroy of this stack deletes the deployment.* set onDestroy to "retain"$/,
    ),
  ]);
  expect(writesOf(sent())).toEqual([]);
});

test("if values are unknown, the preview names the arguments that `pulumi up` will compare, and the secrets that cannot be compared", async () => {
  const { session, told } = await leftOver();
  const unknownArgs = {
    ...identical,
    secrets: { TOKEN: UNKNOWN },
    sourceRevisionConfig: { repoRef: UNKNOWN },
  };
  expect((await deployment.check(session, undefined, unknownArgs)).failures).toEqual([]);
  expect(told).toEqual([
    expect.stringContaining(
      "if it is identical; otherwise the update fails (sourceRevisionConfig.repoRef main -> (unknown until apply))",
    ),
    expect.stringContaining("does not compare the values of TOKEN,"),
  ]);
});

test("`pulumi up` waits for the unfinished revision of an identical deployment and, if the revision fails, records the failure in the state", async () => {
  const options = { revisionSeconds: 0.05, revisionStatuses: ["BUILDING", "BUILD_FAILED"] };
  const { id, session, sent } = await leftOver(options, { ...chat, rollout: { wait: false } });
  const error = await failureOf<Error & { id?: string; properties?: Properties }>(
    createDeployment(session, identical),
  );
  expect(error.message).toContain("BUILD_FAILED");
  expect([error.id, error.properties?.rolloutState]).toEqual([id, "failed"]);
  expect(writesOf(sent())).toEqual([]);
});
