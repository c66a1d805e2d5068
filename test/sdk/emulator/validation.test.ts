import { randomUUID } from "node:crypto";
import { agent, ask, complaints, created, started } from "../../support/embeddedService";

const posted = async (body: unknown) => ask(await started(), "POST", "/v2/deployments", body);

const image = { name: "image", source: "external_docker" };
const withSpec = (spec: object) => ({ ...image, source_config: { resource_spec: spec } });
const spec = "body.source_config.resource_spec";

test.each([
  ["an empty name", { ...image, name: "" }, "body.name", "not empty"],
  ["a missing source", { name: "a" }, "body.source", 'this field is required; allowed: "repohost"'],
  ["an unknown field", { ...image, sourceConfig: {} }, "body.sourceConfig", "no such field"],
  ["an id", { ...image, id: randomUUID() }, "body.id", "read-only"],
  ["a revision source", { ...image, revision_source: "repohost" }, "body.revision_source", "no such field"],
  ["a section that is null", { ...image, source_config: null }, "body.source_config", "object"],
  ["a negative number", withSpec({ cpu: -1 }), `${spec}.cpu`, "at least 0"],
  ["a label that is null", withSpec({ labels: { a: null } }), `${spec}.labels.a`, "string"],
  ["a null within a list", withSpec({ volumes: [{ name: null }] }), `${spec}.volumes.0.name`, "string"],
  [
    "a commit",
    { ...agent, source_revision_config: { repo_commit_sha: "f" } },
    "body.source_revision_config.repo_commit_sha",
    "read-only",
  ],
  [
    "a secret of the same name",
    {
      ...image,
      secrets: [
        { name: "A", value: "1" },
        { name: "A", value: "2" },
      ],
    },
    "body.secrets.1.name",
    "twice",
  ],
  [
    "references where they do not belong",
    { ...agent, secret_references: [] },
    "body.secret_references",
    "external_docker",
  ],
])("a creation with %s is refused, and the error names the place", async (_, body, path, message) => {
  expect(complaints(await posted(body))[path]).toContain(message);
});

test("a refusal names every fault of the body, and nothing is stored", async () => {
  const emulator = await started();
  const body = { source: "x", extra: 1, source_config: { cpu: 1, build_on_push: 1 } };
  const answer = await ask(emulator, "POST", "/v2/deployments", body);
  expect(Object.keys(complaints(answer)).sort()).toEqual([
    "body.extra",
    "body.name",
    "body.source",
    "body.source_config.build_on_push",
    "body.source_config.cpu",
  ]);
  expect(emulator.deployments()).toEqual([]);
});

test("the service accepts every field of the contract, and accepts null for a field without a value", async () => {
  const emulator = await started();
  const nulls = { integration_id: null, resource_spec: null, listener_config: { k8s_namespace: null } };
  await created(emulator, { ...agent, source_config: nulls, source_revision_config: { image_uri: null } });
  const sidecar = {
    name: "a",
    command: ["x"],
    env: [{ name: "A", valueFrom: { secretKeyRef: { name: "s" } } }],
    resources: { limits: { cpu: 1, memory: "1Gi" } },
    volumeMounts: [{ name: "v", mountPath: "/v", readOnly: true }],
    securityContext: { runAsUser: 1 },
  };
  const body = withSpec({ sidecars: [sidecar], volumes: [{ name: "v", emptyDir: {} }], db_storage_gi: 1.5 });
  const { source_config: config } = await created(emulator, {
    ...body,
    secret_references: [{ name: "A", secret_name: "s", secret_key: "k" }],
  });
  expect(config.resource_spec.sidecars).toEqual([sidecar]);
});

test.each([
  ["the name", { name: "b" }, "body.name", "cannot be changed"],
  ["the source", { source: "repohost" }, "body.source", "cannot be changed"],
  ["the id", { id: randomUUID() }, "body.id", "read-only"],
  [
    "a revision source without a build",
    { revision_source: "external_docker" },
    "body.revision_source",
    'got "external_docker" (a string); allowed: "repohost"',
  ],
  [
    "references where they do not belong",
    { secret_references: [] },
    "body.secret_references",
    "external_docker",
  ],
])("a PATCH of %s is refused, and the error names the place", async (_, patch, path, message) => {
  const emulator = await started();
  const { id } = await created(emulator);
  expect(complaints(await ask(emulator, "PATCH", `/v2/deployments/${id}`, patch))[path]).toContain(message);
});

test.each([
  ["limit=0", "query.limit"],
  ["limit=101", "query.limit"],
  ["limit=1.5", "query.limit"],
  ["limit=", "query.limit"],
  ["offset=-1", "query.offset"],
  ["status=ready", "query.status"],
  ["remote_reconciled=1", "query.remote_reconciled"],
  ["deployment_type=big", "query.deployment_type"],
  ["deployment_ids=x", "query.deployment_ids.0"],
  ["name_contains=a", "query.name_contains"],
  ["name=a&name=b", "query.name"],
])("the query %s is refused", async (query, path) => {
  expect(complaints(await ask(await started(), "GET", `/v2/deployments?${query}`))).toHaveProperty([path]);
});

test("the paths and methods are those of the contract", async () => {
  const emulator = await started();
  const { id } = await created(emulator);
  const status = async (method: string, path: string) => (await ask(emulator, method, path)).status;
  expect(await status("GET", "/v2/nothing")).toBe(404);
  expect(await status("GET", `/v2/deployments/${id}/revisions/${randomUUID()}`)).toBe(404);
  expect(await status("GET", `/v2/deployments/${randomUUID()}/revisions`)).toBe(404);
  expect(await status("GET", "/v2/deployments/not-an-id/revisions")).toBe(422);
  expect(await status("GET", `/v1/integrations/github/${id}/repos`)).toBe(404);
  const answer = await ask(emulator, "DELETE", `/v2/deployments/${id}`);
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "PATCH"]);
  expect((await ask(emulator, "DELETE", "/v2/deployments")).headers.get("allow")).toBe("POST, GET");
});

test.each([
  [{ ...image, secrets: [{ name: "A", value: ["hunter2"] }] }, "body.secrets.0.value", "got a list (secret"],
  [{ ...image, secrets: "hunter2" }, "body.secrets", "got a string (secret"],
  [["hunter2"], "body", "got a list (secret"],
])("a refusal of %j shows no secret", async (body, path, words) => {
  const answer = await posted(body);
  expect(complaints(answer)[path]).toContain(words);
  expect(JSON.stringify(answer.body)).not.toContain("hunter2");
});

test("a body must be JSON and have JSON's content type", async () => {
  const emulator = await started();
  const send = (body: string, type: string) =>
    ask(emulator, "POST", "/v2/deployments", body, { "Content-Type": type });
  expect((await send("{}", "text/plain")).status).toBe(415);
  expect((await send("{", "application/json")).body.detail[0].type).toBe("json_invalid");
  expect((await send("[]", "application/json")).status).toBe(422);
  expect((await send(JSON.stringify(agent), "application/json; charset=utf-8")).status).toBe(201);
  expect((await ask(emulator, "POST", "/v2/deployments")).status).toBe(422);
});
