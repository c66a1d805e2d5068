/**
 * Without checkpoints, the engine writes the state only at the end of a run. If the run is killed earlier, only the
 * journal names the deployments that the run created.
 */
import { execFileSync } from "node:child_process";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isPlugin } from "../support/engine/form";
import {
  descendantsOf,
  FaultStack,
  kill,
  type Program,
  type Service,
  startService,
  WITHOUT_CHECKPOINTS,
} from "../support/faults/faultStack";
import { MATRIX, oneCase, tally } from "../support/faults/killCase";
import { expectNoFaults, pluginsEnded } from "../support/faults/killedFleet";
import { image, several } from "../support/faults/killPoints";
import { inTheWhole, isWhole } from "../support/faults/size";

const LONG = 3_600_000;
const COUNT = 6;
const program = (tag: number): Program => several(COUNT, image(tag));
const expectGood = tally("checkpoints off, kill matrix");

async function begun(environment: Record<string, string> = WITHOUT_CHECKPOINTS) {
  const service = await startService();
  return { service, stack: await new FaultStack(service.gate, { environment }).init() };
}

/** Blocks every attempt to open the state file until the test calls the returned function. */
function block(stack: FaultStack): () => void {
  const file = stack.stateFile;
  renameSync(file, `${file}.kept`);
  execFileSync("mkfifo", [file]);
  return () => {
    rmSync(file, { force: true });
    renameSync(`${file}.kept`, file);
  };
}

/** Simulates a full disk: every attempt to write the state fails until the test calls the returned function. */
function fill(stack: FaultStack): () => void {
  const folder = path.dirname(stack.stateFile);
  renameSync(folder, `${folder}.kept`);
  writeFileSync(folder, "no folder");
  return () => {
    rmSync(folder);
    renameSync(`${folder}.kept`, folder);
  };
}

/** Applies the program once more, as a user does after a kill. Checks the outcome, and returns the run's output. */
async function convergesTo(
  program: Program,
  revisions: number,
  { service, stack }: { service: Service; stack: FaultStack },
): Promise<string> {
  await stack.cancel();
  const up = await stack.up(program);
  expect(up).toMatchObject({ code: 0 });
  expect(await stack.run(program, "preview", "--expect-no-changes")).toMatchObject({ code: 0 });
  const living = service.emulator.deployments();
  expect(living.map(({ name }) => name).sort()).toEqual(Object.keys(program).sort());
  expect((await stack.ids()).sort()).toEqual(living.map(({ id }) => id).sort());
  expect(living.map((each) => each.revisions.length)).toEqual(living.map(() => revisions));
  return up.text;
}

async function killedBeforeTheState(operation: "create" | "update") {
  const { service, stack } = await begun();
  if (operation === "update") await stack.mustUp(program(1));
  const tag = operation === "create" ? 1 : 2;
  service.gate.arrivals.length = 0;
  const running = stack.startUp(program(tag));
  await service.gate.arrival(operation === "create" ? "POST" : "PATCH", /./);
  const unblock = block(stack);
  await pluginsEnded(running);
  const below = await descendantsOf(running.child.pid as number);
  kill([running.child.pid as number, ...below.map(({ pid }) => pid)]);
  await running.ended;
  unblock();
  return convergesTo(program(tag), tag, { service, stack });
}

test(
  "if the engine is killed while it writes the state, the next run takes over each deployment with a warning",
  async () => {
    const text = await killedBeforeTheState("create");
    // The engine prints each warning twice: at once, and at the end.
    const takeovers = text.match(/takes over \S+, which an interrupted creation made/g);
    expect(new Set(takeovers).size).toBe(COUNT);
  },
  LONG,
);

inTheWhole(
  "if the engine is killed while it writes the state after updates, the next run makes no second revision",
  async () => void (await killedBeforeTheState("update")),
  LONG,
);

inTheWhole(
  "if the engine cannot write its state, with or without checkpoints, the next run takes over the deployments",
  async () => {
    for (const environment of [WITHOUT_CHECKPOINTS, {}]) {
      const { service, stack } = await begun(environment);
      const running = stack.startUp(program(1));
      await service.gate.arrival("POST", /./);
      const empty = fill(stack);
      expect((await running.ended).code).not.toBe(0);
      empty();
      await convergesTo(program(1), 1, { service, stack });
    }
  },
  LONG,
);

inTheWhole(
  "after Ctrl-C is pressed twice, the next `pulumi up` takes over all deployments that the interrupted run created",
  async () => {
    const { service, stack } = await begun();
    service.emulator.behaviour.latencyMs = 100;
    const running = stack.startUp(program(1), "--parallel", "2");
    await service.gate.arrival("POST", /./, 4);
    const below = await descendantsOf(running.child.pid as number);
    for (const pauseMs of [200, 0]) {
      running.child.kill("SIGINT");
      await new Promise((done) => setTimeout(done, pauseMs));
    }
    await running.ended;
    kill(below.map(({ pid }) => pid));
    service.emulator.behaviour.latencyMs = 0;
    await convergesTo(program(1), 1, { service, stack });
  },
  LONG,
);

if (isWhole)
  test.each(MATRIX)(
    "%s, %s: after a kill without checkpoints, a single `pulumi up` recovers",
    async (name, victim) => expectGood(await oneCase(name, victim, { environment: WITHOUT_CHECKPOINTS })),
    LONG,
  );

inTheWhole(
  "runs that create, change, replace, adopt and delete fifty deployments are killed at random: nothing is made twice or lost",
  () =>
    expectNoFaults({
      label: "checkpoints off",
      runs: Number(process.env.FAULT_RUNS ?? (isPlugin ? 24 : 40)),
      environment: WITHOUT_CHECKPOINTS,
    }),
  LONG,
);
