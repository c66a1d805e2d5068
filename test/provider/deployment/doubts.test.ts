import type { EngineRun } from "../../../provider/run/run";
import { chat, provided, sessionOn, URN } from "../../support/providerRun";
import { deployment, listener } from "../../support/resourceCalls";

const langsmith = { profile: "langsmith", revisionSeconds: 0 } as const;
const LISTENER = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/deployment-control:Listener::cluster";
const cluster = {
  __urn: LISTENER,
  computeType: "k8s",
  computeId: "cluster-1",
  computeConfig: { k8sNamespaces: ["agents", "tools"] },
};
const image = (sourceConfig: object, more: object = {}) => ({
  __urn: URN,
  name: "chat",
  source: "external_docker",
  sourceConfig,
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
  ...more,
});
const onListener = (listenerId: string, k8sNamespace: string) =>
  image({ listenerId, listenerConfig: { k8sNamespace } });

/** Previews a creation, and returns its warnings. */
async function warned(run: { session: EngineRun; warnings: () => string[] }, args: object) {
  const before = run.warnings().length;
  expect((await deployment.check(run.session, undefined, args as never)).failures).toEqual([]);
  return run.warnings().slice(before);
}

test.each([
  ["Chat_Bot", /refuses or rewrites the name "Chat_Bot": use lower case letters, digits and hyphens/],
  ["chat-bot-2", undefined],
])("a preview warns about a name only if the service refuses or rewrites it: %s", async (name, words) => {
  const run = await provided(langsmith);
  const warnings = await warned(run, image({}, { name }));
  expect(warnings).toEqual(words === undefined ? [] : [expect.stringMatching(words)]);
  expect(run.sent()).toEqual([]);
  expect(await warned(await provided(), image({}, { name }))).toEqual([]);
});

test("a preview warns about variables that the service refuses or sets itself; the preview of an update warns only about added variables", async () => {
  const reserved = [
    "LANGSMITH_API_KEY",
    "LANGGRAPH_AUTH_TYPE",
    "POSTGRES_URI",
    "PORT",
    "LS_ANY",
    "REDIS_URI_CUSTOM",
  ];
  const plain = ["OPENAI_API_KEY", "MY_PORT", "PATHS", "LANGSMITH_WORKSPACE"];
  const environment = Object.fromEntries([...reserved.slice(1), ...plain].map((name) => [name, "v"]));
  const args = image({}, { environment, secrets: { LANGSMITH_API_KEY: "value-of-the-key" } });
  const run = await provided(langsmith);
  const [warning = "", ...others] = await warned(run, args);
  expect(others).toEqual([]);
  expect(warning).toContain(`leave out ${reserved.join(", ")}: the service refuses`);
  const { inputs } = await deployment.check(run.session, undefined, args as never);
  const state = { ...inputs, serviceUrl: run.emulator.url, rolloutState: "deployed" };
  const later = sessionOn(run.emulator, { profile: "langsmith" });
  const changed = { ...args, environment: { ...environment, HOST: "v" } };
  const planned = await deployment.check(later.session, inputs, changed as never);
  await deployment.diff(later.session, "d1", state as never, planned.inputs, true);
  expect(later.warnings().filter((words) => words.includes("sets it itself"))).toEqual([
    expect.stringContaining("leave out HOST:"),
  ]);
  expect(run.sent()).toEqual([]);
});

test("a preview warns if the program's listener does not serve a deployment's namespace, and sends no request", async () => {
  const run = await provided(langsmith);
  const { id, outputs } = await listener.create(run.session, cluster);
  const later = sessionOn(run.emulator, { profile: "langsmith" });
  await listener.check(later.session, cluster, cluster);
  await listener.diff(later.session, id, outputs, cluster, true);
  run.sent();
  expect(await warned(later, onListener(id, "prod"))).toEqual([
    expect.stringContaining('its listener does not serve the namespace "prod", only agents, tools'),
  ]);
  expect(await warned(later, onListener(id, "tools"))).toEqual([]);
  expect(await warned(later, onListener("1c2d3e4f-0d5a-4c7e-9a44-1f0e6f1f7b21", "prod"))).toEqual([]);
  expect(run.sent()).toEqual([]);
});

test("a preview knows the namespaces of a listener that the program only reads", async () => {
  const run = await provided(langsmith);
  const { id } = run.emulator.addListener({
    compute_id: "c",
    compute_config: { k8s_namespaces: ["agents"] },
  });
  await listener.read(run.session, id, { __urn: LISTENER, __get: true });
  run.sent();
  expect(await warned(run, onListener(id, "prod"))).toEqual([
    expect.stringContaining('the namespace "prod"'),
  ]);
  expect(await warned(run, image({}))).toEqual([expect.stringContaining("requires sourceConfig.listenerId")]);
  expect(run.sent()).toEqual([]);
});

test("a preview warns about an external image without sourceConfig.listenerId only if the program declares a listener", async () => {
  const run = await provided(langsmith);
  expect(await warned(run, image({}))).toEqual([]);
  run.emulator.addListener({ compute_id: "cluster-1" });
  await listener.check(run.session, undefined, cluster);
  run.sent();
  expect(await warned(run, image({}))).toEqual([expect.stringContaining("requires sourceConfig.listenerId")]);
  expect(
    await warned(run, {
      ...chat,
      source: "internal_docker",
      sourceConfig: {},
      sourceRevisionConfig: { imageUri: "a:1" },
    }),
  ).toEqual([]);
  expect(run.sent()).toEqual([]);
});
