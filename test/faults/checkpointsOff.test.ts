/** The engine writes the state only at its end: after an earlier kill, only the journal knows what was made. */
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
  stopService,
} from "../support/faults/faultStack";
import { inTheWhole } from "../support/faults/inTheWhole";
import {
  type Finding,
  figuresOf,
  GOOD,
  NOTHING,
  oneCase,
  together,
  VICTIMS,
} from "../support/faults/killCase";
import { Fleet, type Found, pluginsEnded } from "../support/faults/killedFleet";
import { chat, POINTS } from "../support/faults/killPoints";
import { Random } from "../support/faults/random";
import { isWhole, sized, tellFigures } from "../support/faults/size";

const WITHOUT = `checkpoints off${isPlugin ? ", plugin" : ""}`;
const OFF = { PULUMI_SKIP_CHECKPOINTS: "1", PULUMI_EXPERIMENTAL: "1" };
const LONG = 3_600_000;
const COUNT = 6;
const several = (image: string): Program =>
  Object.fromEntries(
    Array.from({ length: COUNT }, (_, index) => {
      const name = `chat-${index}`;
      return [name, chat({ name, sourceRevisionConfig: { imageUri: `registry.example/chat:${image}` } })];
    }),
  );

let total: Finding = NOTHING;
const opened: { service: Service; stack: FaultStack }[] = [];
afterEach(async () => {
  for (const { service, stack } of opened.splice(0)) {
    stack.close();
    await stopService(service);
  }
});
afterAll(() => tellFigures(`${WITHOUT}, kill matrix: ${figuresOf(total)}`));

async function begun(options: ConstructorParameters<typeof FaultStack>[1] = {}) {
  const service = await startService();
  const stack = await new FaultStack(service.gate, { ...options, environment: OFF }).init();
  opened.push({ service, stack });
  return { service, stack };
}

const stateOf = (stack: FaultStack): string =>
  path.join(stack.folder, "state", ".pulumi", "stacks", "faults", "test.json");

/** From now on, opening the state blocks forever. */
function block(stack: FaultStack): () => void {
  const file = stateOf(stack);
  renameSync(file, `${file}.kept`);
  execFileSync("mkfifo", [file]);
  return () => {
    rmSync(file, { force: true });
    renameSync(`${file}.kept`, file);
  };
}

/** From now on, the state cannot be written, as on a full disk. */
function fill(stack: FaultStack): () => void {
  const folder = path.dirname(stateOf(stack));
  renameSync(folder, `${folder}.kept`);
  writeFileSync(folder, "no folder");
  return () => {
    rmSync(folder);
    renameSync(`${folder}.kept`, folder);
  };
}

/** Applies the program once more, as a user does after the kill, and returns the result. */
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

async function killedBeforeTheState(operation: "create" | "update", victim = kill) {
  const { service, stack } = await begun();
  if (operation === "update") await stack.must(several("1"), "up", "--yes", "--skip-preview");
  const program = several(operation === "create" ? "1" : "2");
  service.gate.arrivals.length = 0;
  const running = stack.start(program, "up", "--yes", "--skip-preview");
  await service.gate.arrival(operation === "create" ? "POST" : "PATCH", /./);
  const unblock = block(stack);
  await pluginsEnded(running);
  const below = await descendantsOf(running.child.pid as number);
  victim([running.child.pid as number, ...below.map(({ pid }) => pid)]);
  await running.ended;
  unblock();
  return convergesTo(program, operation === "create" ? 1 : 2, { service, stack });
}

test(
  "if the engine is killed while it writes the state, the next run takes over the creations, and warns of each",
  async () => {
    const text = await killedBeforeTheState("create");
    // The engine shows a warning at once, and again at the end.
    const takeovers = text.match(/takes over \S+, which an interrupted run made/g);
    expect(new Set(takeovers).size).toBe(COUNT);
  },
  LONG,
);

inTheWhole(
  "if the engine is killed while it writes the state, the next run makes no revision again",
  async () => void (await killedBeforeTheState("update")),
  LONG,
);

inTheWhole(
  "if the engine could not write its state, the next run takes over the creations, with checkpoints and without",
  async () => {
    for (const environment of [OFF, {}]) {
      const service = await startService();
      const stack = await new FaultStack(service.gate, { environment }).init();
      opened.push({ service, stack });
      const running = stack.start(several("1"), "up", "--yes", "--skip-preview");
      await service.gate.arrival("POST", /./);
      const empty = fill(stack);
      expect((await running.ended).code).not.toBe(0);
      empty();
      await convergesTo(several("1"), 1, { service, stack });
    }
  },
  LONG,
);

inTheWhole(
  "Ctrl-C twice leaves nothing behind that the next up does not take over",
  async () => {
    const { service, stack } = await begun();
    service.emulator.behaviour.latencyMs = 100;
    const running = stack.start(several("1"), "up", "--yes", "--skip-preview", "--parallel", "2");
    await service.gate.arrival("POST", /./, 4);
    const below = await descendantsOf(running.child.pid as number);
    for (const pauseMs of [200, 0]) {
      running.child.kill("SIGINT");
      await new Promise((done) => setTimeout(done, pauseMs));
    }
    await running.ended;
    kill(below.map(({ pid }) => pid));
    service.emulator.behaviour.latencyMs = 0;
    await convergesTo(several("1"), 1, { service, stack });
  },
  LONG,
);

const matrix = Object.keys(POINTS).flatMap((name) => VICTIMS.map((victim) => [name, victim] as const));
if (isWhole)
  test.each(matrix)(
    "%s, %s: after a kill without checkpoints, one up recovers",
    async (name, victim) => {
      const finding = await oneCase(name, victim, { environment: OFF });
      total = together(total, finding);
      expect(finding).toMatchObject(GOOD);
    },
    LONG,
  );

/** A failure names its seed. */
const SEED = Number(process.env.FAULT_SEED ?? 1);
const RUNS = sized(0, Number(process.env.FAULT_RUNS ?? (isPlugin ? 24 : 40)));

inTheWhole(
  "killed at random moments of runs of fifty that create, change, replace, adopt and delete: nothing twice, nothing lost",
  async () => {
    const none = { runs: 0, duplicates: 0, lost: 0, notConverged: 0, needless: 0, requestsAfterDeath: 0 };
    const counted = { ...none };
    const stories: string[] = [];
    let longest = 0;
    for (let seed = SEED; counted.runs < RUNS; seed += 1) {
      const random = new Random(seed);
      const fleet = await Fleet.on(random, OFF);
      try {
        for (let run = 0; run < 8 && counted.runs < RUNS; run += 1) {
          const finding = (await fleet.killedRun(random, run)) as Found;
          counted.runs += 1;
          counted.duplicates += finding.duplicates;
          counted.lost += finding.lost;
          counted.notConverged += finding.story === "" ? 0 : 1;
          counted.needless += finding.needless;
          counted.requestsAfterDeath += finding.requestsAfterDeath;
          longest = Math.max(longest, finding.seconds);
          if (finding.story !== "") stories.push(`seed ${seed}, run ${run}: ${finding.story}`);
        }
      } finally {
        await fleet.close();
      }
    }
    const endWords = `provider gone within ${longest.toFixed(2)} s`;
    tellFigures(`${WITHOUT}, random kills of runs of 50: ${JSON.stringify(counted)}, ${endWords}`);
    expect(stories).toEqual([]);
    expect(counted).toEqual({ ...none, runs: RUNS });
  },
  LONG,
);
