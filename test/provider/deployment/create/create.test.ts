import { RefusedError } from "../../../../provider/failure";
import type { Emulator } from "../../../../sdk/emulator";
import { chat, failureOf, provided, sessionOn, URN } from "../../../support/providerRun";
import { createDeployment, deployment } from "../../../support/resourceCalls";

const POST = { method: "POST" } as const;
const revisions = (emulator: Emulator) => emulator.deployments().map((each) => each.revisions.length);

test("a creation looks the name up, sends one POST, waits for the revision and reports its status", async () => {
  const { emulator, session, service, told, sent } = await provided();
  const { id, outputs } = await createDeployment(session, chat);
  const [deployment] = emulator.deployments();
  // The answer to the POST shows that the revision already serves, so the wait sends no request.
  expect(sent()).toEqual(["GET /v2/deployments", "POST /v2/deployments"]);
  expect(deployment).toMatchObject({
    id,
    name: "chat",
    source_config: { build_on_push: true },
    source_revision_config: { repo_ref: "main" },
    secrets: [{ name: "TOKEN", value: "token-secret-value" }],
  });
  expect(outputs).toMatchObject({
    ...chat,
    status: "READY",
    latestRevisionId: deployment?.latest_revision_id,
    latestRevisionStatus: "DEPLOYED",
    rolloutState: "deployed",
    serviceUrl: emulator.url,
  });
  expect(told).toEqual([
    expect.stringContaining(
      `info ${URN} deployment "chat": revision ${deployment?.latest_revision_id} is DEPLOYED`,
    ),
  ]);
  expect(service.fleet.keepers.of(id)).toBe(URN);
});

test("a creation that does not wait sends nothing after the POST", async () => {
  const { session, sent } = await provided({ revisionSeconds: 60 });
  const { outputs } = await createDeployment(session, { ...chat, rollout: { wait: false } });
  expect(sent()).toEqual(["GET /v2/deployments", "POST /v2/deployments"]);
  expect(outputs.rolloutState).toBe("not awaited");
});

test("if the name is taken, the error gives the id of the existing deployment and says how to adopt it", async () => {
  const { emulator, session, sent } = await provided();
  const { id } = await createDeployment(session, chat);
  const laterRun = sessionOn(emulator);
  sent();
  const error = await failureOf(createDeployment(laterRun.session, chat));
  expect(error).toBeInstanceOf(RefusedError);
  expect(error.message).toContain(`a deployment named "chat" exists already on ${emulator.url} (id ${id})`);
  expect(error.message).toContain(`set adopt: "${id}"`);
  expect(new Set(sent())).toEqual(new Set(["GET /v2/deployments"]));
});

test("if a replacement would have its predecessor's name, the error says to change the name", async () => {
  const { emulator, session } = await provided();
  const { id, outputs } = await createDeployment(session, { ...chat, __urn: URN });
  const { session: next } = sessionOn(emulator);
  const moved = { ...chat, __urn: URN, source: "internal_source" };
  const renamed = { ...moved, name: "chat-2" };
  await deployment.diff(next, id, outputs, renamed, true);
  const { message } = await failureOf(createDeployment(next, moved));
  expect(message).toMatch(new RegExp(`the old deployment ${id} still has the name "chat".*Change name too$`));
});

test("the name of a deployment that is being deleted is free", async () => {
  const { emulator, session } = await provided();
  const [id = ""] = emulator.seed(1);
  emulator.change(id, { name: "chat", status: "AWAITING_FINAL_DELETE" });
  const created = await createDeployment(session, chat);
  expect(created.id).not.toBe(id);
  expect(emulator.deployments()).toHaveLength(2);
});

