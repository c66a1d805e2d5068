import { Deployment, Rollout } from "../support/engine/form";
import { bodiesOf, chat, FIRST_IMAGE, revisionCount, SECOND_IMAGE, sent } from "../support/engine/programs";
import { closeAll, type Run, service, stackOn } from "../support/engine/stack";

afterEach(() => closeAll());

interface Fleet {
  readonly count: number;
  /** How many of them, from the first on, run the second image. */
  readonly changed?: number;
  readonly maxScale?: number;
  readonly timeoutSeconds?: number;
  readonly connections?: readonly (string | undefined)[];
}

const nameOf = (index: number) => `agent-${String(index + 1).padStart(3, "0")}`;

/** Deployments that do not wait by themselves, and one rollout of all. */
function fleet({ count, changed = 0, maxScale = 2, timeoutSeconds, connections = [] }: Fleet) {
  return () => {
    const deployments = Array.from(
      { length: count },
      (_, index) =>
        new Deployment(
          nameOf(index),
          chat({
            name: nameOf(index),
            sourceConfig: { resourceSpec: { maxScale } },
            sourceRevisionConfig: { imageUri: index < changed ? SECOND_IMAGE : FIRST_IMAGE },
            rollout: { wait: false },
            ...(connections[index] ? { connection: connections[index] } : {}),
          }),
        ),
    );
    const { deployed, seconds, revisions } = new Rollout("fleet", { deployments, timeoutSeconds });
    return { deployed, seconds, revisions };
  };
}

/** What the rollout said. */
function said(run: Run): string[] {
  return run.diagnostics
    .map(({ message }) => message)
    .filter((message) => message.startsWith('rollout "fleet": '))
    .map((message) => message.replace('rollout "fleet": ', ""));
}

const reads = (run: Run) => sent(run).filter((request) => request.startsWith("GET"));

test("one rollout waits for all at once: one listing in each round, a line for each change", async () => {
  const emulator = await service({ revisionSeconds: 0.9 });
  const stack = await stackOn(emulator);
  const up = await stack.up(fleet({ count: 20 }));
  expect(up.error).toBeUndefined();
  const latest = emulator.deployments().map(({ name, latest_revision_id }) => [name, latest_revision_id]);
  expect(up.outputs.deployed).toBe(20);
  expect(up.outputs.revisions).toEqual(Object.fromEntries(latest));
  expect(said(up).at(-1)).toMatch(/^20 of 20 deployed after \d(\.\d)? s \(0 waiting\)$/);
  expect(new Set(said(up)).size).toBe(said(up).length);
  const seconds = up.outputs.seconds as number;
  const listings = reads(up).filter((request) => request === "GET /v2/deployments").length;
  // One listing for the creations; then one in each round of at least 0.2 s.
  expect(listings).toBeLessThanOrEqual(2 + 1 + Math.ceil(seconds / 0.2));
  // No revision is looked at but the last one's, which may be left alone: then a look stands for the listing. On a machine
  // so busy that they might have stalled, some are.
  expect(reads(up).length - listings).toBeLessThanOrEqual(seconds < 2 ? 1 : 2 * 20);
});

test("a service with many others takes no more requests", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  await stack.up(fleet({ count: 2 }));
  // Listed before the older ones.
  emulator.seed(150);
  const up = await stack.up(fleet({ count: 2, changed: 1 }));
  expect(up.error).toBeUndefined();
  const [patch, ...others] = sent(up);
  expect(patch).toBe("PATCH /v2/deployments/ID");
  // The update's own proof that it made a revision, and one round: only the two are asked for.
  expect(others.filter((request) => request === "GET /v2/deployments")).toHaveLength(1);
  expect(others.filter((request) => request !== "GET /v2/deployments")).toEqual([
    "GET /v2/deployments/ID/revisions",
  ]);
});

test("it updates exactly when a deployment gets a revision or is added, which the plan says without a request", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  expect((await stack.preview(fleet({ count: 2 }))).steps).toMatchObject({ fleet: "create" });
  await stack.up(fleet({ count: 2 }));
  const cases: [Fleet, string[]][] = [
    [{ count: 2 }, []],
    [{ count: 2, maxScale: 5 }, ["agent-001", "agent-002"]],
    [{ count: 2, changed: 1, maxScale: 5 }, ["agent-001", "fleet"]],
    [{ count: 3, changed: 1, maxScale: 5 }, ["agent-003", "fleet"]],
  ];
  for (const [program, changes] of cases) {
    const plan = await stack.preview(fleet(program));
    expect(plan.error).toBeUndefined();
    expect(Object.keys(plan.steps).sort()).toEqual(changes);
    expect(plan.requests).toEqual([]);
    const up = await stack.up(fleet(program));
    expect(up.error).toBeUndefined();
    expect(Object.keys(up.steps).sort()).toEqual(changes);
    if (!changes.includes("fleet")) expect(reads(up)).not.toContain("GET /v2/deployments");
  }
  const plan = await stack.preview(fleet({ count: 3, changed: 3, maxScale: 5 }));
  expect(said(plan)).toEqual([
    "waits for the newest revisions of 3 deployments (new or changed: agent-002, agent-003)",
  ]);
  const asked = emulator.requests.length;
  expect((await stack.up(fleet({ count: 2, changed: 1, maxScale: 5 }))).error).toBeUndefined();
  expect(emulator.requests.length).toBe(asked);
});

