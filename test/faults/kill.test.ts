import { isPlugin } from "../support/engine/form";
import { figuresOf, MATRIX, oneCase, tally } from "../support/faults/killCase";
import { inTheWhole, isWhole, tellFigures } from "../support/faults/size";

/**
 * A test performs each kill this many times, because the effect of a kill is partly random. The plugin's test performs
 * each kill once, because the form does not change the random part.
 */
const REPEATS = isPlugin ? 1 : 3;
const LONG = 1_200_000;
const expectGood = tally("kill matrix");

/** `npm test` kills only during a request. The provider either survives and gets the answer, or is killed too. */
const SHORT = [
  ["create: request received, not answered", "CLI"],
  ["revision: request received, not answered", "both"],
] as const;

test.each(isWhole ? MATRIX : SHORT)(
  "%s, %s: after the kill, a single `pulumi up` recovers",
  async (name, victim) => {
    for (let repeat = 0; repeat < (isWhole ? REPEATS : 1); repeat += 1)
      expectGood(await oneCase(name, victim));
  },
  LONG,
);

inTheWhole("the naive provider makes a duplicate, and the test notices the duplicate", async () => {
  const finding = await oneCase("create: answered, before the journal has the id", "both", { naive: true });
  expect(finding.duplicates).toBe(1);
  tellFigures(`kill matrix, naive provider: ${figuresOf(finding)}`);
});
