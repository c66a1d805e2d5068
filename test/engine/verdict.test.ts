import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "../support/engine/form";
import {
  bodiesOf,
  chat,
  declares,
  FIRST_IMAGE,
  lines,
  revisionCount,
  sent,
} from "../support/engine/programs";
import { closeAll, service, stackOn } from "../support/engine/stack";

afterEach(() => closeAll());

test("changed, added and removed secrets are named, counted and sent as one list; the update may make a revision", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  await stack.up(declares());
  const up = await stack.up(
    declares({ secrets: { OPENAI_API_KEY: "sk-second-secret-value", EXTRA: "extra-secret-value" } }),
  );
  expect(lines(up)[0]).toBe(
    'deployment "chat": may create a new revision (secret EXTRA added; secret OPENAI_API_KEY changed; secret TOKEN removed)',
  );
  expect(lines(up)[1]).toContain("this update did create a new revision");
  expect(bodiesOf(up, "PATCH")).toEqual([
    {
      secrets: [
        { name: "EXTRA", value: "extra-secret-value" },
        { name: "OPENAI_API_KEY", value: "sk-second-secret-value" },
      ],
    },
  ]);
  expect((await stack.recorded("chat")).outputs).toMatchObject({
    secretGenerations: { EXTRA: 1, OPENAI_API_KEY: 2 },
    revisionGeneration: 2,
  });
  expect(emulator.deployments()[0]?.secrets).toEqual([
    { name: "EXTRA", value: "extra-secret-value" },
    { name: "OPENAI_API_KEY", value: "sk-second-secret-value" },
  ]);
});

test("where secrets make no revision, the apply says so afterwards and waits for nothing", async () => {
  const emulator = await service({ secretsMakeRevision: false });
  const stack = await stackOn(emulator);
  await stack.up(declares());
  const up = await stack.up(declares({ secrets: { OPENAI_API_KEY: "sk-second-secret-value" } }));
  expect(lines(up)[1]).toContain("this update created no new revision");
  expect(sent(up)).toEqual(["PATCH /v2/deployments/ID"]);
  expect(revisionCount(emulator)).toBe(1);
});

test("secrets in another order are no change", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  await stack.up(declares());
  const reordered = { TOKEN: "token-first-secret-value", OPENAI_API_KEY: "sk-first-secret-value" };
  const up = await stack.up(declares({ secrets: reordered }));
  expect(up.steps).toEqual({});
  expect(sent(up)).toEqual([]);
});

test("a value that is unknown at preview may create a new revision; the up then knows", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const tagged = (tag: string) => () => {
    const stash = new pulumi.Stash("tag", { input: tag });
    const deployment = new Deployment(
      "chat",
      chat({ sourceRevisionConfig: { imageUri: stash.output.apply(String) } }),
    );
    new pulumi.Stash("announced", { input: deployment.revisionKey });
  };
  await stack.up(tagged(FIRST_IMAGE));
  const unknown = () => {
    const other = new Deployment("other", chat({ name: "other" }));
    const deployment = new Deployment("chat", chat({ sourceRevisionConfig: { imageUri: other.id } }));
    new pulumi.Stash("announced", { input: deployment.revisionKey });
    return { generation: deployment.revisionGeneration };
  };
  const preview = await stack.preview(unknown);
  expect(preview.error).toBeUndefined();
  expect(lines(preview)).toEqual([
    `deployment "chat": may create a new revision (sourceRevisionConfig.imageUri ${FIRST_IMAGE} -> (unknown until apply))`,
  ]);
  // Its dependent cannot know either.
  expect(preview.steps).toMatchObject({ chat: "update", announced: "update" });
  const up = await stack.up(unknown);
  expect(up.error).toBeUndefined();
  expect(up.outputs.generation).toBe(2);
});

test("a changed name is a replacement, created first; the old deployment stays and its id is shown", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const first = await stack.up(declares());
  const up = await stack.up(declares({ name: "chat-2" }));
  expect(up.error).toBeUndefined();
  expect(lines(up)[0]).toBe(
    `deployment "chat": is replaced (name chat -> chat-2); the old one stays, id ${first.outputs.id}`,
  );
  expect(lines(up).at(-1)).toContain(`leaves the deployment running`);
  expect(emulator.deployments().map(({ name }) => name)).toEqual(["chat-2", "chat"]);
  expect(up.outputs).toMatchObject({ generation: 1 });
  expect(up.outputs.id).not.toBe(first.outputs.id);
});

test("a changed source with another name is a replacement", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  await stack.up(declares());
  const up = await stack.up(declares({ name: "chat-2", source: "internal_docker" }));
  expect(lines(up)[0]).toContain(
    "is replaced (name chat -> chat-2; source external_docker -> internal_docker); the old one stays",
  );
  expect(emulator.deployments().map(({ source }) => source)).toEqual(["internal_docker", "external_docker"]);
});

