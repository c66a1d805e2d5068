import type { Emulator } from "../../sdk/emulator/index";
import { Deployment, Listener } from "../../sdk/index";
import { chat, declares, sent } from "../support/engine/programs";
import { closeAll, service, stackOn } from "../support/engine/stack";

afterEach(() => closeAll());

const LANGSMITH = { environment: { DEPLOYMENT_CONTROL_PROFILE: "langsmith" } };
const ONE = /\/v2\/(deployments|listeners)\/[^/]+$/;

/** What the profile promises and a service of the plain contract does not have. */
function withoutOperations(emulator: Emulator, status: number): void {
  for (const method of ["DELETE", "GET"])
    emulator.failNext({ kind: "status", status, times: 1_000, match: { method, pathPattern: ONE } });
}

const langsmith = () => service({ profile: "langsmith" });

/** Ways in which a service answers an operation that it does not have, and keeps to filters or not. */
const ANSWERS = [
  [404, true],
  [405, false],
] as const;

test.each(ANSWERS)(
  "a deployment that a service without DELETE (%i, filters ignored: %s) keeps stays in the state, until the profile is set right",
  async (status, ignoreFilters) => {
    const emulator = await langsmith();
    const stack = await stackOn(emulator, LANGSMITH);
    await stack.up(() => {
      new Deployment("chat", chat());
      new Deployment("kept", chat({ name: "kept", onDestroy: "retain" }));
    });
    Object.assign(emulator.behaviour, { ignoreFilters });
    withoutOperations(emulator, status);
    const destroy = await stack.destroy();
    const { id } = await stack.recorded("chat");
    expect(destroy.error).toContain(`the service still has ${id}, so it stays in the state`);
    expect(destroy.error).toContain(`answered ${status}`);
    expect(destroy.error).toContain("deployment-control:profile (or DEPLOYMENT_CONTROL_PROFILE)");
    stack.stack.workspace.envVars.DEPLOYMENT_CONTROL_PROFILE = "contract";
    const right = await stack.destroy();
    expect(right.error).toBeUndefined();
    expect(right.text).toContain(`leaves the deployment running on ${emulator.url} (id ${id})`);
    expect(emulator.deployments()).toHaveLength(2);
  },
);

test.each(ANSWERS)(
  "a refresh at a service without a GET by id (%i, filters ignored: %s) forgets nothing that the listing has",
  async (status, ignoreFilters) => {
    const emulator = await langsmith();
    const stack = await stackOn(emulator, LANGSMITH);
    await stack.up(declares());
    withoutOperations(emulator, status);
    Object.assign(emulator.behaviour, { ignoreFilters });
    const refresh = await stack.refresh();
    expect(refresh.error).toBeUndefined();
    expect(await stack.recorded("chat")).toMatchObject({ id: emulator.deployments()[0]?.id });
  },
);

test("a listener that a service without DELETE keeps stays in the state", async () => {
  const emulator = await langsmith();
  const stack = await stackOn(emulator, LANGSMITH);
  const cluster = { computeType: "k8s", computeId: "one", onDestroy: "delete" } as const;
  await stack.up(() => void new Listener("cluster", cluster));
  const { id } = await stack.recorded("cluster");
  withoutOperations(emulator, 404);
  expect((await stack.destroy()).error).toContain(`the service still has ${id}, so it stays in the state`);
  expect((await stack.recorded("cluster")).id).toBe(id);
});

test("many that are gone already are seen gone without a listing for each", async () => {
  const emulator = await langsmith();
  const stack = await stackOn(emulator, LANGSMITH);
  const names = Array.from({ length: 16 }, (_, index) => `chat-${index}`);
  await stack.up(() => {
    for (const name of names) new Deployment(name, chat({ name, rollout: { wait: false } }));
  });
  for (const { id } of emulator.deployments()) emulator.remove(id);
  const destroy = await stack.destroy();
  expect(destroy.error).toBeUndefined();
  const listings = sent(destroy).filter((request) => request === "GET /v2/deployments");
  expect(listings.length).toBeGreaterThan(0);
  expect(listings.length).toBeLessThanOrEqual(8);
  expect(await stack.recorded("chat-0")).toBeUndefined();
});
