import * as pulumi from "@pulumi/pulumi";
import { Deployment, knownWithoutValue, SmokeTest } from "../support/engine/form";
import {
  bodiesOf,
  chat,
  declares,
  FIRST_IMAGE,
  lines,
  revisionCount,
  SECOND_IMAGE,
  sent,
} from "../support/engine/programs";
import { closeAll, service, stackOn } from "../support/engine/stack";

afterEach(() => closeAll());

/** A deployment, and a dependent of its generation that would show any change. */
const withDependent =
  (args: Parameters<typeof chat>[0] = {}) =>
  () => {
    const deployment = new Deployment("chat", chat(args));
    new pulumi.Stash("announced", { input: deployment.revisionKey });
  };

test("a creation looks for the name, posts once, and the next preview and up send nothing", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const created = await stack.up(declares({ rollout: { wait: false } }));
  expect(created.steps).toEqual({ chat: "create" });
  expect(sent(created)).toEqual(["GET /v2/deployments", "POST /v2/deployments"]);
  expect(bodiesOf(created, "POST")).toEqual([
    {
      name: "chat",
      source: "external_docker",
      source_config: { resource_spec: { min_scale: 1, max_scale: 3 } },
      source_revision_config: { image_uri: FIRST_IMAGE },
      secrets: [
        { name: "OPENAI_API_KEY", value: "sk-first-secret-value" },
        { name: "TOKEN", value: "token-first-secret-value" },
      ],
    },
  ]);
  expect(created.outputs).toEqual({ generation: 1, id: expect.any(String), key: `${created.outputs.id}:1` });

  const program = declares({ rollout: { wait: false } });
  for (const again of [await stack.preview(program), await stack.up(program)]) {
    expect(again.error).toBeUndefined();
    expect(again.steps).toEqual({});
    expect(sent(again)).toEqual([]);
  }
});

test("an update of sourceConfig is announced as in place, patches that section alone and makes no revision", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  await stack.up(withDependent());
  const bigger = withDependent({ sourceConfig: { resourceSpec: { minScale: 2, maxScale: 3 } } });

  const preview = await stack.preview(bigger);
  const line =
    'deployment "chat": updates in place, no new revision (sourceConfig.resourceSpec.minScale 1 -> 2)';
  expect(lines(preview)).toEqual([line]);
  expect(preview.steps).toEqual({ chat: "update" });
  expect(sent(preview)).toEqual([]);

  const up = await stack.up(bigger);
  expect(up.error).toBeUndefined();
  expect(lines(up)[0]).toBe(line);
  expect(lines(up)[1]).toContain("as planned, no new revision");
  expect(sent(up)).toEqual(["PATCH /v2/deployments/ID"]);
  expect(bodiesOf(up, "PATCH")).toEqual([
    { source_config: { resource_spec: { min_scale: 2, max_scale: 3 } } },
  ]);
  expect(revisionCount(emulator)).toBe(1);
  // The dependent of the revision key saw no change.
  expect(up.steps).toEqual({ chat: "update" });
});

test("an update of sourceRevisionConfig is announced, makes one revision with one PATCH and is waited for", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  await stack.up(withDependent());
  // Each status lasts long enough to be seen on a busy machine.
  emulator.behaviour.revisionSeconds = 4;
  const next = withDependent({ sourceRevisionConfig: { imageUri: SECOND_IMAGE } });

  const preview = await stack.preview(next);
  const line = `deployment "chat": creates a new revision (sourceRevisionConfig.imageUri ${FIRST_IMAGE} -> ${SECOND_IMAGE})`;
  expect(lines(preview)).toEqual([line]);
  expect(preview.steps).toEqual({ chat: "update", announced: "update" });
  expect(preview.text).toContain("revisionGeneration");

  const up = await stack.up(next);
  expect(up.error).toBeUndefined();
  const [first, proof, ...progress] = lines(up);
  expect(first).toBe(line);
  expect(proof).toContain("as planned, a new revision");
  expect(progress.join("\n")).toMatch(
    /is CREATING after .* s\n.*is DEPLOYING after .* s\n.*is DEPLOYED and serves, after .* s/s,
  );
  expect(bodiesOf(up, "PATCH")).toEqual([{ source_revision_config: { image_uri: SECOND_IMAGE } }]);
  expect(revisionCount(emulator)).toBe(2);
  const [deployed] = emulator.deployments();
  expect(deployed?.active_revision_id).toBe(deployed?.latest_revision_id);
  expect((await stack.recorded("chat")).outputs).toMatchObject({
    activeRevisionId: deployed?.latest_revision_id,
    latestRevisionStatus: "DEPLOYED",
    revisionGeneration: 2,
  });
});