test.each([
  ["drop-after", { kind: "drop-after", match: POST }],
  ["a gateway's error after the request was applied", { kind: "status-after", status: 504, match: POST }],
  ["no JSON", { kind: "status-after", status: 200, body: "<p>", contentType: "text/html", match: POST }],
  ["cut JSON", { kind: "status-after", status: 200, body: '{"id": "3f', match: POST }],
  ["no id", { kind: "status-after", status: 200, body: {}, match: POST }],
  ["no body", { kind: "status-after", status: 204, match: POST }],
] as const)(
  "%s: if the answer to an applied POST is lost, the run finds the deployment",
  async (_, fault) => {
    const { emulator, session, told, sent } = await provided();
    emulator.failNext(fault);
    const { id, outputs } = await createDeployment(session, chat);
    expect(emulator.deployments().map((deployment) => deployment.id)).toEqual([id]);
    expect(outputs.rolloutState).toBe("deployed");
    expect(sent().filter((request) => request.startsWith("POST"))).toHaveLength(1);
    expect(revisions(emulator)).toEqual([1]);
    expect(told[0]).toContain("it is not certain whether the request took effect");
  },
);

test.each([
  ["drop-before", { kind: "drop-before", match: POST }],
  ["an error", { kind: "status", status: 500, match: POST }],
] as const)(
  "%s: if it is uncertain whether the POST was applied, the run looks the deployment up and never repeats the POST",
  async (_, fault) => {
    const { emulator, session, sent } = await provided();
    emulator.failNext(fault);
    const error = await failureOf(createDeployment(session, chat));
    expect(error.message).toMatch(
      /it is not known whether it was made: .* Run `pulumi up` again, which looks for it/,
    );
    const requests = sent();
    expect(requests.filter((request) => request.startsWith("POST"))).toHaveLength(1);
    expect(requests.filter((request) => request.startsWith("GET")).length).toBeGreaterThan(3);
    expect(emulator.deployments()).toEqual([]);
  },
);

test("if the answer is lost while an old deployment with the same name is being deleted, the run takes over the new deployment", async () => {
  const { emulator, session } = await provided();
  const [oldId = ""] = emulator.seed(1);
  emulator.change(oldId, { name: "chat", status: "AWAITING_FINAL_DELETE" });
  emulator.failNext({ kind: "drop-after", match: POST });
  const { id } = await createDeployment(session, chat);
  expect(emulator.deployments().map((deployment) => deployment.id)).toEqual([id, oldId]);
});

test("after the service has refused a creation, the run sends no look-up", async () => {
  const { emulator, session, sent } = await provided();
  emulator.failNext({ kind: "status", status: 422, body: { detail: "no" }, match: POST });
  expect((await failureOf(createDeployment(session, chat))).message).toContain("answered 422: no");
  expect(sent()).toEqual(["GET /v2/deployments", "POST /v2/deployments"]);
});

test("if two deployments have appeared after a lost answer, the run takes over neither of them", async () => {
  const { emulator, session, service } = await provided();
  emulator.failNext({ kind: "drop-after", match: POST });
  const post = service.endpoints.createDeployment.bind(service.endpoints);
  jest.spyOn(service.endpoints, "createDeployment").mockImplementation(async (body) => {
    const [id = ""] = emulator.seed(1);
    emulator.change(id, { name: "chat" });
    return post(body);
  });
  const error = await failureOf(createDeployment(session, chat));
  expect(error).toBeInstanceOf(RefusedError);
  for (const { id } of emulator.deployments()) expect(error.message).toContain(id);
});

test("two connections to one account create no name twice", async () => {
  const { emulator } = await provided({ apiKey: "key" });
  const there = { baseUrl: emulator.url, apiKey: "key" };
  const connections = {
    a: there,
    b: { ...there, requestTimeoutSeconds: 7 },
    c: { ...there, headers: { "X-Tenant-Id": "c" } },
  };
  const { session } = sessionOn(emulator, { connections: JSON.stringify(connections) });
  const create = (connection: string, of: number) =>
    createDeployment(session, { ...chat, __urn: `${URN}-${connection}-${of}`, connection });
  await create("a", 1);
  expect((await failureOf(create("b", 2))).message).toContain('a deployment named "chat" exists already');
  expect(emulator.deployments()).toHaveLength(1);
  // Connection `c` uses another workspace, which counts as another account.
  expect(session.service("c").fleet).not.toBe(session.service("a").fleet);
});
