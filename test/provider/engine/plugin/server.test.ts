import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { started } from "../../../support/embeddedService";
import { failureOf } from "../../../support/httpServer";
import { journalFolder, until } from "../../../support/interruptedRun";
import {
  Client,
  closeClients,
  type Failed,
  hideProviderLines,
  provider,
  secret,
  shownOf,
  UNKNOWN,
  URN,
} from "../../../support/pluginClient";
import { untilQuiet } from "../../../support/sharedClock";

const BASE_URL = "DEPLOYMENT_CONTROL_BASE_URL";
beforeEach(hideProviderLines);
afterEach(() => {
  closeClients();
  delete process.env[BASE_URL];
});

const CANARY = "sk-canary-of-this-test";
const chat = (args: object = {}) => ({
  name: "chat",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
  secrets: secret({ KEY: CANARY }),
  ...args,
});

async function created(client: Client, args: object = {}) {
  const { inputs } = await client.check(URN, chat(args));
  const answer = await client.call("create", { urn: URN, properties: inputs });
  return { inputs, id: answer.getId() as string, outputs: answer.getProperties().toJavaScript() };
}

const diffOf = async (client: Client, fields: { [name: string]: unknown }) => {
  const answer = await client.call("diff", { urn: URN, ...fields });
  const details = [...answer.getDetaileddiffMap().toArray()].map(([path]: [string]) => [
    path,
    answer.getDetaileddiffMap().get(path).getKind(),
  ]);
  return {
    changes: answer.getChanges() === 2,
    replaces: answer.getReplacesList(),
    details: Object.fromEntries(details),
  };
};
const { UPDATE, UPDATE_REPLACE } = messages.PropertyDiff.Kind;

test("an argument that the program marks secret is marked in the outputs, and the next plan sees no change", async () => {
  const { client } = await provider();
  const sourceConfig = { customUrl: secret("https://canary.example.test"), installCommand: "make" };
  const { inputs, outputs, id } = await created(client, { sourceConfig });
  expect(outputs.sourceConfig).toEqual(sourceConfig);
  expect(shownOf(outputs)).not.toContain("canary");
  const again = await client.check(URN, chat({ sourceConfig }), inputs);
  const diff = await diffOf(client, { id, olds: outputs, oldInputs: inputs, news: again.inputs });
  expect(diff).toEqual({ changes: false, replaces: [], details: {} });
});

test("a plan says for each changed path whether the change updates or replaces the resource", async () => {
  const { client } = await provider();
  const { inputs, outputs, id } = await created(client);
  const news = chat({
    name: "other",
    sourceRevisionConfig: { imageUri: "registry.example/chat:2" },
    secrets: secret({ KEY: "another value", "A.B": "added" }),
  });
  const checked = await client.check(URN, news, inputs);
  const diff = await diffOf(client, { id, olds: outputs, oldInputs: inputs, news: checked.inputs });
  expect(diff.changes).toBe(true);
  expect(diff.replaces).toEqual(["name"]);
  expect(diff.details).toEqual({
    name: UPDATE_REPLACE,
    "sourceRevisionConfig.imageUri": UPDATE,
    'secrets["A.B"]': messages.PropertyDiff.Kind.ADD,
    "secrets.KEY": UPDATE,
    revisionGeneration: UPDATE,
    'secretGenerations["A.B"]': messages.PropertyDiff.Kind.ADD,
    "secretGenerations.KEY": UPDATE,
  });
});

test("if it is unknown whether an earlier run's update was applied, the preview of unchanged arguments does not know the revision's outputs", async () => {
  const journal = journalFolder();
  const { client, emulator } = await provider({}, { journal });
  const { inputs, outputs, id } = await created(client);
  const changed = await client.check(URN, chat({ secrets: secret({ KEY: "another value" }) }), inputs);
  const before = { urn: URN, id, olds: outputs, oldInputs: inputs };
  // The engine is killed before it writes the state.
  await client.call("update", { ...before, news: changed.inputs });
  const later = await Client.started({ baseUrl: emulator.url, journal: journal });
  const again = await later.check(URN, chat(), inputs);
  const plan = { ...before, news: again.inputs };
  expect(await diffOf(later, plan)).toEqual({ changes: true, replaces: [], details: {} });
  const answer = await later.call("update", { ...plan, preview: true });
  const known = answer.getProperties().toJavaScript();
  expect(Object.keys(known).filter((name) => known[name] === UNKNOWN)).toEqual(
    expect.arrayContaining(["latestRevisionId", "activeRevisionId", "updatedAt"]),
  );
  await later.call("update", plan);
  expect(emulator.deployments()[0]?.secrets).toEqual([{ name: "KEY", value: CANARY }]);
});

