import { declares, lines, sent } from "../support/engine/programs";
import { closeAll, service, stackOn } from "../support/engine/stack";

afterEach(() => closeAll());

test("destroying leaves the deployment running by default and warns with its id", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const { outputs } = await stack.up(declares());
  const destroy = await stack.destroy();
  expect(destroy.error).toBeUndefined();
  const warning = destroy.diagnostics.find(({ severity }) => severity === "warning");
  expect(warning?.message).toContain(`leaves the deployment running on ${emulator.url} (id ${outputs.id})`);
  expect(sent(destroy)).toEqual([]);
  expect(emulator.deployments()).toHaveLength(1);
});

test("onDestroy fail refuses to destroy and to replace, until another policy is applied", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  await stack.up(declares({ onDestroy: "fail" }));
  expect((await stack.destroy()).error).toContain('onDestroy is "fail"');
  const replaced = await stack.preview(declares({ onDestroy: "retain", name: "chat-2" }));
  expect(replaced.error).toMatch(
    /is replaced \(name chat -> chat-2\), but onDestroy is "fail", which forbids it/,
  );
  await stack.up(declares({ onDestroy: "retain" }));
  expect((await stack.destroy()).error).toBeUndefined();
  expect(emulator.deployments()).toHaveLength(1);
});

test("onDestroy delete is refused at preview where the service has no DELETE", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const preview = await stack.preview(declares({ onDestroy: "delete" }));
  expect(preview.error).toContain(
    'onDestroy: got "delete", but the service of profile "contract" has no DELETE; allowed: "retain", "fail"',
  );
});

test("where the service can delete, destroying deletes and waits until the deployment is gone", async () => {
  const emulator = await service({ profile: "langsmith" });
  const stack = await stackOn(emulator, { environment: { DEPLOYMENT_CONTROL_PROFILE: "langsmith" } });
  const { outputs } = await stack.up(declares());
  emulator.behaviour.revisionSeconds = 0.6;
  const destroy = await stack.destroy();
  expect(destroy.error).toBeUndefined();
  expect(lines(destroy).at(-1)).toContain(`deleted (id ${outputs.id})`);
  expect(sent(destroy)[0]).toBe("DELETE /v2/deployments/ID");
  expect(emulator.deployments()).toEqual([]);
});
