import { FaultStack, startService } from "../support/faults/faultStack";
import { killIn } from "../support/faults/killCase";
import { several } from "../support/faults/killPoints";
import { sized, tellFigures } from "../support/faults/size";

const COUNT = 12;
const program = several(COUNT, { rollout: { wait: false } });

/** Kills the engine in the middle of many creations, which the provider sends one at a time. */
async function orphaned() {
  const service = await startService({ latencyMs: 150 });
  const stack = new FaultStack(service.gate, {
    environment: { DEPLOYMENT_CONTROL_MAX_CONCURRENCY: "1" },
  });
  await stack.init();
  const running = stack.startUp(program, "--parallel", "32");
  await service.gate.arrival("POST", /./, 3);
  return { service, stack, killed: await killIn(running, "CLI", service) };
}

test("a provider whose engine is gone sends nothing more and ends, and the next update makes the missing deployments", async () => {
  let [runs, late, left, longest] = [0, 0, 0, 0];
  for (; runs < sized(1, 5); runs += 1) {
    const { service, stack, killed } = await orphaned();
    late += killed.requestsAfterDeath;
    left += killed.byThemselves ? 0 : 1;
    longest = Math.max(longest, killed.seconds);
    service.emulator.behaviour.latencyMs = 0;
    await stack.cancel();
    expect(await stack.up(program)).toMatchObject({ code: 0 });
    expect(service.emulator.deployments()).toHaveLength(COUNT);
    expect((await stack.ids()).length).toBe(COUNT);
  }
  tellFigures(
    `orphans: ${runs} runs, ${late} requests after the engine's death, gone after ${longest.toFixed(2)} s at most`,
  );
  expect([late, left]).toEqual([0, 0]);
}, 600_000);
