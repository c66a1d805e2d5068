/** A run that uses the dynamic form is killed, and the next run uses the plugin. */
import { WITHOUT_CHECKPOINTS } from "../support/faults/faultStack";
import { oneCase, tally } from "../support/faults/killCase";
import { POINTS } from "../support/faults/killPoints";

describe.each([
  ["with checkpoints", {}],
  ["without checkpoints", WITHOUT_CHECKPOINTS],
] as const)("%s", (checkpoints, environment) => {
  const expectGood = tally(`killed, then moved to the plugin, ${checkpoints}`);

  test.each(Object.keys(POINTS))(
    "%s: the plugin continues the work of a killed run of the dynamic form",
    async (name) => expectGood(await oneCase(name, "both", { moves: true, environment })),
    600_000,
  );
});
