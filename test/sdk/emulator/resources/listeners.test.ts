import { randomUUID } from "node:crypto";
import { ask, complaints, started } from "../../../support/embeddedService";

test("listeners are listed newest first, and their changeable fields can be patched", async () => {
  const emulator = await started();
  const one = emulator.addListener({
    compute_id: "one",
    compute_config: { k8s_namespaces: ["a"] },
    version: "1",
  });
  emulator.addListener({ compute_id: "two" });
  const { body } = await ask(emulator, "GET", "/v2/listeners");
  expect(body.resources.map((listener: { compute_id: string }) => listener.compute_id)).toEqual([
    "two",
    "one",
  ]);
  expect(body.offset).toBe(2);
  const patch = { version: "2", compute_config: { k8s_namespaces: ["b", "c"] } };
  const patched = await ask(emulator, "PATCH", `/v2/listeners/${one.id}`, patch);
  expect(patched).toMatchObject({ status: 200, body: { ...patch, compute_id: "one", compute_type: "k8s" } });
  const cleared = await ask(emulator, "PATCH", `/v2/listeners/${one.id}`, {
    compute_config: { k8s_namespaces: null },
  });
  expect(cleared.body.compute_config).toEqual({ k8s_namespaces: null });
  expect(cleared.body.version).toBe("2");
});

test("the fields that identify a listener cannot be changed, and no call creates a listener", async () => {
  const emulator = await started();
  const { id } = emulator.addListener({ compute_id: "one" });
  const refused = complaints(
    await ask(emulator, "PATCH", `/v2/listeners/${id}`, {
      compute_id: "x",
      compute_type: "k8s",
      id,
      extra: 1,
      version: 1,
    }),
  );
  expect(refused["body.compute_id"]).toContain("cannot be changed");
  expect(refused["body.compute_type"]).toContain("cannot be changed");
  expect(refused["body.id"]).toContain("read-only");
  expect(refused["body.extra"]).toContain("no such field");
  expect(refused["body.version"]).toContain("string");
  expect((await ask(emulator, "PATCH", `/v2/listeners/${randomUUID()}`, {})).status).toBe(404);
  expect((await ask(emulator, "POST", "/v2/listeners", { compute_id: "x" })).status).toBe(405);
});
