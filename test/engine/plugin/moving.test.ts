/** Moves stacks from the dynamic form to the plugin, and back. */
import { readFileSync } from "node:fs";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as sdk from "../../../sdk/index";
import { generated } from "../../support/engine/form";
import { reported } from "../../support/engine/planReport";
import { bodiesOf, chat, lines, revisionCount, SECOND_IMAGE, sent } from "../../support/engine/programs";
import { type Run, testStack } from "../../support/engine/stack";

const GUIDE = path.join(__dirname, "..", "..", "..", "docs", "guides", "languages.md");
const MOVES = "sends nothing: moves between the dynamic form and the plugin";
const SECRETS = { OPENAI_API_KEY: "sk-first-secret-value", TOKEN: "token-first-secret-value" };
const HIDDEN = "registry.example/hidden-image:1";

const dynamic = { Deployment: sdk.Deployment, Listener: sdk.Listener };
const plugin: typeof dynamic = { Deployment: generated("Deployment"), Listener: generated("Listener") };

/**
 * A program with a listener, a deployment, and a resource that depends on the revision key. The deployment is on the
 * listener, and has `secrets` and a secret image.
 */
const declares =
  ({ Deployment, Listener }: typeof dynamic, args: Partial<sdk.DeploymentArgs> = {}) =>
  () => {
    const cluster = new Listener("cluster", { computeType: "k8s", computeId: "cluster-1" });
    const sourceConfig = { listenerId: cluster.id, resourceSpec: { minScale: 1 } };
    const sourceRevisionConfig = { imageUri: pulumi.secret(HIDDEN) };
    const deploymentArgs = { sourceConfig, sourceRevisionConfig, secrets: SECRETS, ...args };
    const deployment = new Deployment("chat", chat(deploymentArgs));
    new pulumi.Stash("announced", { input: deployment.revisionKey });
    return { key: deployment.revisionKey };
  };

/** A stack whose resources were made in the dynamic form. */
async function inDynamicForm() {
  const { emulator, stack } = await testStack();
  emulator.addListener({ compute_id: "cluster-1" });
  const created = await stack.up(declares(dynamic));
  expect(created.error).toBeUndefined();
  return { emulator, stack, key: created.outputs.key };
}

const writes = (run: Run): string[] => sent(run).filter((request) => !request.startsWith("GET "));

test("a stack of the dynamic form moves to the plugin with one update per deployment, and the updates send nothing", async () => {
  const { emulator, stack, key } = await inDynamicForm();
  const preview = await stack.preview(declares(plugin));
  expect([preview.error, preview.steps, sent(preview)]).toEqual([undefined, { chat: "update" }, []]);
  expect(lines(preview)).toEqual([MOVES]);
  expect(readFileSync(GUIDE, "utf8")).toContain(`${MOVES}\n`);

  const up = await stack.up(declares(plugin));
  expect([up.error, up.steps, writes(up)]).toEqual([undefined, { chat: "update" }, []]);
  expect(up.outputs.key).toBe(key);
  expect([emulator.deployments().length, revisionCount(emulator)]).toEqual([1, 1]);
  const { type, outputs } = await stack.recorded("chat");
  expect(type).toBe("deployment-control:index:Deployment");
  expect(Object.keys(outputs)).not.toContain("__provider");
  for (const value of [...Object.values(SECRETS), HIDDEN]) expect(stack.filesOfState()).not.toContain(value);

  for (const again of [await stack.preview(declares(plugin)), await stack.up(declares(plugin))])
    expect([again.error, again.steps, sent(again)]).toEqual([undefined, {}, []]);
  expect((await stack.refresh()).text).toContain("4 unchanged");
});

const KEY = "key-of-the-owner";
const followers = {
  ...dynamic,
  Rollout: sdk.Rollout,
  SmokeTest: sdk.SmokeTest,
  TokenMetadata: sdk.TokenMetadata,
};
const pluginFollowers: typeof followers = {
  ...plugin,
  Rollout: generated("Rollout"),
  SmokeTest: generated("SmokeTest"),
  TokenMetadata: generated("TokenMetadata"),
};