test("a replacement that keeps its name is refused at preview, before any request", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  await stack.up(declares());
  const preview = await stack.preview(declares({ source: "internal_docker" }));
  expect(preview.error).toContain('keeps the name "chat"');
  expect(preview.error).toContain("Change name too");
  expect(sent(preview)).toEqual([]);
});

test("where the service can delete, a replacement that keeps its name deletes first, with a warning in the plan", async () => {
  const emulator = await service({ profile: "langsmith" });
  const stack = await stackOn(emulator, { environment: { DEPLOYMENT_CONTROL_PROFILE: "langsmith" } });
  const first = await stack.up(declares());
  expect(first.error).toBeUndefined();
  const listener = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";
  const moved = declares({
    sourceConfig: { resourceSpec: { minScale: 1, maxScale: 3 }, listenerId: listener },
  });
  const preview = await stack.preview(moved);
  expect(lines(preview)[0]).toBe(
    `deployment "chat": is replaced (sourceConfig.listenerId (not set) -> ${listener}); the old one, id ${first.outputs.id}, is deleted, unless an option keeps it`,
  );
  expect(lines(preview)[1]).toContain("is deleted before the new one is created");
  const up = await stack.up(moved);
  expect(up.error).toBeUndefined();
  expect(
    emulator
      .deployments()
      .filter(({ status }) => status !== "AWAITING_DELETE")
      .map(({ id }) => id),
  ).toEqual([up.outputs.id]);
  expect(up.outputs.id).not.toBe(first.outputs.id);
});

test("newRevisions forbid fails the preview of an update that would make a revision, and names deployment and fields", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  await stack.up(declares());
  for (const args of [
    { sourceRevisionConfig: { imageUri: "other" } },
    { secrets: { NEW: "brand-new-secret" } },
  ]) {
    const preview = await stack.preview(declares({ ...args, newRevisions: "forbid" }));
    expect(preview.error).toMatch(
      /deployment "chat": .*newRevisions is "forbid", but this update (may create|creates) a new revision \((sourceRevisionConfig.imageUri|secret NEW added)/,
    );
  }
  const allowed = await stack.preview(
    declares({ sourceConfig: { resourceSpec: { minScale: 2, maxScale: 3 } }, newRevisions: "forbid" }),
  );
  expect(allowed.error).toBeUndefined();
});

test("a class that does not fit the service is reported after the apply, with the field and the setting that corrects it", async () => {
  const emulator = await service({ extraRevisionOn: ["source_config.build_command"] });
  const stack = await stackOn(emulator);
  await stack.up(declares());
  const changed = declares({
    sourceConfig: { buildCommand: "make", resourceSpec: { minScale: 1, maxScale: 3 } },
  });
  const up = await stack.up(changed);
  expect(up.error).toBeUndefined();
  const report = up.diagnostics.find(({ severity }) => severity === "warning");
  expect(report?.message).toMatch(
    /NOT as planned: the plan said no new revision, but this update created revision .*sourceConfig.buildCommand.*profileOverrides/,
  );
  expect(revisionCount(emulator)).toBe(2);
});

test("an override of a class changes the verdict", async () => {
  const emulator = await service({ extraRevisionOn: ["source_config.build_command"] });
  const overrides = JSON.stringify({ classes: { "sourceConfig.buildCommand": "newRevision" } });
  const stack = await stackOn(emulator, { environment: { DEPLOYMENT_CONTROL_PROFILE_OVERRIDES: overrides } });
  await stack.up(declares());
  const up = await stack.up(
    declares({ sourceConfig: { buildCommand: "make", resourceSpec: { minScale: 1, maxScale: 3 } } }),
  );
  expect(lines(up)[0]).toBe(
    'deployment "chat": creates a new revision (sourceConfig.buildCommand (not set) -> make)',
  );
  expect(lines(up)[1]).toContain("as planned, a new revision");
});

test("one more request shows that a revision came from an earlier push, not from the in-place update", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const source = { source: "repohost", sourceRevisionConfig: { repoRef: "main" } } as const;
  const created = await stack.up(declares({ ...source, sourceConfig: { buildOnPush: true } }));
  emulator.push(created.outputs.id as string, { commitSha: "0123456789012345678901234567890123456789" });
  const up = await stack.up(declares({ ...source, sourceConfig: { buildOnPush: false } }));
  expect(sent(up)).toEqual(["PATCH /v2/deployments/ID", "GET /v2/deployments/ID/revisions"]);
  expect(lines(up).join()).toContain("as planned, no new revision");
  expect(up.diagnostics.filter(({ severity }) => severity === "warning")).toEqual([]);
});