test("a change of both sections is one PATCH and one revision", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  await stack.up(declares());
  const up = await stack.up(
    declares({
      sourceConfig: { resourceSpec: { minScale: 2, maxScale: 3 } },
      sourceRevisionConfig: { imageUri: SECOND_IMAGE },
    }),
  );
  expect(lines(up)[0]).toBe(
    `deployment "chat": creates a new revision (sourceRevisionConfig.imageUri ${FIRST_IMAGE} -> ${SECOND_IMAGE}; in place: sourceConfig.resourceSpec.minScale 1 -> 2)`,
  );
  expect(bodiesOf(up, "PATCH")).toEqual([
    {
      source_config: { resource_spec: { min_scale: 2, max_scale: 3 } },
      source_revision_config: { image_uri: SECOND_IMAGE },
    },
  ]);
  expect(revisionCount(emulator)).toBe(2);
});

test("a removed field is sent as an explicit null and is gone on the service, whether it merges or replaces", async () => {
  for (const patch of ["merge", "replace"] as const) {
    const emulator = await service({ patch, defaults: false });
    const stack = await stackOn(emulator);
    await stack.up(
      declares({ sourceConfig: { buildCommand: "make", resourceSpec: { minScale: 1, maxScale: 3 } } }),
    );
    const up = await stack.up(declares({ sourceConfig: { resourceSpec: { minScale: 1 } } }));
    expect(lines(up)[0]).toBe(
      'deployment "chat": updates in place, no new revision (sourceConfig.resourceSpec.maxScale 3 -> (not set); sourceConfig.buildCommand make -> (not set))',
    );
    expect(bodiesOf(up, "PATCH")).toEqual([
      { source_config: { build_command: null, resource_spec: { min_scale: 1, max_scale: null } } },
    ]);
    const stored = emulator.deployments()[0]?.source_config as {
      build_command?: unknown;
      resource_spec?: object;
    };
    expect(stored.build_command ?? null).toBeNull();
    expect(Object.entries(stored.resource_spec ?? {}).filter(([, value]) => value !== null)).toEqual([
      ["min_scale", 1],
    ]);
    expect((await stack.up(declares({ sourceConfig: { resourceSpec: { minScale: 1 } } }))).steps).toEqual({});
  }
});

test("a change of an argument that is never sent sends nothing", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  await stack.up(declares());
  const up = await stack.up(
    declares({ onDestroy: "fail", rollout: { timeoutSeconds: 60 }, newRevisions: "allow" }),
  );
  expect(up.steps).toEqual({ chat: "update" });
  expect(sent(up)).toEqual([]);
  expect(lines(up)[0]).toContain("updates in place, no new revision");
});

test("a changed trigger sends the managed revision fields again and makes a revision", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  await stack.up(declares({ revisionTriggers: { rebuilt: "monday" } }));
  const up = await stack.up(declares({ revisionTriggers: { rebuilt: "tuesday" } }));
  expect(lines(up)[0]).toBe(
    'deployment "chat": creates a new revision (revisionTriggers.rebuilt monday -> tuesday)',
  );
  expect(bodiesOf(up, "PATCH")).toEqual([{ source_revision_config: { image_uri: FIRST_IMAGE } }]);
  expect(revisionCount(emulator)).toBe(2);
  expect(up.outputs.generation).toBe(2);
});

test("another revision source is sent only with a PATCH that makes a revision", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const args = {
    source: "repohost",
    sourceConfig: { buildOnPush: false },
    revisionSource: "internal_docker",
  } as const;
  const created = await stack.up(declares({ ...args, sourceRevisionConfig: { repoRef: "main" } }));
  expect(bodiesOf(created, "POST")[0]).not.toHaveProperty("revision_source");
  const inPlace = await stack.up(
    declares({ ...args, sourceConfig: { buildOnPush: true }, sourceRevisionConfig: { repoRef: "main" } }),
  );
  expect(bodiesOf(inPlace, "PATCH")).toEqual([{ source_config: { build_on_push: true } }]);
  const revised = await stack.up(
    declares({ ...args, sourceConfig: { buildOnPush: true }, sourceRevisionConfig: { repoRef: "v2" } }),
  );
  expect(bodiesOf(revised, "PATCH")).toEqual([
    { revision_source: "internal_docker", source_revision_config: { repo_ref: "v2" } },
  ]);
});

knownWithoutValue(
  "an output or argument without a value is known in the plan, so what depends on it does not change",
  async () => {
    const emulator = await service();
    const stack = await stackOn(emulator);
    const program = () => {
      const deployment = new Deployment("chat", chat());
      const { id, url, repoCommitSha, imageVersion, connection, secretReferences } = deployment;
      new SmokeTest("dependent", {
        deploymentUrl: pulumi.interpolate`${emulator.url}/runtime/${id}`,
        assistantId: "echo",
        messages: [{ role: "user", content: "hello" }],
        expect: { equals: "hello" },
        triggers: {
          all: pulumi
            .all([url, repoCommitSha, imageVersion, connection, secretReferences])
            .apply((values) => JSON.stringify(values)),
        },
      });
      return { address: url.apply((address) => address ?? "none") };
    };
    expect(await stack.up(program)).toMatchObject({ error: undefined, outputs: { address: "none" } });
    const preview = await stack.preview(program);
    expect([preview.error, preview.steps]).toEqual([undefined, {}]);
    expect(preview.text).not.toContain("[unknown]");
    expect((await stack.refresh()).text).toContain("3 unchanged");
  },
);
