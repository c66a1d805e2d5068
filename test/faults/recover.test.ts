/** After a kill, the next run is on a second machine. The two machines share only the backend. */
import { MATRIX, oneCase, tally } from "../support/faults/killCase";
import { expectNoFaults } from "../support/faults/killedFleet";

const LONG = 1_200_000;
const expectGood = tally("kill matrix, another machine");

const isProviderAlone = ([, victim]: (typeof MATRIX)[number]) => victim === "provider";

test.each(MATRIX.filter((each) => !isProviderAlone(each)))(
  "%s, %s: after the kill, `recover` and a single `pulumi up` on a second machine make nothing twice",
  async (name, victim) => expectGood(await oneCase(name, victim, { elsewhere: true, recovers: true })),
  LONG,
);

const expectNoneTwice = tally("kill matrix, another machine, provider alone", {
  duplicates: 0,
  requestsAfterDeath: 0,
  orphans: 0,
});

// The engine outlives its provider, records the operation as failed, and leaves nothing pending in the state. There is
// then no proof that the service has a secret's value, so an update that changes a secret is sent again.
test.each(MATRIX.filter(isProviderAlone))(
  "%s, %s alone: `pulumi up` on a second machine refuses to create an existing deployment, and repeats an update only if the update changes a secret",
  async (name, victim) => {
    const finding = await oneCase(name, victim, { elsewhere: true, recovers: true });
    expectNoneTwice(finding);
    expect(finding.lost).toBeLessThanOrEqual(name.startsWith("create:") ? 1 : 0);
    expect(finding.needless).toBeLessThanOrEqual(name.startsWith("revision:") ? 1 : 0);
    expect(finding.notConverged).toBe(finding.lost);
    if (finding.lost > 0) expect(finding.stories.join()).toMatch(/exists already .*set adopt: /);
  },
  LONG,
);

test(
  "runs of fifty deployments, killed at random and continued on a second machine, make nothing twice and lose nothing",
  () =>
    expectNoFaults({
      label: "another machine",
      runs: Number(process.env.FAULT_RUNS ?? 30),
      recovers: true,
    }),
  3_600_000,
);
