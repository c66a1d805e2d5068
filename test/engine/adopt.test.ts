import type { Emulator } from "../../sdk/emulator/index";
import { created } from "../support/embeddedService";
import { Deployment, Listener } from "../support/engine/form";
import { FIRST_IMAGE } from "../support/engine/programs";
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
