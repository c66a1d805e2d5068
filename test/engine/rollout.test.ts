import { Deployment } from "../support/engine/form";
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

const second = { sourceRevisionConfig: { imageUri: SECOND_IMAGE } };

test("a revision that fails keeps the state, shows in the next plan also after refresh, and the next up makes it again", async () => {
  const emulator = await service({ revisionSeconds: 0.3 });
  const stack = await stackOn(emulator);
  await stack.up(declares());
  emulator.failNext({ kind: "revision", status: "DEPLOY_FAILED" });
  const failed = await stack.up(declares(second));
  expect(failed.error).toMatch(
    /revision \S+ ended DEPLOY_FAILED after .* s \(CREATING .* s, .*DEPLOY_FAILED\)\. Revision \S+ goes on serving\./,
  );
  const { outputs } = await stack.recorded("chat");
  expect(outputs).toMatchObject({
    latestRevisionStatus: "DEPLOY_FAILED",
    rolloutState: "failed",
    revisionGeneration: 2,
  });

  for (const look of ["before refresh", "after refresh"]) {
    if (look === "after refresh") expect((await stack.refresh()).error).toBeUndefined();
    const preview = await stack.preview(declares(second));
    expect(lines(preview)).toEqual([
      `deployment "chat": creates a new revision (makes it again: revision ${outputs.latestRevisionId} ended DEPLOY_FAILED)`,
    ]);
  }
  const up = await stack.up(declares(second));
  expect(up.error).toBeUndefined();
  expect(bodiesOf(up, "PATCH")).toEqual([{ source_revision_config: { image_uri: SECOND_IMAGE } }]);
  expect(revisionCount(emulator)).toBe(3);
  expect(emulator.deployments()[0]?.revisions[0]?.source_revision_config).toMatchObject({
    image_uri: SECOND_IMAGE,
  });
  expect((await stack.up(declares(second))).steps).toEqual({});
});

test("a creation whose revision fails is kept and not created a second time", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  emulator.failNext({ kind: "revision", status: "CREATE_FAILED" });
  const failed = await stack.up(declares());
  expect(failed.error).toContain("ended CREATE_FAILED");
  expect(failed.error).toContain("No revision serves");
  const up = await stack.up(declares());
  expect(up.error).toBeUndefined();
  expect(emulator.deployments()).toHaveLength(1);
  expect(revisionCount(emulator)).toBe(2);
  expect((await stack.up(declares())).steps).toEqual({});
});

test("a wait that was cut short is resumed by the next up, without a second revision", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  await stack.up(declares());
  emulator.behaviour.revisionSeconds = 600;
  const cut = await stack.up(declares({ ...second, rollout: { timeoutSeconds: 1 } }));
  expect(cut.error).toMatch(
    /was not deployed within 1(\.\d)? s, last seen CREATING.*The next up resumes the wait/s,
  );
  const id = emulator.deployments()[0]?.id as string;
  const preview = await stack.preview(declares({ ...second, rollout: { timeoutSeconds: 1 } }));
  expect(lines(preview)[0]).toMatch(/resumes waiting for revision \S+ \(CREATING\)/);
  emulator.settle(id, "DEPLOYED");
  const up = await stack.up(declares({ ...second, rollout: { timeoutSeconds: 1 } }));
  expect(up.error).toBeUndefined();
  expect(bodiesOf(up, "PATCH")).toEqual([]);
  expect(revisionCount(emulator)).toBe(2);
  expect((await stack.recorded("chat")).outputs).toMatchObject({
    latestRevisionStatus: "DEPLOYED",
    rolloutState: "deployed",
  });
});

test("the option customTimeouts sets the rollout's time-out", async () => {
  const emulator = await service({ revisionSeconds: 600 });
  const stack = await stackOn(emulator);
  const up = await stack.up(() => {
    new Deployment("chat", chat(), { customTimeouts: { create: "1s" } });
  });
  expect(up.error).toMatch(/was not deployed within 1(\.\d)? s/);
});

test("a revision that is superseded is followed to the newer one, and says so", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const program = { source: "repohost", sourceRevisionConfig: { repoRef: "main" } } as const;
  const created = await stack.up(declares(program));
  emulator.behaviour.revisionSeconds = 1.5;
  const id = created.outputs.id as string;
  const running = stack.up(declares({ ...program, sourceRevisionConfig: { repoRef: "v2" } }));
  while (revisionCount(emulator) < 2) await new Promise((resolve) => setTimeout(resolve, 50));
  const newer = emulator.push(id, {});
  const up = await running;
  expect(up.error).toBeUndefined();
  expect(lines(up).join("\n")).toMatch(
    new RegExp(`was INTERRUPTED; following the newer revision ${newer.id}`),
  );
  expect((await stack.recorded("chat")).outputs.latestRevisionId).toBe(newer.id);
});

test("without waiting an update ends with its proof, and a failed revision shows after the next refresh", async () => {
  const emulator = await service({ revisionSeconds: 600 });
  const stack = await stackOn(emulator);
  const args = { ...second, rollout: { wait: false } };
  await stack.up(declares({ rollout: { wait: false } }));
  const up = await stack.up(declares(args));
  expect(sent(up)).toEqual(["PATCH /v2/deployments/ID", "GET /v2/deployments/ID/revisions"]);
  expect((await stack.up(declares(args))).steps).toEqual({});
  emulator.settle(emulator.deployments()[0]?.id as string, "BUILD_FAILED");
  emulator.behaviour.revisionSeconds = 0;
  await stack.refresh();
  const preview = await stack.preview(declares(args));
  expect(lines(preview)[0]).toMatch(
    /creates a new revision \(makes it again: revision \S+ ended BUILD_FAILED\)/,
  );
  await stack.up(declares(args));
  expect(revisionCount(emulator)).toBe(3);
});

test("onFailure restore deploys the last good settings again, still fails the up, and the next plan shows the change again", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const restoring = { ...second, rollout: { onFailure: "restore" } } as const;
  await stack.up(declares({ rollout: { onFailure: "restore" } }));
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const up = await stack.up(declares(restoring));
  expect(up.error).toMatch(
    /ended BUILD_FAILED .*The settings of the last deployed revision, \S+, were restored: deployed as revision \S+/s,
  );
  expect(bodiesOf(up, "PATCH")).toEqual([
    { source_revision_config: { image_uri: SECOND_IMAGE } },
    { source_revision_config: { image_uri: FIRST_IMAGE } },
  ]);
  const [deployment] = emulator.deployments();
  expect(deployment?.active_revision_id).toBe(deployment?.latest_revision_id);
  expect(deployment?.revisions[0]?.source_revision_config).toMatchObject({ image_uri: FIRST_IMAGE });
  const preview = await stack.preview(declares(restoring));
  expect(lines(preview)[0]).toContain(
    `creates a new revision (sourceRevisionConfig.imageUri ${FIRST_IMAGE} -> ${SECOND_IMAGE})`,
  );
});

test("onFailure restore says so when nothing was ever deployed", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const up = await stack.up(declares({ rollout: { onFailure: "restore" } }));
  expect(up.error).toContain("no revision of it was ever deployed: nothing to restore");
  expect(bodiesOf(up, "PATCH")).toEqual([]);
});

test("a deployment that awaits its database is waited out", async () => {
  const emulator = await service({ databaseSeconds: 1 });
  const stack = await stackOn(emulator);
  const up = await stack.up(declares());
  expect(up.error).toBeUndefined();
  expect((await stack.recorded("chat")).outputs).toMatchObject({
    status: "READY",
    latestRevisionStatus: "DEPLOYED",
  });
});
