import { Deployment, Listener } from "../../sdk/index";
import { chat, lines, sent } from "../support/engine/programs";
import { closeAll, service, stackOn } from "../support/engine/stack";

afterEach(() => closeAll());

type OnDestroy = "retain" | "delete";

/** A deployment on a listener of that compute id. */
function on(computeId: string, onDestroy: OnDestroy, name = "chat") {
  return () => {
    const listener = new Listener("cluster", { computeType: "k8s", computeId });
    const sourceConfig = { listenerId: listener.id, listenerConfig: { k8sNamespace: "a" } };
    new Deployment("chat", chat({ name, onDestroy, sourceConfig }));
  };
}

const langsmith = { environment: { DEPLOYMENT_CONTROL_PROFILE: "langsmith" } };

async function running(onDestroy: OnDestroy) {
  const emulator = await service({ profile: "langsmith", revisionSeconds: 0 });
  const stack = await stackOn(emulator, langsmith);
  expect((await stack.up(on("one", onDestroy))).error).toBeUndefined();
  const { id } = await stack.recorded("chat");
  return { emulator, stack, id };
}

test("under a replaced listener, a deployment that stays and keeps its name is refused at preview", async () => {
  const { stack, id } = await running("retain");
  const preview = await stack.preview(on("two", "retain"));
  expect(preview.error).toContain('but keeps the name "chat": the new deployment is created first');
  expect(preview.error).toContain("Change name too");
  const renamed = await stack.up(on("two", "retain", "chat-2"));
  expect(renamed.error).toBeUndefined();
  expect((await stack.recorded("chat")).id).not.toBe(id);
});

test("under a replaced listener, the preview warns of the time without the deployment that is deleted first", async () => {
  const { emulator, stack, id } = await running("delete");
  const preview = await stack.preview(on("two", "delete"));
  expect(preview.error).toBeUndefined();
  const words = `keeps its name, so the old deployment ${id} is deleted before the new one is created: it is down meanwhile`;
  expect(lines(preview)).toContainEqual(expect.stringContaining(words));
  const up = await stack.up(on("two", "delete"));
  expect(up.error).toBeUndefined();
  const writes = sent(up).filter((request) => /^(DELETE|POST) .v2.deployments/.test(request));
  expect(writes).toEqual(["DELETE /v2/deployments/ID", "POST /v2/deployments"]);
  expect(emulator.deployments().map(({ name }) => name)).toEqual(["chat"]);
});
