import type { DeploymentArgs } from "../../../sdk/index";
import { created } from "../../support/embeddedService";
import { Deployment, Listener } from "../../support/engine/form";
import { FIRST_IMAGE, lines, SECOND_IMAGE } from "../../support/engine/programs";
import { testStack } from "../../support/engine/stack";

const CANARY = "sk-canary-of-the-import";

const cluster = { computeType: "k8s", computeId: "cluster" } as const;
const resourceSpec = { minScale: 1, maxScale: 2, cpu: 1, memoryMb: 1024 };

/** A service with a deployment and a listener, and a program that declares both. */
async function deployed() {
  const { emulator, stack } = await testStack({ secretsInResponses: "echoed" });
  const { id } = await created(emulator, {
    name: "chat",
    source: "external_docker",
    source_config: { resource_spec: { min_scale: 1, max_scale: 2, cpu: 1, memory_mb: 1024 } },
    source_revision_config: { image_uri: FIRST_IMAGE },
    secrets: [{ name: "KEY", value: CANARY }],
  });
  const listener = emulator.addListener({ compute_type: "k8s", compute_id: "cluster" });
  const declaring =
    (args: Partial<DeploymentArgs> = {}, isImport = false) =>
    () => {
      const imported = new Deployment(
        "chat",
        {
          name: "chat",
          source: "external_docker",
          sourceConfig: { resourceSpec },
          sourceRevisionConfig: { imageUri: FIRST_IMAGE },
          ...args,
        },
        isImport ? { import: id } : {},
      );
      new Listener("cluster", cluster, isImport ? { import: listener.id } : {});
      return { key: imported.revisionKey };
    };
  return { stack, declaring };
}

test("the option import takes over the declared deployment and changes nothing on the service", async () => {
  const { stack, declaring } = await deployed();
  const imported = await stack.up(declaring({}, true));
  expect(imported.error).toBeUndefined();
  expect(imported.steps).toEqual({ chat: "import", cluster: "import" });
  expect(new Set(imported.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
  expect(stack.filesOfState() + imported.text).not.toContain(CANARY);
  expect((await stack.up(declaring())).steps).toEqual({});
});

test("after an import, a new revision changes the revision key, but an edit in place does not, so dependents stay unchanged", async () => {
  const { stack, declaring } = await deployed();
  const { outputs } = await stack.up(declaring({}, true));
  const inPlace = { sourceConfig: { resourceSpec: { ...resourceSpec, maxScale: 3 } } };
  const edited = await stack.up(declaring(inPlace));
  expect(edited.steps).toEqual({ chat: "update" });
  expect(lines(edited)[0]).toContain("updates in place");
  expect(edited.outputs.key).toBe(outputs.key);
  const revised = await stack.up(declaring({ ...inPlace, sourceRevisionConfig: { imageUri: SECOND_IMAGE } }));
  expect(lines(revised)[0]).toContain("creates a new revision");
  expect((await stack.recorded("chat")).outputs.revisionGeneration).toBe(1);
});
