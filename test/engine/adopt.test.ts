import type * as pulumi from "@pulumi/pulumi";
import { deploymentOutputRows, deploymentRows } from "../../provider/schema/deployment";
import { listenerOutputRows, listenerRows } from "../../provider/schema/listener";
import type { Emulator } from "../../sdk/emulator/index";
import { created } from "../support/embeddedService";
import { Deployment, knownWithoutValue, Listener } from "../support/engine/form";
import { chat, FIRST_IMAGE } from "../support/engine/programs";
import { testStack } from "../support/engine/stack";

/** Creates a deployment as another program would, with the settings of `chat()`. */
async function existing(emulator: Emulator, change: object = {}): Promise<string> {
  const body = {
    name: "chat",
    source: "external_docker",
    source_config: { resource_spec: { min_scale: 1, max_scale: 3 } },
    source_revision_config: { image_uri: FIRST_IMAGE },
    secrets: [],
    ...change,
  };
  const { id } = await created(emulator, body);
  emulator.requests.length = 0;
  return id;
}

test("the engine never changes or deletes a resource that Deployment.get or Listener.get reads", async () => {
  const { emulator, stack } = await testStack();
  const id = await existing(emulator, { secrets: [{ name: "LEGACY", value: "legacy-secret-value" }] });
  const listener = emulator.addListener({ compute_id: "cluster", compute_config: { k8s_namespaces: ["a"] } });
  const program = () => {
    const deployment = Deployment.get("chat", id);
    const place = Listener.get("cluster", listener.id);
    return {
      name: deployment.name,
      image: deployment.sourceRevisionConfig.apply((config) => config?.imageUri),
      status: deployment.latestRevisionStatus,
      namespaces: place.computeConfig,
    };
  };
  const up = await stack.up(program);
  expect(up.error).toBeUndefined();
  expect(up.outputs).toEqual({
    name: "chat",
    image: FIRST_IMAGE,
    status: "DEPLOYED",
    namespaces: { k8sNamespaces: ["a"] },
  });
  expect((await stack.refresh()).error).toBeUndefined();
  const destroy = await stack.destroy();
  expect(destroy.error).toBeUndefined();
  expect(emulator.deployments()).toHaveLength(1);
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

const DEPLOYMENT_OUTPUTS = [
  ...Object.keys({ ...deploymentRows, ...deploymentOutputRows }),
  ...["latestRevisionStatus", "rolloutState", "serviceUrl"],
  ...["revisionGeneration", "secretGenerations", "revisionKey"],
];
const LISTENER_OUTPUTS = [...Object.keys({ ...listenerRows, ...listenerOutputRows }), "serviceUrl"];

knownWithoutValue(
  "a preview knows every output of a deployment that is only read, even if the service has no value",
  async () => {
    const { emulator, stack } = await testStack();
    const id = await existing(emulator, { secrets: [{ name: "LEGACY", value: "legacy-secret-value" }] });
    const { id: place } = emulator.addListener({ compute_id: "cluster" });
    const readOutputs: { [name: string]: unknown } = {};
    const look = (label: string, resource: object, outputs: readonly string[]): void => {
      for (const name of outputs) {
        (resource as { [name: string]: pulumi.Output<unknown> })[name]?.apply((value) => {
          readOutputs[`${label}.${name}`] = value;
        });
      }
    };
    const preview = await stack.preview(() => {
      look("deployment", Deployment.get("chat", id), DEPLOYMENT_OUTPUTS);
      look("listener", Listener.get("cluster", place), LISTENER_OUTPUTS);
    });
    expect(preview.error).toBeUndefined();
    const expected = [
      ...DEPLOYMENT_OUTPUTS.map((name) => `deployment.${name}`),
      ...LISTENER_OUTPUTS.map((name) => `listener.${name}`),
    ];
    expect(Object.keys(readOutputs).sort()).toEqual(expected.sort());
    expect(readOutputs).toMatchObject({
      "deployment.revisionGeneration": 0,
      "deployment.secretGenerations": {},
      "deployment.secrets": undefined,
      "deployment.secretReferences": {},
      "deployment.sourceRevisionConfig": { imageUri: FIRST_IMAGE },
      "deployment.adopt": undefined,
      "listener.computeConfig": {},
      "listener.version": null,
      "listener.connection": undefined,
    });
  },
);

test('with adopt: "identical", an up takes over a deployment that matches the program, and refuses a deployment that differs', async () => {
  const { emulator, stack } = await testStack();
  const secrets = [{ name: "TOKEN", value: "token-secret-value" }];
  const names = ["one", "two", "three", "four"];
  for (const name of names) await existing(emulator, { name, secrets });
  const changed = await existing(emulator, { name: "five", secrets, source_config: { build_on_push: true } });
  const args = { ...chat({ secrets: { TOKEN: "token-secret-value" } }), adopt: "identical" } as const;
  const program = (declared: readonly string[]) => () => {
    for (const name of declared) new Deployment(name, { ...args, name });
  };
  const refused = await stack.preview(program([...names, "five"]));
  expect(refused.text).toContain(
    `adopt: the deployment ${changed} is not identical: sourceConfig.resourceSpec.maxScale 1 -> 3`,
  );
  const up = await stack.up(program([...names, "new"]));
  expect(up.error).toBeUndefined();
  expect(up.text).toContain("does not compare the values of TOKEN, which the service does not show");
  expect((await stack.refresh()).error).toBeUndefined();
  expect((await stack.up(program([...names, "new"]))).steps).toEqual({});
  const writes = emulator.requests.filter(({ method }) => method !== "GET");
  expect(writes).toMatchObject([{ method: "POST", body: { name: "new" } }]);
  expect(stack.filesOfState()).not.toContain("token-secret-value");
});
