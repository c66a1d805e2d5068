import { createBody } from "../../../provider/deployment/request";
import type { Properties } from "../../../provider/schema/value";
import { chat, contract, langsmith, stateOf, updating } from "../../support/deploymentArguments";

const managed = chat.sourceConfig as Properties;
const config = (changes: Properties) => ({ sourceConfig: { ...managed, ...changes } });
const secrets = [
  { name: "A", value: "one" },
  { name: "B", value: "two" },
];

test("a creation sends every section, but no fields that only a PATCH or only the provider uses", () => {
  const args = { ...chat, revisionSource: "internal_source", rollout: { wait: false }, adopt: true };
  expect(createBody(stateOf(args, contract), contract)).toEqual({
    name: "chat",
    source: "repohost",
    source_config: { repo_url: managed.repoUrl, build_on_push: true },
    source_revision_config: { repo_ref: "main", graph_config_path: "graph.json" },
    secrets,
  });
  const bare = { name: "bare", source: "internal_docker" };
  const empty = { source_config: {}, source_revision_config: {}, secrets: [] };
  expect(createBody(bare, contract)).toEqual({ ...bare, ...empty });
});

test.each<[string, Properties, Properties]>([
  ["without changes is empty", {}, {}],
  [
    "for arguments that are never sent is empty",
    { rollout: { wait: false }, newRevisions: "forbid", onDestroy: "fail" },
    {},
  ],
  [
    "for an in-place field sends the field's whole section and no other section",
    config({ buildOnPush: false }),
    { source_config: { repo_url: managed.repoUrl, build_on_push: false } },
  ],
  [
    "for a removed field sends an explicit null",
    { sourceConfig: { repoUrl: managed.repoUrl } },
    { source_config: { repo_url: managed.repoUrl, build_on_push: null } },
  ],
  [
    "for a removed section sends a null for each field",
    { sourceConfig: undefined },
    { source_config: { repo_url: null, build_on_push: null } },
  ],
  [
    "for a revision field sends no secrets",
    { sourceRevisionConfig: { repoRef: "v2" } },
    { source_revision_config: { repo_ref: "v2", graph_config_path: null } },
  ],
  [
    "for secrets sends the whole list in order",
    { secrets: { C: "3", A: "one" } },
    { secrets: [secrets[0], { name: "C", value: "3" }] },
  ],
  ["for the removal of all secrets sends an empty list", { secrets: {} }, { secrets: [] }],
  [
    "for a trigger sends the managed fields again",
    { revisionTriggers: { day: "monday" } },
    { source_revision_config: { repo_ref: "main", graph_config_path: "graph.json" } },
  ],
  [
    "for the revision source sends the source, and the managed fields again",
    { revisionSource: "internal_source" },
    {
      source_revision_config: { repo_ref: "main", graph_config_path: "graph.json" },
      revision_source: "internal_source",
    },
  ],
])("a PATCH %s", (_, changes, expected) => {
  expect(updating(contract, changes).body).toEqual(expected);
});

test("the revision source is sent only with fields that make a revision", () => {
  const from = { ...chat, revisionSource: "repohost" };
  const bodyOf = (changes: Properties, profile = contract) => updating(profile, changes, {}, from).body;
  expect(bodyOf(config({ buildOnPush: false }))).not.toHaveProperty("revision_source");
  expect(bodyOf({ secrets: { A: "new" } })).toMatchObject({ revision_source: "repohost" });
  const newRef = { sourceRevisionConfig: { repoRef: "v2" } };
  expect(bodyOf(newRef, langsmith)).toMatchObject({ revision_source: "github" });
});

test("members that the program removed from a map are sent as null, and lists are sent whole", () => {
  const spec = (resourceSpec: Properties) => config({ resourceSpec });
  const from = {
    ...chat,
    ...spec({ cpu: 1, labels: { a: "1", "b.c": "2" }, volumes: [{ name: "x" }, { name: "y" }] }),
  };
  const { body } = updating(contract, spec({ labels: { a: "1" }, volumes: [{ name: "y" }] }), {}, from);
  expect(body).toMatchObject({
    source_config: {
      resource_spec: { cpu: null, labels: { a: "1", "b.c": null }, volumes: [{ name: "y" }] },
    },
  });
});

test("if the program drops a whole object, the request clears only the members that the program had", () => {
  const from = { ...chat, ...config({ resourceSpec: { cpu: 1, labels: { a: "1" } } }) };
  const { body } = updating(contract, { sourceConfig: {} }, {}, from);
  expect(body).toMatchObject({ source_config: { resource_spec: { cpu: null, labels: { a: null } } } });
});

describe("fields that make a revision when they are repeated", () => {
  const spec = { resourceSpec: { cpu: 1, minScale: 2 } };
  const from = { ...chat, ...config({ ...spec, buildCommand: "make" }) };

  const repository = { repo_url: "https://repohost.example.test/acme/chat" };

  test("if repeating a field makes a revision, an update sends the field only if the field changed", () => {
    const { body, plan } = updating(
      langsmith,
      config({ ...spec, buildCommand: "make", buildOnPush: false }),
      {},
      from,
    );
    expect([body, plan.verdict]).toEqual([
      { source_config: { ...repository, build_on_push: false } },
      "inPlace",
    ]);
  });

  test("the resource spec is sent whole, or as an empty object if the program removed the spec", () => {
    const shrunk = updating(langsmith, config({ resourceSpec: { cpu: 1 }, buildCommand: "make" }), {}, from);
    expect(shrunk.body).toEqual({
      source_config: { ...repository, build_on_push: true, resource_spec: { cpu: 1 } },
    });
    const bodyWithoutSpec = updating(langsmith, config({ buildCommand: "make" }), {}, from);
    expect(bodyWithoutSpec.body).toEqual({
      source_config: { ...repository, build_on_push: true, resource_spec: {} },
    });
    expect([shrunk.plan.verdict, bodyWithoutSpec.plan.verdict]).toEqual(["newRevision", "newRevision"]);
  });
});

test("an update sends nothing for a removed value that the service cannot clear", () => {
  expect(updating(langsmith, { sourceRevisionConfig: { repoRef: "main" } }).body).toEqual({});
  expect(updating(langsmith, { secrets: undefined }).body).toEqual({});
  expect(updating(langsmith, config({ buildOnPush: undefined })).body).toEqual({});
});

test("to make a failed revision again, an update sends the revision's fields, or the secrets if no fields are managed", () => {
  const failed = { rolloutState: "failed", latestRevisionStatus: "BUILD_FAILED" };
  const again = { source_revision_config: { repo_ref: "main", graph_config_path: "graph.json" } };
  expect(updating(contract, {}, failed).body).toEqual(again);
  const onlySecrets = { ...chat, sourceRevisionConfig: undefined };
  expect(updating(contract, {}, failed, onlySecrets).body).toEqual({ secrets });
  expect(updating(contract, {}, failed, { name: "bare", source: "internal_docker" }).body).toEqual({});
  const source = { ...chat, revisionSource: "internal_source" };
  expect(updating(contract, {}, failed, source).body).toEqual({
    ...again,
    revision_source: "internal_source",
  });
});
