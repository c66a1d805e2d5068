import { bodiesOf, declares, FIRST_IMAGE, lines, revisionCount, sent } from "../support/engine/programs";
import { closeAll, service, stackOn } from "../support/engine/stack";

afterEach(() => closeAll());

test("a refresh of an untouched deployment changes nothing, and neither does the up after it", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  await stack.up(declares());
  const refresh = await stack.refresh();
  expect(refresh.error).toBeUndefined();
  expect(refresh.steps).toEqual({ chat: "refresh" });
  expect(refresh.text).toContain("2 unchanged");
  expect(lines(refresh)).toEqual([]);
  expect((await stack.up(declares())).steps).toEqual({});
  expect((await stack.refresh()).text).toContain("2 unchanged");
});

test("what the public service derives of a small spec is neither drift nor a change of the next up", async () => {
  const emulator = await service({ profile: "langsmith" });
  const environment = { DEPLOYMENT_CONTROL_PROFILE: "langsmith" };
  const stack = await stackOn(emulator, { environment });
  const program = declares({ sourceConfig: { resourceSpec: { cpu: 0.5, minScale: 2 } } });
  await stack.up(program);
  const stored = emulator.deployments()[0]?.source_config.resource_spec;
  expect(stored).toMatchObject({ cpu: 0.5, cpu_limit: 1, queue_cpu: 0.5, queue_min_scale: 2 });
  expect((await stack.refresh()).text).toContain("2 unchanged");
  const up = await stack.up(program);
  expect([up.error, up.steps, up.requests]).toEqual([undefined, {}, []]);
});

test("drift of managed fields shows on refresh without reversed lines, and the next up sets it right", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const created = await stack.up(declares());
  emulator.change(created.outputs.id as string, {
    source_config: { resource_spec: { min_scale: 9, cpu: 4 }, install_command: "not managed here" },
  });
  const refresh = await stack.refresh();
  expect(lines(refresh)).toEqual([]);
  expect(refresh.text).toContain("1 updated");
  const up = await stack.up(declares());
  expect(lines(up)[0]).toBe(
    'deployment "chat": updates in place, no new revision (sourceConfig.resourceSpec.minScale 9 -> 1)',
  );
  expect(bodiesOf(up, "PATCH")).toEqual([
    { source_config: { resource_spec: { min_scale: 1, max_scale: 3 } } },
  ]);
  expect((await stack.refresh()).text).toContain("2 unchanged");
});

test("drift of a revision field is announced as the new revision that sets it right", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const created = await stack.up(declares());
  await fetch(`${emulator.url}/v2/deployments/${created.outputs.id}`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ source_revision_config: { image_uri: "someone/else:3" } }),
  });
  await stack.refresh();
  const up = await stack.up(declares());
  expect(lines(up)[0]).toBe(
    `deployment "chat": creates a new revision (sourceRevisionConfig.imageUri someone/else:3 -> ${FIRST_IMAGE})`,
  );
  expect(up.outputs.generation).toBe(2);
  expect(revisionCount(emulator)).toBe(3);
});

test("a secret that was removed behind the program's back is announced as added", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const created = await stack.up(declares());
  emulator.change(created.outputs.id as string, {
    secrets: [{ name: "TOKEN", value: "token-first-secret-value" }],
  });
  await stack.refresh();
  const up = await stack.up(declares());
  expect(lines(up)[0]).toBe('deployment "chat": may create a new revision (secret OPENAI_API_KEY added)');
  expect(emulator.deployments()[0]?.secrets).toHaveLength(2);
});

test("a push makes no drift of the managed ref, and the newest revision is recorded", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const program = declares({
    source: "repohost",
    sourceConfig: { buildOnPush: true },
    sourceRevisionConfig: { repoRef: "main" },
  });
  const created = await stack.up(program);
  const pushed = emulator.push(created.outputs.id as string, {});
  await stack.refresh();
  expect((await stack.recorded("chat")).outputs.latestRevisionId).toBe(pushed.id);
  expect((await stack.up(program)).steps).toEqual({});
});

test("a deployment that was deleted behind the program's back is made again", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const created = await stack.up(declares());
  emulator.remove(created.outputs.id as string);
  const refresh = await stack.refresh();
  expect(refresh.text).toContain("1 deleted");
  const up = await stack.up(declares());
  expect(up.steps).toEqual({ chat: "create" });
  expect(emulator.deployments()).toHaveLength(1);
});

test("a deployment that is being deleted counts as gone, with a warning", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const created = await stack.up(declares());
  emulator.change(created.outputs.id as string, { status: "AWAITING_DELETE" });
  const refresh = await stack.refresh();
  expect(refresh.diagnostics.find(({ severity }) => severity === "warning")?.message).toContain(
    "is being deleted on the service",
  );
  expect(refresh.text).toContain("1 deleted");
});

test("a refresh of several deployments shares one listing, also where filters are ignored and pages are capped", async () => {
  for (const behaviour of [{}, { ignoreFilters: true, pageCap: 2 }]) {
    const emulator = await service(behaviour);
    const stack = await stackOn(emulator);
    emulator.seed(3);
    await stack.up(declares());
    const refresh = await stack.refresh();
    expect(refresh.text).toContain("2 unchanged");
    expect(new Set(sent(refresh))).toEqual(new Set(["GET /v2/deployments"]));
    expect(sent(refresh).length).toBeLessThanOrEqual("pageCap" in behaviour ? 3 : 2);
  }
});
