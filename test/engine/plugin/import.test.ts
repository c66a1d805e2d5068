import { created } from "../../support/embeddedService";
import { Deployment, Listener } from "../../support/engine/form";
import { FIRST_IMAGE } from "../../support/engine/programs";
import { testStack } from "../../support/engine/stack";

const CANARY = "sk-canary-of-the-import";

test("the resource option `import` takes over the declared deployment and changes nothing on the service", async () => {
  const { emulator, stack } = await testStack({ secretsInResponses: "echoed" });
  const { id } = await created(emulator, {
    name: "chat",
    source: "external_docker",
    source_config: { resource_spec: { min_scale: 1, max_scale: 2, cpu: 1, memory_mb: 1024 } },
    source_revision_config: { image_uri: FIRST_IMAGE },
    secrets: [{ name: "KEY", value: CANARY }],
  });
  const listener = emulator.addListener({ compute_type: "k8s", compute_id: "cluster" });
  const declaring = (isImport: boolean) => () => {
    const args = {
      name: "chat",
      source: "external_docker",
      sourceConfig: { resourceSpec: { minScale: 1, maxScale: 2, cpu: 1, memoryMb: 1024 } },
      sourceRevisionConfig: { imageUri: FIRST_IMAGE },
    } as const;
    new Deployment("chat", args, isImport ? { import: id } : {});
    const cluster = { computeType: "k8s", computeId: "cluster" } as const;
    new Listener("cluster", cluster, isImport ? { import: listener.id } : {});
  };
  const imported = await stack.up(declaring(true));
  expect(imported.error).toBeUndefined();
  expect(imported.steps).toEqual({ chat: "import", cluster: "import" });
  expect(new Set(imported.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
  expect(stack.filesOfState() + imported.text).not.toContain(CANARY);
  expect((await stack.up(declaring(false))).steps).toEqual({});
});
