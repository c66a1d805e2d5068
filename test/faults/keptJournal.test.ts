/** The journal is on a volume or in a CI cache. A run on a second machine continues the first machine's work. */
import { WITHOUT_CHECKPOINTS } from "../support/faults/faultStack";
import { oneCase, tally } from "../support/faults/killCase";
import { POINTS } from "../support/faults/killPoints";

const CHECKPOINTS = { with: {}, without: WITHOUT_CHECKPOINTS } as const;
const expectGood = tally("kept journal, another HOME and working copy");

const cases = Object.keys(POINTS).flatMap((name) => [[name, "with"] as const, [name, "without"] as const]);

test.each(cases)(
  "%s, %s checkpoints: after a kill, a single `pulumi up` on a different machine recovers",
  async (name, checkpoints) =>
    expectGood(await oneCase(name, "both", { elsewhere: true, environment: CHECKPOINTS[checkpoints] })),
  1_200_000,
);
