/**
 * Many stacks at once, whose journals share a folder. Some are killed at random moments, and continue on another
 * machine. The whole figure: FAULT_STACKS=20 FAULT_DEPLOYMENTS=5000 FAULT_AT_ONCE=8 FAULT_KILLS=5 npm run test:faults
 * -- test/faults/manyStacks.test.ts
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  descendantsOf,
  FaultStack,
  kill,
  type Program,
  type Service,
  startService,
  stopService,
} from "../support/faults/faultStack";
import { chat } from "../support/faults/killPoints";
import { Random } from "../support/faults/random";
import { isWhole, tellFigures } from "../support/faults/size";

const STACKS = Number(process.env.FAULT_STACKS ?? 4);
const DEPLOYMENTS = Number(process.env.FAULT_DEPLOYMENTS ?? 60);
const AT_ONCE = Number(process.env.FAULT_AT_ONCE ?? 2);
const KILLS = Number(process.env.FAULT_KILLS ?? 2);
/** A failure names its seed. */
const SEED = Number(process.env.FAULT_SEED ?? 1);
const WITHOUT_CHECKPOINTS = { PULUMI_SKIP_CHECKPOINTS: "1", PULUMI_EXPERIMENTAL: "1" };

function programOf(shard: number): Program {
  const share = Array.from({ length: DEPLOYMENTS }, (_, index) => `chat-${index}`).filter(
    (_, index) => index % STACKS === shard,
  );
  return Object.fromEntries(share.map((name) => [name, chat({ name, rollout: { wait: false } })]));
}

const creations = ({ gate }: Service): number =>
  gate.arrivals.filter(({ method }) => method === "POST").length;

/** Ends the engine and its provider when the service has received that many creations from all stacks. */
async function killedAt(count: number, stack: FaultStack, program: Program, service: Service): Promise<void> {
  const running = stack.start(program, "up", "--yes", "--skip-preview");
  let isOver = false;
  running.ended.then(() => (isOver = true));
  while (!isOver && creations(service) < count) await new Promise((done) => setTimeout(done, 5));
  const pid = running.child.pid as number;
  kill([pid, ...(await descendantsOf(pid)).map((each) => each.pid)]);
  await running.ended;
}

/** Works through the tasks, that many at a time. */
async function atOnce(count: number, tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const queue = [...tasks];
  const work = async () => {
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) await task();
  };
  await Promise.all(Array.from({ length: count }, work));
}

(isWhole ? test : test.skip)(
  `${DEPLOYMENTS} deployments in ${STACKS} stacks, ${KILLS} of them killed: each is made once, and an up without changes sends nothing`,
  async () => {
    const journal = mkdtempSync(path.join(tmpdir(), "stacks-journal-"));
    const service = await startService();
    const environment = { ...WITHOUT_CHECKPOINTS, DEPLOYMENT_CONTROL_JOURNAL: journal };
    const random = new Random(SEED);
    const shards = Array.from({ length: STACKS }, (_, index) => ({
      program: programOf(index),
      killAt: index < KILLS ? 1 + random.below((DEPLOYMENTS / STACKS) * (index + 1)) : undefined,
      stacks: [new FaultStack(service.gate, { environment })],
    }));
    const began = Date.now();
    try {
      await atOnce(
        AT_ONCE,
        shards.map(({ program, killAt, stacks }) => async () => {
          const [first] = stacks as [FaultStack];
          await first.init();
          if (killAt === undefined) return void (await first.must(program, "up", "--yes", "--skip-preview"));
          await killedAt(killAt, first, program, service);
          const next = await first.elsewhere();
          stacks.push(next);
          await next.cancel();
          await next.must(program, "up", "--yes", "--skip-preview");
        }),
      );
      const requests = service.gate.arrivals.length;
      tellFigures(
        `many stacks, seed ${SEED}: ${DEPLOYMENTS} deployments in ${STACKS} stacks, ${AT_ONCE} at a time, ${KILLS} killed: ${Math.round((Date.now() - began) / 1000)} s, ${requests} requests`,
      );
      const ids = await Promise.all(shards.map(({ stacks }) => (stacks.at(-1) as FaultStack).ids()));
      const living = service.emulator.deployments();
      expect(new Set(living.map(({ name }) => name)).size).toBe(DEPLOYMENTS);
      expect(living.map(({ id }) => id).sort()).toEqual(ids.flat().sort());
      expect(living.filter(({ revisions }) => revisions.length !== 1)).toEqual([]);
      for (const { program, stacks } of shards)
        await (stacks.at(-1) as FaultStack).must(program, "up", "--yes", "--skip-preview");
      expect(service.gate.arrivals.length).toBe(requests);
    } finally {
      for (const stack of shards.flatMap(({ stacks }) => stacks)) stack.close();
      await stopService(service);
      rmSync(journal, { recursive: true, force: true });
    }
  },
  7_200_000,
);