test("a read without a state returns every argument except secrets, and the program's first plan is empty", async () => {
  const { client, emulator } = await provider({ secretsInResponses: "echoed" });
  const { id } = await created(client, { sourceConfig: { resourceSpec: { minScale: 1, maxScale: 2 } } });
  const readAnswer = await client.call("read", { urn: URN, id });
  const [inputs, outputs] = [
    readAnswer.getInputs().toJavaScript(),
    readAnswer.getProperties().toJavaScript(),
  ];
  expect(JSON.stringify([inputs, outputs])).not.toContain(CANARY);
  expect(inputs).toMatchObject({
    name: "chat",
    sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
  });
  expect(inputs.secrets).toBeUndefined();

  const before = emulator.requests.length;
  const checked = await client.check(URN, inputs, inputs);
  expect(checked.failures).toEqual([]);
  const diff = await diffOf(client, { id, olds: outputs, oldInputs: inputs, news: checked.inputs });
  expect(diff).toEqual({ changes: false, replaces: [], details: {} });
  expect(emulator.requests.length).toBe(before);
});

test("the plugin removes the internal facts that the dynamic form packs into a state", async () => {
  const { client } = await provider();
  const { inputs, outputs, id } = await created(client);
  const facts = { __provider: "code", __urn: "urn", __secrets: ["name"], __timeouts: { update: 1 } };
  const moved = { urn: URN, id, properties: { ...outputs, ...facts }, inputs: { ...inputs, ...facts } };
  const readAnswer = await client.call("read", moved);
  const checked = await client.check(URN, chat({ adopt: true }), moved.inputs);
  const preview = { olds: moved.properties, oldInputs: moved.inputs, news: checked.inputs, preview: true };
  const planned = await client.call("update", { urn: URN, id, ...preview });
  const hiddenIn = (properties: object) => Object.keys(properties).filter((name) => name.startsWith("__"));
  const recordedInputs = [readAnswer.getInputs().toJavaScript(), checked.inputs];
  expect(recordedInputs.map(hiddenIn)).toEqual([["__plan"], ["__plan"]]);
  const recordedOutputs = [readAnswer, planned].map((answer) => answer.getProperties().toJavaScript());
  const notes = ["__lastGood", "__schemaVersion"];
  expect(recordedOutputs.map(hiddenIn)).toEqual([notes, notes]);
});

test("if a program sets an internal fact, the error says that the fact is not an argument", async () => {
  const { client } = await provider();
  const { failures } = await client.check(URN, chat({ __urn: "urn" }));
  expect(JSON.stringify(failures)).toContain("__urn: is not an argument");
});

test.each([
  ["TokenMetadata", "token metadata"],
  ["Rollout", "rollout"],
  ["SmokeTest", "smoke test"],
])(
  "a resource of the type %s cannot be imported, because the service cannot show it; the error says to declare the resource",
  async (type, kind) => {
    const { client, emulator } = await provider();
    const urn = `urn:pulumi:dev::shop::deployment-control:index:${type}::it`;
    const readCall = client.call("read", { urn, id: "anything" });
    await expect(readCall).rejects.toMatchObject({
      message: expect.stringMatching(
        new RegExp(`^a ${kind} can be neither imported nor looked up: .*Declare it`),
      ),
    });
    expect(emulator.requests).toEqual([]);
  },
);

