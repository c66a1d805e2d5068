import { closeClients, hideProviderLines, provider, secret, UNKNOWN } from "../../../support/pluginClient";

beforeEach(hideProviderLines);
afterEach(closeClients);

const urnOf = (type: string) => `urn:pulumi:dev::shop::deployment-control:index:${type}::chat`;

async function running(profile = "langsmith") {
  return provider({ profile: profile as "langsmith" }, { profile });
}

/** Creates a resource. `update` previews or applies an update of the resource. */
async function resource(type: string, args: object, service = running()) {
  const { emulator, client } = await service;
  const urn = urnOf(type);
  const { inputs } = await client.check(urn, args);
  const properties = { urn, properties: inputs };
  const { length } = emulator.requests;
  const sketch = await client.call("create", { ...properties, preview: true });
  expect(emulator.requests.length).toBe(length);
  const made = await client.call("create", properties);
  const [id, outputs] = [made.getId(), made.getProperties().toJavaScript()];
  const update = async (change: object, preview: boolean) => {
    const { inputs: news } = await client.check(urn, { ...args, ...change }, inputs, outputs);
    const answer = await client.call("update", { urn, id, olds: outputs, oldInputs: inputs, news, preview });
    return answer.getProperties().toJavaScript();
  };
  return { emulator, id, outputs, sketch, update };
}

const listener = {
  computeType: "k8s",
  computeId: "cluster",
  computeConfig: { k8sNamespaces: ["agents"] },
};
const deployment = {
  name: "chat",
  source: "external_docker",
  sourceConfig: { resourceSpec: { minScale: 1 } },
  sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
  secrets: secret({ KEY: "a" }),
  environment: { LEVEL: "info" },
};
const { sourceConfig: _spec, ...first } = deployment;
const spec = (resourceSpec: unknown) => ({ sourceConfig: { resourceSpec } });
const image = (imageUri: string) => ({ sourceRevisionConfig: { imageUri } });

const namesOfUnknown = (outputs: object) =>
  Object.entries(outputs).flatMap(([name, value]) => (value === UNKNOWN ? [name] : []));
const knownIn = (outputs: object) =>
  Object.fromEntries(Object.entries(outputs).filter(([, value]) => value !== UNKNOWN));

const REVISION = expect.arrayContaining(["latestRevisionId", "activeRevisionId", "status", "updatedAt"]);

test.each<[string, string, object, object, unknown]>([
  ["Deployment", "a setting that is never sent", deployment, { onDestroy: "fail" }, []],
  ["Deployment", "nothing", deployment, {}, []],
  ["Deployment", "a display name", deployment, { displayName: "Chat" }, ["updatedAt"]],
  ["Deployment", "a variable", deployment, { environment: { LEVEL: "debug" } }, REVISION],
  ["Deployment", "a secret", deployment, { secrets: secret({ KEY: "b" }) }, REVISION],
  ["Deployment", "an image", deployment, image("registry.example/chat:2"), REVISION],
  ["Deployment", "a spec", deployment, spec({ minScale: 2 }), REVISION],
  ["Listener", "a setting that is never sent", listener, { onDestroy: "fail" }, []],
  ["Listener", "a namespace", listener, { computeConfig: { k8sNamespaces: ["a", "b"] } }, ["updatedAt"]],
])(
  "%s: if the program changes %s, each output that the preview knows has the same value after the apply",
  async (type, _what, args, change, unknown) => {
    const { emulator, update } = await resource(type, args);
    const count = emulator.requests.length;
    const preview = await update(change, true);
    expect(emulator.requests.length).toBe(count);
    expect(namesOfUnknown(preview).sort()).toEqual(unknown);
    expect(await update(change, false)).toMatchObject(knownIn(preview));
  },
);

test.each([
  ["Deployment", deployment],
  ["Listener", listener],
])("%s: the preview of a creation knows the inputs, and the apply records them", async (type, args) => {
  const { sketch, outputs } = await resource(type, args);
  const known = knownIn(sketch.getProperties().toJavaScript());
  expect(known).toMatchObject(args);
  expect(outputs).toMatchObject(known);
  expect(sketch.getId()).toBe("");
});

test.each<[string, string, object, object, unknown]>([
  ["Deployment", "a spec", deployment, spec(UNKNOWN), REVISION],
  ["Deployment", "a list in the spec", deployment, spec({ minScale: 1, volumes: UNKNOWN }), REVISION],
  ["Deployment", "the secrets", deployment, { secrets: UNKNOWN }, REVISION],
  ["Deployment", "a new group", first, { sourceConfig: UNKNOWN }, ["sourceConfig", "updatedAt", "url"]],
  ["Listener", "the namespaces", listener, { computeConfig: { k8sNamespaces: UNKNOWN } }, ["updatedAt"]],
  [
    "Listener",
    "the configuration",
    listener,
    { computeConfig: UNKNOWN },
    expect.arrayContaining(["updatedAt"]),
  ],
])(
  "%s: while the value of %s is unknown, the preview does not know the outputs that the update may change",
  async (type, _what, args, change, unknown) => {
    const { update } = await resource(type, args, running(args === first ? "contract" : "langsmith"));
    expect(namesOfUnknown(await update(change, true)).sort()).toEqual(unknown);
  },
);

test("Rollout: a preview knows every output of an update that does not wait, and no result of an update that waits", async () => {
  const service = await running();
  const { id, outputs } = await resource("Deployment", deployment, Promise.resolve(service));
  const member = (revisionKey: unknown) => ({ deployments: { chat: { id, revisionKey } } });
  const args = member(outputs.revisionKey);
  const { update } = await resource("Rollout", args, Promise.resolve(service));
  const preview = await update({ timeoutSeconds: 60 }, true);
  expect(namesOfUnknown(preview)).toEqual([]);
  expect(await update({ timeoutSeconds: 60 }, false)).toMatchObject(preview);
  const results = ["deployed", "revisions", "rolloutState", "seconds", "statuses"];
  expect(namesOfUnknown(await update(member(`${id}:2`), true)).sort()).toEqual(results);
  const open = await update({ deployments: UNKNOWN }, true);
  expect(namesOfUnknown(open).sort()).toEqual(["deployed", "deployments", ...results.slice(1)]);
});
