import { type EmulatorOptions, startEmulator } from "../../../sdk/emulator/index";
import { ask, complaints, created, revisionsOf, started, stoppedClock } from "../../support/embeddedService";

const langsmith = (options: EmulatorOptions = {}) => started({ profile: "langsmith", ...options });

const agent = {
  name: "agent",
  source: "github",
  source_config: { repo_url: "https://github.com/acme/agent", deployment_type: "dev" },
  source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
  secrets: [{ name: "A", value: "one" }],
};
const image = {
  name: "image",
  source: "external_docker",
  source_config: { resource_spec: { cpu: 2, labels: { a: "1" } } },
  source_revision_config: { image_uri: "registry.example.test/a:1" },
  secrets: [],
};

test("null does not clear a field, and an empty list of secrets changes nothing", async () => {
  const emulator = await langsmith();
  const { id } = await created(emulator, agent);
  const patch = {
    source_config: { repo_url: null },
    source_revision_config: { repo_ref: null },
    secrets: [],
  };
  const { status, body } = await ask(emulator, "PATCH", `/v2/deployments/${id}`, patch);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    source_config: { repo_url: agent.source_config.repo_url },
    source_revision_config: { repo_ref: "main" },
    secrets: [{ name: "A" }],
  });
  expect(await revisionsOf(emulator, id)).toHaveLength(1);
});

test("a resource spec in a PATCH makes a revision and replaces the stored spec", async () => {
  const emulator = await langsmith();
  const { id } = await created(emulator, image);
  const patch = { source_config: { resource_spec: { cpu: 1, memory_mb: null } } };
  const { body } = await ask(emulator, "PATCH", `/v2/deployments/${id}`, patch);
  const { labels, cpu } = body.source_config.resource_spec;
  expect([labels, cpu]).toEqual([undefined, 1]);
  expect(await revisionsOf(emulator, id)).toHaveLength(2);
});

test("the call that makes revisions makes a revision even if no value changes, and keeps settings that the body omits", async () => {
  const emulator = await langsmith();
  const { id } = await created(emulator, image);
  const revise = (body: object) => ask(emulator, "POST", `/v2/deployments/${id}/revisions`, body);
  const settings = { source_revision_config: { image_uri: "registry.example.test/a:1" } };
  const { status, body } = await revise(settings);
  expect([status, body]).toMatchObject([201, { id: expect.any(String), status: "DEPLOYED", ...settings }]);
  const secrets = [{ name: "A", value: "one" }];
  await revise({ ...settings, secrets, source_config: { resource_spec: { cpu: 1 } } });
  await revise({ ...settings, source_config: { build_command: "npm run build" } });
  const [stored] = emulator.deployments();
  expect(stored?.source_config).toMatchObject({
    resource_spec: expect.objectContaining({ cpu: 1 }),
    build_command: "npm run build",
  });
  expect([stored?.secrets, stored?.revisions.length]).toEqual([secrets, 4]);
});

test("a change to an immutable field is refused with 400", async () => {
  const emulator = await langsmith();
  const { id } = await created(emulator, agent);
  const patched = async (config: object) =>
    (await ask(emulator, "PATCH", `/v2/deployments/${id}`, { source_config: config })).status;
  expect(await patched({ deployment_type: "dev", repo_url: agent.source_config.repo_url })).toBe(200);
  expect(await patched({ deployment_type: "prod" })).toBe(400);
  const { id: other } = await created(emulator, image);
  const moved = { source_config: { listener_config: { k8s_namespace: "x" } } };
  expect((await ask(emulator, "PATCH", `/v2/deployments/${other}`, moved)).status).toBe(400);
});

test("the deletion of a deployment takes a while, and the deployment exists until the deletion ends", async () => {
  const clock = stoppedClock();
  const emulator = await langsmith();
  const { id } = await created(emulator, agent);
  emulator.behaviour.revisionSeconds = 1.5;
  expect((await ask(emulator, "DELETE", `/v2/deployments/${id}?delete_tracing_project=false`)).status).toBe(
    204,
  );
  expect((await ask(emulator, "GET", `/v2/deployments/${id}`)).body.status).toBe("AWAITING_DELETE");
  expect((await ask(emulator, "PATCH", `/v2/deployments/${id}`, {})).status).toBe(400);
  clock.pass(1_550);
  expect((await ask(emulator, "GET", `/v2/deployments/${id}`)).status).toBe(404);
  expect((await ask(emulator, "DELETE", `/v2/deployments/${id}`)).status).toBe(404);
  expect(emulator.deployments()).toEqual([]);
});

test("a caller sees their own tokens and tokens without an owner, can filter by provider, and never sees an owner's key", async () => {
  const emulator = await langsmith();
  emulator.addToken({ id: "mine", owner: "key-1", provider_id: "github" });
  emulator.addToken({ id: "other", owner: "key-2" });
  emulator.addToken({ id: "anybody", provider_id: "slack" });
  const list = async (query = "") =>
    (await ask(emulator, "GET", `/v2/auth/tokens${query}`, undefined, { "x-api-key": "key-1" })).body;
  expect((await list()).map(({ id }: { id: string }) => id)).toEqual(["mine", "anybody"]);
  expect(await list("?provider_id=slack")).toMatchObject([{ id: "anybody", provider_id: "slack" }]);
  expect(JSON.stringify(await list())).not.toContain("key-1");
});

test("the option previews adds preview deployments when the service starts, and is refused if the profile has no previews", async () => {
  const emulator = await langsmith({ previews: 2 });
  expect(emulator.deployments().map(({ name, is_preview }) => [name, is_preview])).toEqual([
    ["preview-0002", true],
    ["preview-0001", true],
  ]);
  await expect(startEmulator({ previews: 1 })).rejects.toThrow(
    "option previews: the service of profile contract has none",
  );
});

test("a name stays taken until the deletion of its deployment ends", async () => {
  const clock = stoppedClock();
  const emulator = await langsmith({ revisionSeconds: 5 });
  const { id } = await created(emulator, agent);
  await ask(emulator, "DELETE", `/v2/deployments/${id}`);
  const answer = await ask(emulator, "POST", "/v2/deployments", agent);
  expect([answer.status, answer.body.detail]).toEqual([
    409,
    "Deployment name agent is taken until its deletion has ended.",
  ]);
  clock.pass(5_000);
  expect((await ask(emulator, "POST", "/v2/deployments", agent)).status).toBe(201);
});

test("a list can filter by an exact name in addition to a part of the name", async () => {
  const emulator = await langsmith();
  emulator.seed(12);
  const names = async (query: string) =>
    (await ask(emulator, "GET", `/v2/deployments?${query}`)).body.resources.map(
      ({ name }: { name: string }) => name,
    );
  expect(await names("name_contains=seed-000")).toHaveLength(9);
  expect(await names("name_contains=seed-000&name=seed-0001")).toEqual(["seed-0001"]);
});

test("each integration is named after the owner of its repositories, and a creation with an agent is refused", async () => {
  const emulator = await langsmith();
  const id = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";
  emulator.addRepositories(id, [{ owner: "acme", name: "agent" }]);
  const { body } = await ask(emulator, "GET", "/v1/integrations/github/install");
  expect(body).toEqual([{ id, installation_id: 1, name: "acme" }]);
  const bound = { ...agent, agent: { agent_id: "a", environment: "staging" } };
  const answer = await ask(emulator, "POST", "/v2/deployments", bound);
  expect(Object.keys(complaints(answer))).toEqual(["body.agent"]);
});
