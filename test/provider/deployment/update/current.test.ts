/** Another tool changes values on the service. Then an update of other arguments makes a revision. */
import type { Properties } from "../../../../provider/schema/value";
import type { ProfileName } from "../../../../sdk/emulator";
import { createdDeployment } from "../../../support/createdDeployment";
import { chat, failureOf } from "../../../support/providerRun";
import { updateDeployment } from "../../../support/resourceCalls";

type Settings = Readonly<Record<string, string>>;
const digest = `sha256:${"d".repeat(64)}`;
const commit = "c".repeat(40);

/** A deployment whose newest revision was made by another tool, with the settings `releasedSettings`. */
async function released(
  { profile, source, settings, ...args }: Properties & { profile: ProfileName; settings: Settings },
  releasedSettings: Settings,
) {
  const inputs = {
    ...chat,
    sourceConfig: {},
    source,
    sourceRevisionConfig: settings,
    rollout: { wait: false },
    ...args,
  };
  const run = await createdDeployment(inputs, { profile, revisionSeconds: 0 });
  const call = profile === "langsmith" ? ["POST", "/revisions"] : ["PATCH", ""];
  await fetch(`${run.emulator.url}/v2/deployments/${run.id}${call[1]}`, {
    method: call[0] as string,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ source_revision_config: releasedSettings }),
  });
  run.emulator.requests.length = 0;
  return { ...run, inputs, running: () => run.stored()?.source_revision_config as Properties };
}

const image = { source: "external_docker", settings: { imageUri: "r/chat:1" } };
const tool = { image_uri: "r/chat:9" };
const SOURCES: readonly [string, Properties & { settings: Settings }, Settings][] = [
  ["an image on the user's infrastructure", image, tool],
  ["an image on the service's infrastructure", { ...image, source: "internal_docker" }, tool],
  [
    "uploaded source",
    { source: "internal_source", settings: { sourceTarballPath: "a/1.tgz", graphConfigPath: "graph.json" } },
    { source_tarball_path: "a/9.tgz" },
  ],
  ["a pinned tag", { ...image, settings: { imageUri: `r/chat:1@${digest}` } }, tool],
  [
    "a git tag",
    { source: "repohost", settings: { repoRef: "refs/tags/v1", graphConfigPath: "graph.json" } },
    { repo_ref: "refs/tags/v9" },
  ],
];
const CHANGES: readonly [string, Properties][] = [
  ["a secret", { secrets: { TOKEN: "another-secret-value" } }],
  ["a variable", { environment: { MODE: "fast" } }],
  ["a trigger", { revisionTriggers: { data: "2" } }],
];

describe.each(SOURCES)("after another tool's release of %s", (_what, args, release) => {
  test.each(CHANGES)("a change to %s makes a revision with that release", async (_change, change) => {
    for (const profile of ["langsmith", "contract"] as const) {
      const { update, inputs, running, stored, told } = await released({ profile, ...args }, release);
      const outputs = await update({ ...inputs, ...change, revisionGeneration: 2 });
      expect(stored()?.revisions).toHaveLength(3);
      expect(running()).toMatchObject(release);
      expect(outputs.sourceRevisionConfig).toEqual(args.settings);
      // A PATCH sends the release only to force a revision. Otherwise, it carries only the changes.
      expect(told.join().includes("because another tool has changed it: sourceRevisionConfig.")).toBe(
        profile === "langsmith" || "revisionTriggers" in change,
      );
    }
  });
});

test("after the update, a refresh still shows the other tool's release as drift", async () => {
  const run = await released({ profile: "langsmith", ...image }, tool);
  const outputs = await run.update({
    ...run.inputs,
    secrets: { TOKEN: "another-secret-value" },
    revisionGeneration: 2,
  });
  const { outputs: refreshed = {} } = await run.refresh(outputs);
  expect(refreshed.sourceRevisionConfig).toEqual({ imageUri: "r/chat:9" });
});

test.each([tool, { image_uri: `r/chat@${digest}` }])(
  "a second update also makes a revision with the release %j",
  async (release) => {
    const run = await released({ profile: "langsmith", ...image }, release);
    const rotated = (TOKEN: string, revisionGeneration: number) => ({
      ...run.inputs,
      secrets: { TOKEN },
      revisionGeneration,
    });
    const outputs = await run.update(rotated("another-secret-value", 2));
    await run.update(rotated("a-third-secret-value", 3), outputs);
    expect(run.stored()?.revisions).toHaveLength(4);
    expect(run.running()).toMatchObject(release);
  },
);

test("an update of one setting sends that setting from the program, and the other settings as the service has them", async () => {
  const args = {
    source: "internal_source",
    settings: { sourceTarballPath: "a/1.tgz", graphConfigPath: "graph.json" },
  };
  const run = await released(
    { profile: "langsmith", ...args },
    { source_tarball_path: "a/9.tgz", langgraph_config_path: "other.json" },
  );
  const sourceRevisionConfig = { ...args.settings, sourceTarballPath: "a/2.tgz" };
  await run.update({ ...run.inputs, sourceRevisionConfig, revisionGeneration: 2 });
  expect(run.running()).toMatchObject({
    source_tarball_path: "a/2.tgz",
    langgraph_config_path: "other.json",
  });
});

