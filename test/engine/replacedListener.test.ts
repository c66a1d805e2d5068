import { Deployment, Listener } from "../../sdk/index";
import { reported } from "../support/engine/planReport";
import { chat, lines, sent } from "../support/engine/programs";
import { testStack } from "../support/engine/stack";

type OnDestroy = "retain" | "delete";

/** A program with a listener, and a deployment on that listener. */
function on(computeId: string, onDestroy: OnDestroy, name = "chat") {
  return () => {
    const listener = new Listener("cluster", { computeType: "k8s", computeId });
    const sourceConfig = { listenerId: listener.id, listenerConfig: { k8sNamespace: "a" } };
    new Deployment("chat", chat({ name, onDestroy, sourceConfig }));
  };
}

async function running(onDestroy: OnDestroy) {
  const { emulator, stack } = await testStack({ profile: "langsmith" });
  expect((await stack.up(on("one", onDestroy))).error).toBeUndefined();
  const { id } = await stack.recorded("chat");
  return { emulator, stack, id };
}

test("the preview refuses to replace a listener if a deployment on the listener keeps its name and stays on the service", async () => {
  const { stack, id } = await running("retain");
  const preview = await stack.preview(on("two", "retain"));
  expect(preview.error).toContain('but keeps the name "chat": the new deployment is created first');
  expect(preview.error).toContain("Change name too");
  const renamed = await stack.up(on("two", "retain", "chat-2"));
  expect(renamed.error).toBeUndefined();
  expect((await stack.recorded("chat")).id).not.toBe(id);
});

test("the preview warns of downtime if the replacement of a listener first deletes the deployment on that listener", async () => {
  const { emulator, stack, id } = await running("delete");
  const preview = await stack.preview(on("two", "delete"));
  expect(preview.error).toBeUndefined();
  const words = `is down meanwhile: it keeps its name, so the old deployment ${id} is deleted before the new one is created`;
  expect(lines(preview)).toContainEqual(expect.stringContaining(words));
  const up = await stack.up(on("two", "delete"));
  expect(up.error).toBeUndefined();
  const writes = sent(up).filter((request) => /^(DELETE|POST) .v2.deployments/.test(request));
  expect(writes).toEqual(["DELETE /v2/deployments/ID", "POST /v2/deployments"]);
  expect(emulator.deployments().map(({ name }) => name)).toEqual(["chat"]);
});

test("plan, report and apply name the changes in a listener that is taken over, even if the service fails during the plan", async () => {
  const { emulator, stack } = await testStack();
  const { id } = emulator.addListener({ compute_id: "one", compute_config: { k8s_namespaces: ["a"] } });
  const takes = (k8sNamespaces: string[]) => () => {
    new Listener("cluster", { computeType: "k8s", computeId: "one", computeConfig: { k8sNamespaces } });
  };
  const line = `takes over the existing listener ${id}; updates in place (computeConfig.k8sNamespaces ["a"] -> ["b"])`;
  const {
    listeners: [changing],
  } = await reported(stack, takes(["b"]));
  expect(changing).toMatchObject({ id, verdict: "in-place", warnings: [line] });
  const {
    listeners: [same],
  } = await reported(stack, takes(["a"]));
  const unchanged = `takes over the existing listener ${id}; nothing in it changes`;
  expect(same).toMatchObject({ id, verdict: "unchanged", warnings: [unchanged] });
  emulator.failNext({ kind: "status", status: 403, match: { method: "GET", pathPattern: /listeners/ } });
  const blind = await stack.preview(takes(["b"]));
  expect(blind.error).toBeUndefined();
  expect(blind.text).toContain("it is not known whether the service already has this listener");
  const up = await stack.up(takes(["b"]));
  expect(up.error).toBeUndefined();
  expect(up.diagnostics.filter(({ message }) => message === line)).toHaveLength(1);
  expect(sent(up).filter((request) => !request.startsWith("GET"))).toEqual(["PATCH /v2/listeners/ID"]);
});
