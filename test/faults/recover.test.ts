/** After a kill, the next run is on another machine, which shares only the backend with the first machine. */
import { MATRIX, oneCase, tally } from "../support/faults/killCase";
import { expectNoFaults } from "../support/faults/killedFleet";

const LONG = 1_200_000;
const expectGood = tally("kill matrix, another machine");

test.each(MATRIX)(
  "%s, %s: after the kill, recover and one up on another machine make nothing twice",
  async (name, victim) => expectGood(await oneCase(name, victim, { elsewhere: true, recovers: true })),
  LONG,
);

test(
  "if the command `recover` is left out, an up on another machine does not complete the killed run, and the test notices",
  async () => {
    const finding = await oneCase("create: answered, before the journal has the id", "both", {
      elsewhere: true,
      recovers: false,
    });
    expect(finding.notConverged).toBe(1);
  },
  LONG,
);

test(
  "runs of fifty deployments, killed at random and continued on another machine, make nothing twice and lose nothing",
  () =>
    expectNoFaults({
      label: "another machine",
      runs: Number(process.env.FAULT_RUNS ?? 30),
      recovers: true,
    }),
  3_600_000,
);
