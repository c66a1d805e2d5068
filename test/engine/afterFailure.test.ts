import { Deployment, isPlugin } from "../support/engine/form";
import { bodiesOf, chat, declares, revisionCount, SECOND_IMAGE, sent } from "../support/engine/programs";
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

test("in the plugin, on engines since 3.261, the generation also counts a revision that is made again", async () => {
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

test("if `pulumi up` refuses a creation and names a deployment to adopt, it does not delete that deployment, even after a failed replacement", async () => {
  const { emulator, stack } = await testStack({ profile: "langsmith" });
  const named =
    (name: string, args = {}) =>
    () => {
      const main = new Deployment("main", chat({ name, ...args }));
      const image = { sourceRevisionConfig: { imageUri: `registry.example/${name}:1` } };
      new Deployment("after", chat({ name: "after", ...image }), { dependsOn: [main] });
      return { id: main.id };
    };
  const { id } = (await stack.up(named("first"))).outputs;
  emulator.failNext({ kind: "status", status: 422, match: { pathPattern: /revisions$/ } });
  expect((await stack.up(named("second"))).steps).toMatchObject({ main: "create-replacement replace" });
  const { error } = await stack.up(named("first"), { continueOnError: true });
  const [, adopt] = /set adopt: "([^"]+)"/.exec(error ?? "") ?? [];
  expect(adopt).toBe(id);
  const up = await stack.up(named("first", { adopt }));
  expect([up.error, up.outputs.id]).toEqual([undefined, id]);
  const [main, ...others] = emulator.deployments().filter(({ name }) => name !== "after");
  expect([main?.id, others]).toEqual([id, []]);
  expect(sent(await stack.up(named("first", { adopt })))).toEqual([]);
});

test("a replacement with adopt: true does not adopt the deployment that it replaces", async () => {
  const { stack } = await testStack({ profile: "langsmith" });
  const first = await stack.up(declares({ adopt: true }));
  const place = { resourceSpec: { minScale: 1, maxScale: 3 }, listenerConfig: { k8sNamespace: "other" } };
  const up = await stack.up(declares({ adopt: true, sourceConfig: place }));
  expect(up.error).toBeUndefined();
  expect(up.outputs.id).not.toBe(first.outputs.id);
});
