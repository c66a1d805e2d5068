import { PROFILES, type Profile } from "../../../../provider/profiles/profiles";
import { describe as describeLive } from "../../../../sdk/adopt/write/arguments";

const ID = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";

function described(wire: object, profile = "contract") {
  const whole = {
    id: ID,
    name: "chat",
    source: "external_docker",
    source_config: {},
    source_revision_config: {},
    ...wire,
  };
  return describeLive({ id: ID, values: { id: ID }, wire: whole }, PROFILES[profile] as Profile);
}
const spec = (resource_spec: object) => ({ source_config: { resource_spec } });

test("a value that the provider would refuse is left out, alone or with the list around it, and the reason is the provider's message", () => {
  const wire = {
    source: "github",
    source_config: { custom_url: "https://set.example", resource_spec: { cpu: 1 } },
    source_revision_config: { repo_ref: "main", langgraph_config_path: "graph.json" },
  };
  expect(described(wire, "langsmith")).toMatchObject({
    args: { source: "repohost", sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graph.json" } },
    leftOut: [
      {
        path: "sourceConfig.customUrl",
        why: expect.stringContaining('is only for source "external_docker"'),
      },
      {
        path: "sourceConfig.resourceSpec",
        why: expect.stringContaining('is only for source "external_docker"'),
      },
    ],
  });
  const negative = spec({ min_scale: -1, cpu: 1, image_pull_secrets: [{ name: "a" }, { name: 7 }] });
  expect(described(negative)).toMatchObject({
    args: { sourceConfig: { resourceSpec: { cpu: 1 } } },
    leftOut: [
      { path: "sourceConfig.resourceSpec.minScale" },
      { path: "sourceConfig.resourceSpec.imagePullSecrets" },
    ],
  });
});

test("a value that Pulumi cannot pass on is left out: alone if it is a map entry, otherwise with the whole list around it", () => {
  const labels = JSON.parse(
    '{"__proto__": "lost", "half": "\\ud800", "mark": "04da6b54-80e4-46f7-96ec-b56ff0331ba9", "__pulumiOutput": "x", "a": "b"}',
  );
  const volumes = [{ name: "v", emptyDir: { "4dabf18193072939515e22adb298388d": "1" } }];
  const { args, leftOut } = described(spec({ labels, volumes })) as never as {
    args: { sourceConfig: { resourceSpec: object } };
    leftOut: { path: string }[];
  };
  expect(args.sourceConfig.resourceSpec).toEqual({ labels: { a: "b" } });
  expect(leftOut.map(({ path }) => path.replace("sourceConfig.resourceSpec.", ""))).toEqual([
    "labels.__proto__",
    "labels.half",
    "labels.mark",
    "labels.__pulumiOutput",
    "volumes",
  ]);
});

test("fields that are not in the tables are listed as left out, at any depth", () => {
  const wire = {
    source_config: {
      region: "eu",
      unset: null,
      resource_spec: { gpu: 1, sidecars: [{ name: "a", ports: [80] }] },
    },
    source_revision_config: { image_uri: "a", repo_commit_sha: "abc" },
  };
  const { leftOut } = described(wire) as { leftOut: readonly { path: string }[] };
  expect(leftOut.map(({ path }) => path)).toEqual([
    "source_config.region",
    "source_config.resource_spec.gpu",
    "source_config.resource_spec.sidecars.0.ports",
  ]);
});

test("a deployment that no program of this version can declare is not adopted, and the reason is given", () => {
  expect(described({ source: "internal_wasm" })).toEqual({
    why: expect.stringMatching(/^its source: got "internal_wasm"/),
  });
  expect(described({ name: "half \ud800" })).toEqual({
    why: expect.stringMatching(/^its name: Pulumi cannot pass it on/),
  });
  expect(described({ name: undefined })).toEqual({ why: "the service shows no name" });
});