test("a creation whose revision fails keeps the resource in the state, gives the reasons, and keeps the secrets marked", async () => {
  const { client, emulator } = await provider();
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const { inputs } = await client.check(URN, chat());
  const failure = await failureOf<Failed>(client.call("create", { urn: URN, properties: inputs }));
  expect(failure.left).toMatchObject({ id: expect.any(String), properties: { rolloutState: "failed" } });
  expect(failure.left?.reasons.join()).toContain("BUILD_FAILED");
  expect(failure.left?.properties.secrets).toEqual(secret({ KEY: CANARY }));
  expect(shownOf(failure.left?.properties)).not.toContain(CANARY);
  expect(failure.left?.inputs.secrets).toEqual(secret({ KEY: CANARY }));
});

test("after a failed update, the engine lacks the update's inputs, but a refresh still marks every value that contains a secret from these inputs", async () => {
  const { client, emulator } = await provider();
  const { id, outputs, inputs: oldInputs } = await created(client);
  const changed = { secrets: secret({ KEY: "sk-newer" }), environment: { MORE: secret("more-secret") } };
  const { inputs } = await client.check(URN, chat(changed), oldInputs);
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const update = { urn: URN, id, olds: outputs, oldInputs, news: inputs };
  const failure: Failed = await client.call("update", update).catch((e) => e);
  const properties = failure.left?.properties;
  expect(properties).toMatchObject(changed);
  emulator.change(id, { image_version: "of sk-newer", source_config: { build_command: "make more-secret" } });
  const later = await Client.started({ baseUrl: emulator.url, journal: "off" });
  const request = { urn: URN, id, properties, inputs: oldInputs };
  const answer = await later.call("read", request);
  expect(answer.getProperties().toJavaScript()).toMatchObject({
    ...changed,
    imageVersion: secret("of sk-newer"),
    latestRevisionStatus: "BUILD_FAILED",
  });
  for (const struct of [answer.getProperties(), answer.getInputs()])
    expect(shownOf(struct.toJavaScript())).not.toMatch(/sk-newer|more-secret/);
});

test("a canceled run ends its wait at once, and the state keeps the new deployment", async () => {
  const { client, emulator } = await provider({ revisionSeconds: 600 });
  const { inputs } = await client.check(URN, chat());
  const creation = failureOf<Failed>(client.call("create", { urn: URN, properties: inputs }));
  await until(() => emulator.deployments().length === 1);
  await untilQuiet();
  await client.cancel();
  await client.cancel();
  const { left } = await creation;
  expect(left).toMatchObject({ id: expect.any(String), properties: { rolloutState: "unfinished" } });
  expect(left?.reasons.join()).toContain("the run was cancelled");
});

test("a look-up returns its list in an object, and names the faults in its arguments", async () => {
  const { client, emulator } = await provider();
  emulator.seed(3);
  const lookUp = (args: object) =>
    client.call("invoke", { tok: "deployment-control:index:getDeployments", args });
  const lookUpAnswer = (await lookUp({ limit: 2 })).getReturn().toJavaScript();
  expect(lookUpAnswer.deployments).toHaveLength(2);
  const wrong = await lookUp({ limit: 0 });
  expect(wrong.getFailuresList()[0].getReason()).toMatch(/^getDeployments: limit/);
});

test("the name of an argument, a look-up, a setting or a resource is shown even if a secret has the same value", async () => {
  const { client, emulator } = await provider();
  const secrets = secret({ A: "a-secret-word", B: "buildOnPush", C: "getDeployments" });
  const { failures } = await client.check(
    URN,
    chat({ secrets, sourceConfig: { buildOnPush: "a-secret-word" } }),
  );
  expect(failures).toEqual(['sourceConfig.buildOnPush: got "[secret]" (a string); allowed: true or false']);
  const invoke = { tok: "deployment-control:index:getDeployments", args: { state: "chat" } };
  const lookUpAnswer = await client.call("invoke", invoke);
  expect(lookUpAnswer.getFailuresList()[0].getReason()).toMatch(/^getDeployments: state: is not a filter/);
  const news = { apiKeyy: "chat" };
  const configured = await client.call("checkConfig", { urn: URN, olds: {}, news });
  expect(configured.getFailuresList()[0].getReason()).toMatch(
    /^configuration deployment-control:apiKeyy: is not a setting/,
  );
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const { inputs } = await client.check(URN, chat({ secrets }));
  const created = client.call("create", { urn: URN, properties: inputs });
  const failure: Failed = await created.catch((error) => error);
  expect(failure.left?.reasons).toEqual([
    expect.stringMatching(/^deployment "chat": revision \S+ ended BUILD_FAILED/),
  ]);
});

