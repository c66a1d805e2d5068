import { FaultStack, type Service, startService, stopService } from "../support/faults/faultStack";
import { inTheWhole } from "../support/faults/inTheWhole";
import { type Killed, killIn } from "../support/faults/killCase";
import { chat } from "../support/faults/killPoints";
import { sized, tellFigures } from "../support/faults/size";

const COUNT = 12;
const program = Object.fromEntries(
  Array.from({ length: COUNT }, (_, index) => [
    `chat-${index}`,
    chat({ name: `chat-${index}`, rollout: { wait: false } }),
  ]),
);

/** Kills the engine in the middle of many creations, which run one at a time. */
async function orphaned(naive: boolean): Promise<{ service: Service; stack: FaultStack; killed: Killed }> {
  const service = await startService({ latencyMs: 150 });
  const stack = new FaultStack(service.gate, {
    naive,
    environment: { DEPLOYMENT_CONTROL_MAX_CONCURRENCY: "1" },
  });
  await stack.init();
  const running = stack.start(program, "up", "--yes", "--skip-preview", "--parallel", "32");
  await service.gate.arrival("POST", /./, 3);
  return { service, stack, killed: await killIn(running, "CLI", service) };
}

const opened: { service: Service; stack: FaultStack }[] = [];
afterEach(async () => {
  for (const { service, stack } of opened.splice(0)) {
    stack.close();
    await stopService(service);
  }
});

test("a provider whose engine is gone sends nothing more and ends, and the next up makes the missing deployments", async () => {
  let [runs, late, left, longest] = [0, 0, 0, 0];
  for (; runs < sized(1, 5); runs += 1) {
    const orphan = await orphaned(false);
    opened.push(orphan);
    late += orphan.killed.requestsAfterDeath;
    left += orphan.killed.byThemselves ? 0 : 1;
    longest = Math.max(longest, orphan.killed.seconds);
    orphan.service.emulator.behaviour.latencyMs = 0;
    await orphan.stack.cancel();
    expect(await orphan.stack.up(program)).toMatchObject({ code: 0 });
    expect(orphan.service.emulator.deployments()).toHaveLength(COUNT);
    expect((await orphan.stack.ids()).length).toBe(COUNT);
  }
  tellFigures(
    `orphans: ${runs} runs, ${late} requests after the engine's death, gone after ${longest.toFixed(2)} s at most`,
  );
  expect([late, left]).toEqual([0, 0]);
}, 600_000);

inTheWhole(
  "the same test catches the naive provider, which keeps sending POSTs",
  async () => {
    const orphan = await orphaned(true);
    opened.push(orphan);
    tellFigures(
      `orphans, naive provider: ${orphan.killed.requestsAfterDeath} requests after the engine's death`,
    );
    expect(orphan.killed.requestsAfterDeath).toBeGreaterThan(0);
  },
  600_000,
);
