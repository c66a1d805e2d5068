import { isPlugin } from "../support/engine/form";
import { figuresOf, MATRIX, oneCase, tally } from "../support/faults/killCase";
import { inTheWhole, isWhole, tellFigures } from "../support/faults/size";

/** Each kill is partly random, so it is repeated; the random part is the same in both forms. */
const REPEATS = isPlugin ? 1 : 3;
const LONG = 1_200_000;
const expectGood = tally("kill matrix");

/**
 * In `npm test`, only the kills during a request are tried: the provider that lost its engine either still gets the
 * answer or is killed too.
 */
const SHORT = [
  ["create: request received, not answered", "CLI"],
  ["update: request received, not answered", "both"],
  ["revision: request received, not answered", "both"],
] as const;

test.each(isWhole ? MATRIX : SHORT)(
  "%s, %s: after the kill, one up recovers",
  async (name, victim) => {
    for (let repeat = 0; repeat < (isWhole ? REPEATS : 1); repeat += 1)
      expectGood(await oneCase(name, victim));
  },
  LONG,
);

test("the same test catches the naive provider: it makes a duplicate", async () => {
  const finding = await oneCase("create: answered, before the journal has the id", "both", { naive: true });
  expect(finding.duplicates).toBe(1);
  tellFigures(`kill matrix, naive provider: ${figuresOf(finding)}`);
});

inTheWhole(
  "the same test catches an update without a journal: it makes a revision that no change requires",
  async () => {
    const environment = { DEPLOYMENT_CONTROL_JOURNAL: "off" };
    const finding = await oneCase("update: while the rollout is awaited", "both", { environment });
    expect(finding.needless).toBe(1);
    tellFigures(`kill matrix, journal off: ${figuresOf(finding)}`);
  },
  LONG,
);
