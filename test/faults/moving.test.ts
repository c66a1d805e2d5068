/** A run of the dynamic form is killed, and the next run uses the plugin. */

import { type Finding, figuresOf, GOOD, NOTHING, oneCase, together } from "../support/faults/killCase";
import { POINTS } from "../support/faults/killPoints";
import { tellFigures } from "../support/faults/size";

const LONG = 1_800_000;
const ALONE = { PULUMI_SKIP_CHECKPOINTS: "1", PULUMI_EXPERIMENTAL: "1" };

for (const [checkpoints, environment] of [
  ["with checkpoints", {}],
  ["without", ALONE],
] as const)
  test(
    `the plugin continues the work of a killed run of the dynamic form: ${checkpoints}`,
    async () => {
      let total: Finding = NOTHING;
      for (const name of Object.keys(POINTS))
        total = together(total, await oneCase(name, "both", { moves: true, environment }));
      tellFigures(`killed, then moved to the plugin, ${checkpoints}: ${figuresOf(total)}`);
      expect(total).toMatchObject(GOOD);
    },
    LONG,
  );
