import { created } from "../support/embeddedService";
import { isPlugin } from "../support/engine/form";
import { reported } from "../support/engine/planReport";
import { bodiesOf, declares, revisionCount, SECOND_IMAGE } from "../support/engine/programs";
import { testStack } from "../support/engine/stack";

const second = { sourceRevisionConfig: { imageUri: SECOND_IMAGE } };

test("after a restore has undone a failed update, a refresh does not write the update's secret in plaintext", async () => {
  const { emulator, stack } = await testStack();
  const restoring = { rollout: { onFailure: "restore" } } as const;
  await stack.up(declares({ ...restoring, secrets: undefined }));
  emulator.failNext({ kind: "revision", status: "DEPLOY_FAILED" });
  await stack.up(declares({ ...restoring, ...second, secrets: { NEW: "brand-new-secret-value" } }));
  await stack.refresh();
  await stack.refresh();
  expect(stack.filesOfState()).not.toContain("brand-new-secret-value");
});

test("in the plugin, with Pulumi 3.261 or later, the generation also counts a revision that is made again", async () => {
  const { emulator, stack } = await testStack();
  await stack.up(declares());
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  await stack.up(declares(second));
  const [, minor = ""] = stack.stack.workspace.pulumiVersion.split(".");
  const counts = isPlugin && Number(minor) >= 261;
  const { error, outputs } = await stack.up(declares(second));
  expect([error, outputs.generation]).toEqual([undefined, counts ? 3 : 2]);
  expect(outputs.key).toBe(`${outputs.id}:${outputs.generation}`);
  expect(revisionCount(emulator)).toBe(3);
  const again = await stack.up(declares(second));
  expect([again.steps, again.outputs.generation]).toEqual([{}, outputs.generation]);
});

test("if a push makes a good revision after a failed revision, the next update does not repeat the failed revision", async () => {
  const { emulator, stack } = await testStack();
  const args = { source: "repohost", sourceConfig: { buildOnPush: true } } as const;
  const { outputs } = await stack.up(declares({ ...args, sourceRevisionConfig: { repoRef: "main" } }));
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const next = declares({ ...args, sourceRevisionConfig: { repoRef: "v2" } });
  await stack.up(next);
  emulator.push(outputs.id as string, {});
  await stack.refresh();
  const up = await stack.up(next);
  expect(up.error).toBeUndefined();
  expect(bodiesOf(up, "PATCH")).toEqual([]);
  expect(revisionCount(emulator)).toBe(3);
  expect((await stack.up(next)).steps).toEqual({});
});

test("a replacement with adopt: true does not adopt the deployment that it replaces", async () => {
  const { stack } = await testStack({ profile: "langsmith" });
  const first = await stack.up(declares({ adopt: true }));
  const place = { resourceSpec: { minScale: 1, maxScale: 3 }, listenerConfig: { k8sNamespace: "other" } };
  const up = await stack.up(declares({ adopt: true, sourceConfig: place }));
  expect(up.error).toBeUndefined();
  expect(up.outputs.id).not.toBe(first.outputs.id);
});

test("a replacement that would take over a second deployment and give it a revision is refused in the preview", async () => {
  const { emulator, stack } = await testStack();
  await stack.up(declares());
  const image = { source: "external_docker", source_revision_config: { image_uri: SECOND_IMAGE } };
  const { id } = await created(emulator, { ...image, name: "other" });
  const report = await reported(stack, declares({ name: "other", adopt: true }));
  expect(report.failure).toContain(`the replacement would take over ${id} and may give it a new revision`);
});
