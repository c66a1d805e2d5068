/**
 * Many stacks run at once, and their journals share a folder. Some runs are killed at random moments, and continue on
 * a different machine. The full run: FAULT_STACKS=20 FAULT_DEPLOYMENTS=5000 FAULT_AT_ONCE=8 FAULT_KILLS=5 npm test --
 * --part faults test/faults/manyStacks.test.ts
 */
import {
  descendantsOf,
  FaultStack,
  kill,
  type Program,
  type Service,
  startService,
  WITHOUT_CHECKPOINTS,
} from "../support/faults/faultStack";
import { chat } from "../support/faults/killPoints";
import { Random, SEED } from "../support/faults/random";
import { isWhole, tellFigures } from "../support/faults/size";
import { freshFolder } from "../support/journalFolder";

const STACKS = Number(process.env.FAULT_STACKS ?? 4);
const DEPLOYMENTS = Number(process.env.FAULT_DEPLOYMENTS ?? 60);
const AT_ONCE = Number(process.env.FAULT_AT_ONCE ?? 2);
const KILLS = Number(process.env.FAULT_KILLS ?? 2);

function programOf(shard: number): Program {
  const share = Array.from({ length: DEPLOYMENTS }, (_, index) => `chat-${index}`).filter(
    (_, index) => index % STACKS === shard,
  );
  return Object.fromEntries(share.map((name) => [name, chat({ name, rollout: { wait: false } })]));
}

const creations = ({ gate }: Service): number =>
  gate.arrivals.filter(({ method }) => method === "POST").length;

/** Kills the engine and its provider when the service has received `count` creations from all stacks together. */
async function killedAt(count: number, stack: FaultStack, program: Program, service: Service): Promise<void> {
  const running = stack.startUp(program);
  let isOver = false;
  running.ended.then(() => (isOver = true));
  while (!isOver && creations(service) < count) await new Promise((done) => setTimeout(done, 5));
  const pid = running.child.pid as number;
  kill([pid, ...(await descendantsOf(pid)).map((each) => each.pid)]);
  await running.ended;
}

/** Runs the tasks, `count` tasks at a time. */
async function atOnce(count: number, tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const queue = [...tasks];
  const work = async () => {
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) await task();
  };
  await Promise.all(Array.from({ length: count }, work));
}

(isWhole ? test : test.skip)(
  `if the runs of ${KILLS} of ${STACKS} stacks are killed, each of the ${DEPLOYMENTS} deployments is made once, and an update without changes sends nothing`,
  async () => {
    const service = await startService();
    const environment = { ...WITHOUT_CHECKPOINTS, DEPLOYMENT_CONTROL_JOURNAL: freshFolder() };
    const random = new Random(SEED);
    const shards = Array.from({ length: STACKS }, (_, index) => ({
      program: programOf(index),
      killAt: index < KILLS ? 1 + random.below((DEPLOYMENTS / STACKS) * (index + 1)) : undefined,
      stack: new FaultStack(service.gate, { environment }),
    }));
    const began = Date.now();
    await atOnce(
      AT_ONCE,
      shards.map((shard) => async () => {
        const { program, killAt, stack } = shard;
        await stack.init();
        if (killAt === undefined) return stack.mustUp(program);
        await killedAt(killAt, stack, program, service);
        shard.stack = await stack.elsewhere();
        await shard.stack.cancel();
        return shard.stack.mustUp(program);
      }),
    );
    const requests = service.gate.arrivals.length;
    tellFigures(
      `many stacks, seed ${SEED}: ${DEPLOYMENTS} deployments in ${STACKS} stacks, ${AT_ONCE} at a time, ${KILLS} killed: ${Math.round((Date.now() - began) / 1000)} s, ${requests} requests`,
    );
    const ids = await Promise.all(shards.map(({ stack }) => stack.ids()));
    const living = service.emulator.deployments();
    expect(new Set(living.map(({ name }) => name)).size).toBe(DEPLOYMENTS);
    expect(living.map(({ id }) => id).sort()).toEqual(ids.flat().sort());
    expect(living.filter(({ revisions }) => revisions.length !== 1)).toEqual([]);
    for (const { program, stack } of shards) await stack.mustUp(program);
    expect(service.gate.arrivals.length).toBe(requests);
  },
  7_200_000,
);
