import { RefusedError } from "../../provider/failure";
import { serving } from "../support/httpServer";
import { failureOf, provided, sessionOn } from "../support/providerRun";
import { listener } from "../support/resourceCalls";

const langsmith = { profile: "langsmith" } as const;
const cluster = {
  __urn: "urn:pulumi:dev::app::pulumi-nodejs:dynamic/deployment-control:Listener::cluster",
  computeType: "k8s",
  computeId: "cluster-1",
  computeConfig: { k8sNamespaces: ["agents"] },
};
const POST = { method: "POST", pathPattern: /^\/v2\/listeners$/ };

test("if the workspace's subscription does not include listeners, the error says so", async () => {
  const { emulator, session, sent } = await provided(langsmith);
  const body = { detail: "Listeners are not part of your plan" };
  emulator.failNext({ kind: "status", status: 403, body, match: POST });
  const error = await failureOf(listener.create(session, cluster));
  expect(error).toBeInstanceOf(RefusedError);
  expect(error.message).toBe(
    `listener "cluster": ${emulator.url} does not allow this API key to create the listener with computeId "cluster-1". ` +
      "Use a key that may, of a workspace whose plan includes listeners. " +
      `create listener: POST ${emulator.url}/v2/listeners answered 403: Listeners are not part of your plan.`,
  );
  expect(sent()).toEqual(["GET /v2/listeners", "POST /v2/listeners"]);
});

test("if another run has just created a listener with the compute id, the creation takes that listener over", async () => {
  const { emulator, session, sent, told } = await provided(langsmith);
  // The service makes the listener, but answers as if another run had made it.
  emulator.failNext({ kind: "status-after", status: 409, match: POST });
  const args = { ...cluster, version: "8" };
  const { id, outputs } = await listener.create(session, args);
  expect(told.at(-1)).toContain(`takes over the existing listener ${id}`);
  expect(sent()).toEqual(["GET /v2/listeners", "POST /v2/listeners", "GET /v2/listeners"]);
  expect(outputs).toMatchObject(args);
  const stored = (await (await fetch(`${emulator.url}/v2/listeners`)).json()) as { resources: unknown };
  expect(stored.resources).toMatchObject([{ id, compute_id: "cluster-1", version: "8" }]);
});

test("if the compute id belongs to a listener that the key cannot see, the refusal says what to do", async () => {
  const { emulator, session } = await provided(langsmith);
  emulator.failNext({ kind: "status", status: 409, match: POST });
  const error = await failureOf(listener.create(session, cluster));
  expect(error).toBeInstanceOf(RefusedError);
  expect(error.message).toContain(
    `${emulator.url} has a listener with computeId "cluster-1" already, which must be unique in a workspace` +
      ", but this API key cannot see it. Set another computeId, or the key of the workspace that owns the listener. create listener: POST",
  );
});

test("if a listener of another type has the compute id, the refusal names the id of that listener", async () => {
  const { emulator, session } = await provided(langsmith);
  const { id } = emulator.addListener({ compute_id: "cluster-1", compute_type: "vm" });
  const error = await failureOf(listener.create(session, cluster));
  expect(error).toBeInstanceOf(RefusedError);
  expect(error.message).toContain(
    `the one with the id ${id}, whose computeType is "vm" and not "k8s". Set another computeId`,
  );
});

test("while one listener is unreadable, each refresh fails and names that listener, and no listener counts as gone", async () => {
  const { emulator } = await provided();
  const resources = [
    { id: "one", compute_type: "k8s", compute_id: "cluster-1" },
    { id: "two", compute_type: "k8s", compute_id: 7 },
  ];
  const { url } = await serving(({ url }, response) =>
    response.end(JSON.stringify({ resources: url.includes("offset=0") ? resources : [], offset: 2 })),
  );
  const { session } = sessionOn(emulator, { baseUrl: url });
  const reads = ["one", "two", "three"].map((id) => listener.read(session, id, cluster));
  const failedReads = await Promise.allSettled(reads);
  const reason = { message: expect.stringContaining("(id two) whose compute_id is not a string") };
  expect(failedReads).toMatchObject([{ reason }, { reason }, { reason }]);
  resources.pop();
  expect(await listener.read(session, "three", cluster)).toEqual({ id: undefined });
});

const DELETE = { method: "DELETE" };

test.each([404, 405, 422])(
  "a deletion that the service answers with %i succeeds if the listener is gone, and fails if the listener still exists",
  async (status) => {
    const { emulator, session } = await provided(langsmith);
    const { id, outputs } = await listener.create(session, cluster);
    const later = () => sessionOn(emulator, langsmith).session;
    const state = { ...outputs, onDestroy: "delete" };
    emulator.failNext({ kind: "status", status, match: DELETE });
    const error = await failureOf(listener.delete(later(), id, state));
    expect(error.message).toContain(`the service still has ${id}, so it stays in the state`);
    emulator.failNext({ kind: "status-after", status, match: DELETE });
    await listener.delete(later(), id, state);
  },
);

test.each([
  ["takes over the existing listener", "langsmith", true],
  ["is created by this update: the service has no such listener", "langsmith", false],
  [
    "is created by its operator, which must register it before this update: the service has no such listener",
    "contract",
    false,
  ],
] as const)("the preview of a new listener says that it %s (%s)", async (words, profile, isThere) => {
  const { emulator, session, told, sent } = await provided({ profile });
  if (isThere) emulator.addListener({ compute_id: "cluster-1" });
  await listener.check(session, undefined, cluster);
  expect(told).toEqual([expect.stringContaining(words)]);
  expect(sent()).toEqual(["GET /v2/listeners"]);
});
