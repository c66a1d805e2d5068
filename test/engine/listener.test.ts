import type { ListenerArgs } from "../../sdk/index";
import { blemishesOf, errorsOf } from "../support/engine/errorText";
import { Listener } from "../support/engine/form";
import { bodiesOf, sent } from "../support/engine/programs";
import { closeAll, service, stackOn } from "../support/engine/stack";

afterEach(() => closeAll());

const declares =
  (args: Partial<ListenerArgs> = {}) =>
  () => {
    const listener = new Listener("cluster", { computeType: "k8s", computeId: "cluster-1", ...args });
    return { id: listener.id };
  };

test("a listener is taken over by compute type and id, and patched only where it differs", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const existing = emulator.addListener({
    compute_id: "cluster-1",
    compute_config: { k8s_namespaces: ["old"] },
    version: "7",
  });
  const same = await stack.up(declares({ computeConfig: { k8sNamespaces: ["old"] } }));
  expect(same.error).toBeUndefined();
  expect(same.outputs.id).toBe(existing.id);
  expect(new Set(sent(same))).toEqual(new Set(["GET /v2/listeners"]));
  const up = await stack.up(declares({ computeConfig: { k8sNamespaces: ["agents", "tools"] } }));
  expect(bodiesOf(up, "PATCH")).toEqual([{ compute_config: { k8s_namespaces: ["agents", "tools"] } }]);
  const again = await stack.up(declares({ computeConfig: { k8sNamespaces: ["agents", "tools"] } }));
  expect(again.steps).toEqual({});
  expect(sent(again)).toEqual([]);
});

test("the version is managed only when given", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  emulator.addListener({ compute_id: "cluster-1", compute_config: {}, version: "7" });
  const unmanaged = await stack.up(declares());
  expect(bodiesOf(unmanaged, "PATCH")).toEqual([]);
  const managed = await stack.up(declares({ version: "8" }));
  expect(bodiesOf(managed, "PATCH")).toEqual([{ version: "8" }]);
});

test("a listener that does not exist is refused with those that do", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  emulator.addListener({ compute_id: "cluster-2", compute_config: {} });
  const up = await stack.up(declares());
  expect(up.error).toContain('has no listener with computeType "k8s" and computeId "cluster-1"');
  expect(up.error).toContain("known are: k8s cluster-2");
});

test("drift shows on refresh and the next up sets it right; gone is gone", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const { id } = emulator.addListener({ compute_id: "cluster-1", compute_config: { k8s_namespaces: ["a"] } });
  await stack.up(declares({ computeConfig: { k8sNamespaces: ["a"] } }));
  await fetch(`${emulator.url}/v2/listeners/${id}`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ compute_config: { k8s_namespaces: ["b"] } }),
  });
  expect((await stack.refresh()).text).toContain("1 updated");
  const up = await stack.up(declares({ computeConfig: { k8sNamespaces: ["a"] } }));
  expect(bodiesOf(up, "PATCH")).toEqual([{ compute_config: { k8s_namespaces: ["a"] } }]);
});

test("destroying leaves the listener with a warning; another compute id is a replacement", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  emulator.addListener({ compute_id: "cluster-1", compute_config: {} });
  const second = emulator.addListener({ compute_id: "cluster-2", compute_config: {} });
  await stack.up(declares());
  const moved = await stack.up(declares({ computeId: "cluster-2" }));
  expect(moved.error).toBeUndefined();
  expect(moved.outputs.id).toBe(second.id);
  const destroy = await stack.destroy();
  expect(destroy.diagnostics.some(({ message }) => message.includes("leaves the listener as it is"))).toBe(
    true,
  );
  expect(sent(destroy)).toEqual([]);
});

test.each([
  ["delete", "the old one, id ID, is deleted, unless an option keeps it"],
  ["retain", "the old one stays, id ID"],
] as const)(
  "the plan says what becomes of the old one of a replacement where onDestroy is %s, and that is what happens",
  async (onDestroy, fate) => {
    const emulator = await service({ profile: "langsmith" });
    const stack = await stackOn(emulator, { environment: { DEPLOYMENT_CONTROL_PROFILE: "langsmith" } });
    const { id } = (await stack.up(declares({ onDestroy }))).outputs;
    const moved = declares({ onDestroy, computeId: "cluster-2" });
    expect((await stack.preview(moved)).text).toContain(fate.replace("ID", String(id)));
    const up = await stack.up(moved);
    expect(up.error).toBeUndefined();
    const deletions = sent(up).filter((request) => request.startsWith("DELETE"));
    expect(deletions).toHaveLength(onDestroy === "delete" ? 1 : 0);
  },
);

test("where the service can create listeners, a missing one is created", async () => {
  const emulator = await service({ profile: "langsmith" });
  const stack = await stackOn(emulator, { environment: { DEPLOYMENT_CONTROL_PROFILE: "langsmith" } });
  const up = await stack.up(declares({ computeConfig: { k8sNamespaces: ["a"] } }));
  expect(up.error).toBeUndefined();
  expect(bodiesOf(up, "POST")).toEqual([
    { compute_type: "k8s", compute_id: "cluster-1", compute_config: { k8s_namespaces: ["a"] } },
  ]);
});

test.each([
  [403, /does not allow this API key to create the listener with computeId "cluster-1": .* Change the plan/s],
  [
    409,
    /has a listener with computeId "cluster-1" already, .* shows this API key none\. Give another computeId/s,
  ],
])(
  "a creation that the service refuses (%i) says what that means, and the next up tries again",
  async (status, words) => {
    const emulator = await service({ profile: "langsmith" });
    const stack = await stackOn(emulator, { environment: { DEPLOYMENT_CONTROL_PROFILE: "langsmith" } });
    emulator.failNext({ kind: "status", status, match: { method: "POST" } });
    const refused = await stack.up(declares());
    expect(errorsOf(refused).join("\n")).toMatch(words);
    expect(blemishesOf(refused)).toEqual([]);
    expect(sent(refused).filter((request) => request.startsWith("POST"))).toHaveLength(1);
    expect((await stack.up(declares())).error).toBeUndefined();
  },
);
