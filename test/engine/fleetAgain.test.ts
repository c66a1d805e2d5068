import { Deployment, Rollout } from "../support/engine/form";
import { bodiesOf, chat, lines, revisionCount } from "../support/engine/programs";
import { closeAll, type Run, service, stackOn } from "../support/engine/stack";

afterEach(() => closeAll());

/** Two deployments that do not wait by themselves, and one rollout of both. */
const pair = (maxScale = 2) => {
  return () => {
    const deployments = ["one", "two"].map(
      (name) =>
        new Deployment(
          name,
          chat({
            name,
            source: "repohost",
            sourceConfig: { resourceSpec: { maxScale: name === "one" ? maxScale : 2 } },
            sourceRevisionConfig: { repoRef: "main" },
            rollout: { wait: false },
          }),
        ),
    );
    const { deployed, revisions } = new Rollout("pair", { deployments });
    return { deployed, revisions };
  };
};

const said = (run: Run): string[] =>
  run.diagnostics.map(({ message }) => message).filter((message) => message.startsWith("rollout "));

test("a revision that is made again without a change of arguments is waited for, and the plan says so", async () => {
  const emulator = await service({ revisionSeconds: 0.3 });
  const stack = await stackOn(emulator);
  expect((await stack.up(pair())).error).toBeUndefined();
  const one = emulator.deployments().find(({ name }) => name === "one");
  emulator.push(one?.id as string, {});
  emulator.settle(one?.id as string, "BUILD_FAILED");
  expect((await stack.preview(pair())).steps).toEqual({});
  expect((await stack.refresh()).error).toBeUndefined();

  const plan = await stack.preview(pair());
  expect(plan.steps).toEqual({ one: "update", pair: "update" });
  expect(lines(plan)[0]).toContain("makes it again");
  expect(said(plan)).toEqual([
    'rollout "pair": waits for the newest revisions of 2 deployments (made again: one)',
  ]);
  const up = await stack.up(pair());
  expect(up.error).toBeUndefined();
  expect(bodiesOf(up, "PATCH")).toHaveLength(1);
  expect(revisionCount(emulator, "one")).toBe(3);
  expect(up.outputs).toMatchObject({ deployed: 2 });
  const [latest] = emulator.deployments().filter(({ name }) => name === "one");
  expect(latest?.active_revision_id).toBe(latest?.latest_revision_id);
  expect((up.outputs.revisions as { one: string }).one).toBe(latest?.latest_revision_id);
  expect((await stack.up(pair())).steps).toEqual({});
});

test("a deployment that is only read, also over a connection, is waited for after a push; otherwise there is no update", async () => {
  const [near, far] = [await service(), await service({ apiKey: "key-of-far-service" })];
  const [[nearId = ""], [farId = ""]] = [near.seed(1), far.seed(1)];
  const connections = JSON.stringify({ far: { baseUrl: far.url, apiKey: "key-of-far-service" } });
  const stack = await stackOn(near, { environment: { DEPLOYMENT_CONTROL_CONNECTIONS: connections } });
  const program = () => {
    const read = [Deployment.get("near", nearId), Deployment.get("far", farId, { connection: "far" })];
    const own = new Deployment("own", chat({ name: "own", rollout: { wait: false } }));
    return { deployed: new Rollout("all", { deployments: [...read, own] }).deployed };
  };
  const changes = ({ steps: { near: _near, far: _far, ...others } }: Run) => others;
  const up = await stack.up(program);
  expect([up.error, up.outputs.deployed]).toEqual([undefined, 3]);
  for (const run of [await stack.preview(program), await stack.up(program), await stack.preview(program)]) {
    expect([run.error, changes(run), said(run)]).toEqual([undefined, {}, []]);
  }
  for (const [emulator, id] of [
    [near, nearId],
    [far, farId],
  ] as const) {
    emulator.push(id, {});
    expect(changes(await stack.preview(program))).toEqual({ all: "update" });
    expect(changes(await stack.up(program))).toEqual({ all: "update" });
    expect(changes(await stack.preview(program))).toEqual({});
  }
  expect((await stack.refresh()).error).toBeUndefined();
  expect(changes(await stack.preview(program))).toEqual({});
});
