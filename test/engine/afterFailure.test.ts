import { bodiesOf, declares, lines, revisionCount, SECOND_IMAGE } from "../support/engine/programs";
import { closeAll, service, stackOn } from "../support/engine/stack";

afterEach(() => closeAll());

const second = { sourceRevisionConfig: { imageUri: SECOND_IMAGE } };

test("a refresh does not write the secret of a restored update in plaintext", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const restoring = { rollout: { onFailure: "restore" } } as const;
  await stack.up(declares({ ...restoring, secrets: undefined }));
  emulator.failNext({ kind: "revision", status: "DEPLOY_FAILED" });
  await stack.up(declares({ ...restoring, ...second, secrets: { NEW: "brand-new-secret-value" } }));
  await stack.refresh();
  await stack.refresh();
  expect(stack.filesOfState()).not.toContain("brand-new-secret-value");
});

test("drift that an update of another field came across is still found by the next refresh", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const { outputs } = await stack.up(declares());
  emulator.change(outputs.id as string, { source_config: { resource_spec: { min_scale: 2, max_scale: 9 } } });
  await stack.up(declares(second));
  await stack.refresh();
  expect(lines(await stack.preview(declares(second)))).toEqual([
    'deployment "chat": updates in place, no new revision (sourceConfig.resourceSpec.minScale 2 -> 1; sourceConfig.resourceSpec.maxScale 9 -> 3)',
  ]);
});

test("the next up does not repeat a failed revision that a push has healed", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
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

test("a replacement does not adopt its own predecessor, although the program adopts by name", async () => {
  const emulator = await service({ profile: "langsmith" });
  const stack = await stackOn(emulator, { environment: { DEPLOYMENT_CONTROL_PROFILE: "langsmith" } });
  const first = await stack.up(declares({ adopt: true }));
  const place = { resourceSpec: { minScale: 1, maxScale: 3 }, listenerConfig: { k8sNamespace: "other" } };
  const up = await stack.up(declares({ adopt: true, sourceConfig: place }));
  expect(up.error).toBeUndefined();
  expect(up.outputs.id).not.toBe(first.outputs.id);
});