test("failures are reported when all others have ended; after a refresh the next up makes the revisions again and waits", async () => {
  const emulator = await service({ revisionSeconds: 0.3 });
  const stack = await stackOn(emulator);
  await stack.up(fleet({ count: 4 }));
  emulator.failNext({ kind: "revision", status: "DEPLOY_FAILED", times: 2 });
  const failed = await stack.up(fleet({ count: 4, changed: 4 }));
  expect(failed.error).toMatch(/rollout "fleet": 2 of 4 failed after [\d.]+ s; 2 deployed/);
  const rows = [...failed.text.matchAll(/(agent-\d+) +[0-9a-f-]{36} +DEPLOY_FAILED +[\d.]+/g)];
  expect(new Set(rows.map(([, name]) => name)).size).toBe(2);
  const { outputs } = await stack.recorded("fleet");
  expect(outputs).toMatchObject({ deployed: 2, rolloutState: "failed" });

  const again = await stack.up(fleet({ count: 4, changed: 4 }));
  expect(again.error).toContain("2 of 4 failed");
  expect(bodiesOf(again, "PATCH")).toEqual([]);

  expect((await stack.refresh()).error).toBeUndefined();
  const plan = await stack.preview(fleet({ count: 4, changed: 4 }));
  expect(Object.values(plan.steps)).toEqual(["update", "update", "update"]);
  expect(said(plan)).toEqual([
    expect.stringMatching(
      /^waits for the newest revisions of 4 deployments \(the last wait ended failed; made again: agent-00\d, agent-00\d\)$/,
    ),
  ]);
  const up = await stack.up(fleet({ count: 4, changed: 4 }));
  expect(up.error).toBeUndefined();
  expect(bodiesOf(up, "PATCH")).toHaveLength(2);
  const counts = [0, 1, 2, 3].map((index) => revisionCount(emulator, nameOf(index)));
  expect(counts.sort()).toEqual([2, 2, 3, 3]);
  expect((await stack.up(fleet({ count: 4, changed: 4 }))).steps).toEqual({});
});

test("a wait that was cut short is resumed by the next up, without a second revision", async () => {
  const emulator = await service({ revisionSeconds: 600 });
  const stack = await stackOn(emulator);
  const program = fleet({ count: 2, timeoutSeconds: 1 });
  const cut = await stack.up(program);
  expect(cut.error).toMatch(/2 of 2 were not deployed in time after 1(\.\d)? s; 0 deployed/);
  expect(Object.values((await stack.preview(program)).steps)).toEqual(["update"]);
  for (const { id } of emulator.deployments()) emulator.settle(id, "DEPLOYED");
  const up = await stack.up(program);
  expect(up.error).toBeUndefined();
  expect(sent(up)).toEqual(["GET /v2/deployments"]);
  expect((await stack.up(program)).steps).toEqual({});
});

test("deployments of several services are waited for together, each on its own", async () => {
  const [near, far] = [await service({ revisionSeconds: 0.3 }), await service({ revisionSeconds: 0.3 })];
  const connections = JSON.stringify({ far: { baseUrl: far.url } });
  const stack = await stackOn(near, { environment: { DEPLOYMENT_CONTROL_CONNECTIONS: connections } });
  const program = fleet({ count: 3, connections: [undefined, "far", "far"] });
  const up = await stack.up(program);
  expect(up.error).toBeUndefined();
  expect(up.outputs.deployed).toBe(3);
  expect([near, far].map((emulator) => emulator.deployments().length)).toEqual([1, 2]);
  expect((await stack.preview(program)).steps).toEqual({});
  expect((await stack.up(program)).steps).toEqual({});
});

test("refresh and destroy of a rollout send no request", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  await stack.up(fleet({ count: 1 }));
  const refresh = await stack.refresh();
  expect(refresh.error).toBeUndefined();
  // The deployment's own refresh.
  expect(sent(refresh)).toEqual(["GET /v2/deployments"]);
  const destroy = await stack.destroy();
  expect(destroy.error).toBeUndefined();
  expect(said(destroy)).toEqual([]);
});

test("anything but a list of deployments is refused", () => {
  for (const deployments of [["agent-001"], undefined, "agent-001"]) {
    expect(() => new Rollout("fleet", { deployments: deployments as never })).toThrow(
      'Rollout "fleet": deployments: allowed: a list of Deployment resources of this program',
    );
  }
});