test("if a deployment moves, its dependents do not change, and nothing is read, awaited or written again", async () => {
  const { emulator, stack } = await testStack({ apiKey: KEY });
  emulator.addToken({ id: "token-1", owner: KEY });
  const program = (classes: typeof followers) => () => {
    const deployment = new classes.Deployment("chat", chat({ rollout: { wait: false } }));
    const rollout = new classes.Rollout("all", { deployments: [deployment] });
    const asked = {
      deploymentUrl: pulumi.interpolate`${emulator.url}/runtime/${deployment.id}`,
      apiKey: pulumi.secret(KEY),
      assistantId: "echo",
      messages: [{ role: "user", content: "hello" }],
      expect: { contains: "hello" },
      triggers: { revision: deployment.revisionKey },
    };
    new classes.SmokeTest("ask", asked, { dependsOn: rollout });
    new classes.TokenMetadata("ci", { tokenId: "token-1", providerAccountLabel: "CI" });
  };
  expect((await stack.up(program(followers))).error).toBeUndefined();
  const up = await stack.up(program(pluginFollowers));
  expect([up.error, up.steps, sent(up)]).toEqual([undefined, { chat: "update" }, []]);
  const again = await stack.preview(program(pluginFollowers));
  expect([again.error, again.steps, sent(again)]).toEqual([undefined, {}, []]);
});

test("the report shows the move to the plugin as an update in place; a deployment that is also renamed needs an alias with the old name and type", async () => {
  const { emulator, stack } = await inDynamicForm();
  const { summary, deployments } = await reported(stack, declares(plugin));
  expect(summary).toMatchObject({ inPlace: 1, newRevision: 0, mayCreateRevision: 0, replace: 0, create: 0 });
  expect(deployments[0]).toMatchObject({ name: "chat", verdict: "in-place", reasons: [], warnings: [MOVES] });

  const renamed = (aliases: pulumi.Alias[]) => () =>
    void new plugin.Deployment("renamed", chat({ sourceConfig: undefined }), { aliases });
  const alias = { name: "chat", type: "pulumi-nodejs:dynamic/deployment-control:Deployment" };
  const aliased = await reported(stack, renamed([alias]));
  expect(aliased.refusals).toBeUndefined();
  expect(aliased.deployments.map(({ name }) => name)).toEqual(["renamed"]);
  expect(emulator.deployments()).toHaveLength(1);
});

test("a change in the same update as the move to the plugin is planned and made like any other change", async () => {
  const { emulator, stack } = await inDynamicForm();
  const changed = declares(plugin, { sourceRevisionConfig: { imageUri: SECOND_IMAGE } });
  const up = await stack.up(changed);
  expect(lines(up)[0]).toBe("creates a new revision (sourceRevisionConfig.imageUri changed)");
  expect(bodiesOf(up, "PATCH")).toEqual([{ source_revision_config: { image_uri: SECOND_IMAGE } }]);
  expect(up.steps).toEqual({ chat: "update", announced: "update" });
  expect(revisionCount(emulator)).toBe(2);
  expect((await stack.preview(changed)).steps).toEqual({});
});

test("a stack that the plugin made moves to the dynamic form and back, with updates that send nothing, and nothing is deleted", async () => {
  const { emulator, stack } = await testStack();
  emulator.addListener({ compute_id: "cluster-1" });
  const { outputs } = await stack.up(declares(plugin));
  const moves = [
    [dynamic, { cluster: "update", chat: "update" }],
    // The state keeps the values that only the plugin records, so this move updates nothing.
    [plugin, {}],
    [dynamic, { cluster: "update", chat: "update" }],
  ] as const;
  for (const [classes, steps] of moves) {
    const preview = await stack.preview(declares(classes));
    expect([preview.error, preview.steps, sent(preview)]).toEqual([undefined, steps, []]);
    expect(new Set(lines(preview))).toEqual(new Set(Object.keys(steps).length > 0 ? [MOVES] : []));
    const up = await stack.up(declares(classes));
    expect([up.error, up.steps, writes(up), up.outputs.key]).toEqual([undefined, steps, [], outputs.key]);
    const again = await stack.preview(declares(classes));
    expect([again.error, again.steps, sent(again)]).toEqual([undefined, {}, []]);
    expect((await stack.refresh()).text).toContain("4 unchanged");
    for (const value of [...Object.values(SECRETS), HIDDEN])
      expect(stack.filesOfState()).not.toContain(value);
  }
  expect([emulator.deployments().length, revisionCount(emulator)]).toEqual([1, 1]);
  const changed = await stack.up(declares(dynamic, { secrets: { ...SECRETS, TOKEN: "token-second-value" } }));
  expect(lines(changed)[0]).toBe("may create a new revision (secret TOKEN changed)");
});
