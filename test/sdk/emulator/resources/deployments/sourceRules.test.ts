/** The public service's rules: which fields go with which source, the bounds of values, and the defaults. */
import type { Emulator } from "../../../../../sdk/emulator/index";
import { ask, complaints, created, started } from "../../../../support/embeddedService";

const SOURCES = [
  "github",
  "external_docker",
  "internal_docker",
  "internal_source",
  "internal_template",
] as const;
type Source = (typeof SOURCES)[number];

const GRAPH = "source_revision_config.langgraph_config_path";

/** The body of a creation with this source. If `value` is not undefined, the body has `value` at `path`. */
function bodyOf(source: Source, path = GRAPH, value: unknown = undefined) {
  const [section, field] = path.split(".") as [string, string];
  const isBuilt = source === "github" || source === "internal_source";
  const sections: Record<string, Record<string, unknown>> = {
    source_config: {},
    source_revision_config: isBuilt ? { langgraph_config_path: "langgraph.json" } : {},
  };
  if (value !== undefined) sections[section] = { ...sections[section], [field]: value };
  return { name: "agent", source, ...sections, secrets: [] };
}

const langsmith = () => started({ profile: "langsmith" });
const post = (emulator: Emulator, body: object) => ask(emulator, "POST", "/v2/deployments", body);

test("a revision with a new source accepts the fields of the new source", async () => {
  const emulator = await langsmith();
  const { id } = await created(emulator, bodyOf("internal_docker"));
  const config = { source_tarball_path: "uploads/2", langgraph_config_path: "langgraph.json" };
  const patch = { revision_source: "internal_source", source_revision_config: config };
  expect((await ask(emulator, "PATCH", `/v2/deployments/${id}`, patch)).status).toBe(200);
  const without = await ask(emulator, "PATCH", `/v2/deployments/${id}`, { source_revision_config: config });
  expect(Object.keys(complaints(without)).sort()).toEqual([
    `body.${GRAPH}`,
    "body.source_revision_config.source_tarball_path",
  ]);
});

test("build_on_push is refused for a tag, both in a creation and in a PATCH", async () => {
  const emulator = await langsmith();
  const words = "must be false when source_revision_config.repo_ref starts with refs/tags/";
  const onPush = bodyOf("github", "source_config.build_on_push", true);
  const tag = { langgraph_config_path: "langgraph.json", repo_ref: "refs/tags/v1" };
  const answer = await post(emulator, { ...onPush, source_revision_config: tag });
  expect(complaints(answer)).toEqual({ "body.source_config.build_on_push": words });
  const { id } = await created(emulator, { ...bodyOf("github"), source_revision_config: tag });
  const patch = { source_config: { build_on_push: true } };
  const patched = await ask(emulator, "PATCH", `/v2/deployments/${id}`, patch);
  expect(complaints(patched)).toEqual({ "body.source_config.build_on_push": words });
});

async function storedSpec(spec: object, options: object = {}) {
  const emulator = await started({ profile: "langsmith", ...options });
  const { id, source_config } = await created(
    emulator,
    bodyOf("external_docker", "source_config.resource_spec", spec),
  );
  return { emulator, id, spec: source_config.resource_spec };
}

test("limits default to multiples of the requested resources, and the queue's values default to the API server's values; the caller's values stay", async () => {
  const requestedSpec = {
    cpu: 0.7,
    memory_mb: 512,
    min_scale: 2,
    max_scale: 3,
    redis_cpu: 1,
    redis_memory_mb: 256,
  };
  expect((await storedSpec({ ...requestedSpec, queue_cpu: 2, labels: { a: "1" } })).spec).toEqual({
    ...requestedSpec,
    cpu_limit: 1.4,
    memory_limit_mb: 1024,
    queue_min_scale: 2,
    queue_max_scale: 3,
    queue_cpu: 2,
    queue_cpu_limit: 4,
    queue_memory_mb: 512,
    queue_memory_limit_mb: 1024,
    redis_cpu_limit: 2,
    redis_memory_limit_mb: 256,
    labels: { a: "1" },
  });
});

test("a PATCH of the resource spec sets the spec's defaults again, and a PATCH of any other field keeps the spec", async () => {
  const { emulator, id, spec } = await storedSpec({ cpu: 2 });
  expect(spec).toMatchObject({ cpu: 2, cpu_limit: 4, queue_cpu_limit: 4 });
  const patched = async (config: object) =>
    (await ask(emulator, "PATCH", `/v2/deployments/${id}`, { source_config: config })).body.source_config
      .resource_spec;
  expect(await patched({ custom_url: "https://a.example.test" })).toEqual(spec);
  expect(await patched({ resource_spec: { cpu: 1 } })).toMatchObject({ cpu_limit: 2, queue_cpu_limit: 2 });
});