test("if the project has the product's name, the provider accepts the program's own keys, but refuses a misspelled setting", async () => {
  const { client } = await provider();
  const urn = "urn:pulumi:dev::deployment-control::pulumi:providers:deployment-control::default";
  const news = { region: "eu", imageTag: "1", newRevision: "forbid" };
  const checked = await client.call("checkConfig", { urn, olds: {}, news });
  expect(checked.getFailuresList().map((failure: { getReason(): string }) => failure.getReason())).toEqual([
    "configuration deployment-control:newRevision: is not a setting; did you mean newRevisions?",
  ]);
});

test.each([
  [{ apiKey: "open" }, "apiKey"],
  [{ headers: '{"Authorization": "open"}' }, "headers"],
])(
  "the configuration %j, which has a key in plaintext, is refused, and the error hides the key",
  async (args, name) => {
    const client = await Client.started();
    const configured = (settings: object) => client.call("configure", { args: settings });
    const failure: Failed = await configured(args).catch((error) => error);
    expect(failure.message).toContain(
      `configuration deployment-control:${name} holds a key but is not a secret`,
    );
    expect(failure.message.replace("in plaintext", "")).not.toContain("open");
    const declared: Failed = await client.call("configure", { args, name: "eu" }).catch((error) => error);
    expect(declared.message).toContain(`provider "eu": ${name} holds a key but is not a secret`);
    const marked = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, secret(value)]));
    await expect(configured(marked)).resolves.toBeDefined();
  },
);

test("the plugin lets the engine decide whether a configuration has changed, and never asks for a replacement", async () => {
  const { client } = await provider();
  // The engine removes the secret marks before it passes the settings.
  const config = { oldInputs: { apiKey: "key" }, news: { apiKey: "key" } };
  const answer = await client.call("diffConfig", config);
  expect([answer.getChanges(), answer.getReplacesList()]).toEqual([
    messages.DiffResponse.DiffChanges.DIFF_UNKNOWN,
    [],
  ]);
});

test.each([
  ["default", "environment"],
  ["default_0_1_0", "environment"],
  ["west", "program"],
])("a provider named %s uses the base URL of the %s", async (name, says) => {
  const [ofEnvironment, ofProgram] = [await started(), await started()];
  process.env[BASE_URL] = ofEnvironment.url;
  const client = await Client.started({ baseUrl: ofProgram.url, journal: "off" }, name);
  await created(client);
  expect(ofEnvironment.deployments()).toHaveLength(says === "environment" ? 1 : 0);
  expect(ofProgram.deployments()).toHaveLength(says === "program" ? 1 : 0);
});

test.each([
  ["headers", { headers: '{"X-Route": "route-canary"}' }, {}],
  ["connections", { connections: "{JSON}" }, { connection: "west" }],
])("%s: a header in a secret setting is a secret, whatever its name", async (_setting, args, chosen) => {
  const emulator = await started();
  const connections = { west: { baseUrl: emulator.url, headers: { "X-Route": "route-canary" } } };
  const text = JSON.stringify(args).replace('"{JSON}"', JSON.stringify(JSON.stringify(connections)));
  const settings = JSON.parse(text) as { [key: string]: string };
  const whole: { [key: string]: string } = { baseUrl: emulator.url, journal: "off", ...settings };
  const marked = Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, secret(value)]));
  const fresh = await Client.started(whole);
  await fresh.configure(whole, "default", marked);
  emulator.failNext({ kind: "status", status: 422, body: { detail: "no way by route-canary" } });
  const invoke = { tok: "deployment-control:index:getDeployments", args: chosen };
  const lookUpAnswer = await fresh.call("invoke", invoke);
  expect(lookUpAnswer.getFailuresList()[0].getReason()).toMatch(/no way by \[secret\]$/);
});
