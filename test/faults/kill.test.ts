import { isPlugin } from "../support/engine/form";
import { inTheWhole } from "../support/faults/inTheWhole";
import {
  type Finding,
  figuresOf,
  GOOD,
  NOTHING,
  oneCase,
  together,
  VICTIMS,
} from "../support/faults/killCase";
import { POINTS } from "../support/faults/killPoints";
import { isWhole, tellFigures } from "../support/faults/size";

/** Each kill is partly random, so it is repeated; the random part is the same in both forms. */
const REPEATS = isPlugin ? 1 : 3;
const LONG = 1_200_000;

let total: Finding = NOTHING;
afterAll(() => tellFigures(`kill matrix${isPlugin ? ", plugin" : ""}: ${figuresOf(total)}`));

/**
 * In `npm test`, only the kills during a request are tried: the provider that lost its engine either still gets the
 * answer or is killed too.
 */
const SHORT = [
  ["create: request received, not answered", "CLI"],
  ["update: request received, not answered", "both"],
  ["revision: request received, not answered", "both"],
] as const;

const whole = Object.keys(POINTS).flatMap((name) => VICTIMS.map((victim) => [name, victim] as const));

test.each(isWhole ? whole : SHORT)(
  "%s, %s: after the kill, one up recovers",
  async (name, victim) => {
    for (let repeat = 0; repeat < (isWhole ? REPEATS : 1); repeat += 1) {
      const finding = await oneCase(name, victim);
      total = together(total, finding);
      expect(finding).toMatchObject(GOOD);
    }
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