test("a change to one member of resourceSpec keeps the values that another tool has set for other members", async () => {
  const sourceConfig = { resourceSpec: { minScale: 1, maxScale: 3 } };
  const run = await released({ profile: "langsmith", ...image, sourceConfig }, tool);
  run.emulator.change(run.id, { source_config: { resource_spec: { max_scale: 8 } } });
  const more = { resourceSpec: { minScale: 2, maxScale: 3 } };
  await run.update({ ...run.inputs, sourceConfig: more, revisionGeneration: 2 });
  expect(run.stored()?.source_config.resource_spec).toMatchObject({ min_scale: 2, max_scale: 8 });
  expect(run.running()).toMatchObject(tool);
});

test("an update in place keeps the settings that another tool has changed, and names them", async () => {
  const sourceConfig = { buildOnPush: true, resourceSpec: { minScale: 1, maxScale: 3 } };
  const inputs = { ...chat, sourceConfig };
  const run = await createdDeployment(inputs, {});
  run.emulator.change(run.id, { source_config: { build_on_push: false, resource_spec: { max_scale: 8 } } });
  run.emulator.requests.length = 0;
  const later = run.later();
  const news = { ...inputs, sourceConfig: { ...sourceConfig, resourceSpec: { minScale: 2, maxScale: 3 } } };
  await updateDeployment(later.session, run.id, run.outputs, news);
  expect(run.stored()?.source_config).toMatchObject({
    build_on_push: false,
    resource_spec: { min_scale: 2, max_scale: 8 },
  });
  expect(later.told.join()).toContain("sourceConfig.buildOnPush, sourceConfig.resourceSpec.maxScale");
  expect(run.emulator.requests.map(({ method }) => method)).toEqual(["GET", "PATCH"]);
});

test("an update in place refuses to set again what another tool has cleared, and keeps a map as the service has it", async () => {
  const spec = { labels: { a: "1", b: "2" } };
  const sourceConfig = { customUrl: "https://a.example", buildOnPush: false, resourceSpec: spec };
  const run = await createdDeployment({ ...chat, sourceConfig }, {});
  const news = { ...chat, sourceConfig: { ...sourceConfig, buildOnPush: true } };
  run.emulator.change(run.id, { source_config: { resource_spec: { labels: { b: null } } } });
  const update = (changed: Properties) => updateDeployment(run.later().session, run.id, run.outputs, changed);
  await update(news);
  expect(run.writes().at(-1)).toMatchObject({
    source_config: { custom_url: "https://a.example", resource_spec: { labels: { a: "1" } } },
  });
  expect(run.stored()?.source_config).toHaveProperty("resource_spec.labels", { a: "1" });
  run.emulator.change(run.id, { source_config: { custom_url: null } });
  const revising = { ...news, sourceRevisionConfig: { repoRef: "next" }, revisionGeneration: 2 };
  for (const changed of [news, revising])
    expect((await failureOf(update(changed))).message).toContain(
      "did not compare: sourceConfig.customUrl. Run",
    );
});

const secretly = { secrets: { TOKEN: "another-secret-value" }, revisionGeneration: 2 };
const branch = { source: "repohost", settings: { repoRef: "main", graphConfigPath: "graph.json" } };

test.each<[string, Properties & { settings: Settings }, Properties, Settings]>([
  [
    "the commit of the program's branch",
    branch,
    { source_revision_config: { repo_ref: commit } },
    { repo_ref: "main" },
  ],
  [
    "the commit of the program's branch, and also the branch",
    branch,
    { source_config: { repo_branch: "main" }, source_revision_config: { repo_ref: commit } },
    { repo_ref: "main" },
  ],
  [
    "the digest of the program's tag",
    image,
    { source_revision_config: { image_uri: `r/chat:1@${digest}` } },
    { image_uri: "r/chat:1" },
  ],
])("if the service shows %s, the program's spelling is sent", async (_what, args, shown, expected) => {
  const run = await released({ profile: "langsmith", ...args }, {});
  run.emulator.change(run.id, shown);
  await run.update({ ...run.inputs, ...secretly });
  expect(run.writes().at(-1)).toMatchObject({ source_revision_config: expected });
});

test("if the recorded revision later shows a different form of its settings, the program's spelling is sent", async () => {
  const inputs = {
    ...chat,
    source: "external_docker",
    sourceConfig: {},
    sourceRevisionConfig: image.settings,
  };
  const run = await createdDeployment(inputs, { profile: "langsmith", revisionSeconds: 0 });
  run.emulator.change(run.id, { source_revision_config: { image_uri: `r/chat@${digest}` } });
  await run.update({ ...inputs, ...secretly });
  expect(run.writes().at(-1)).toMatchObject({ source_revision_config: { image_uri: "r/chat:1" } });
});
