/** The run after a kill is on another machine, which has only the backend in common with the first. */
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

const LONG = 1_200_000;

let total: Finding = NOTHING;
afterAll(() => tellFigures(`kill matrix, another machine${isPlugin ? ", plugin" : ""}: ${figuresOf(total)}`));

const SHORT = [
  ["create: answered, before the journal has the id", "both"],
  ["update: answered, before the journal has the revision", "both"],
] as const;

const whole = Object.keys(POINTS).flatMap((name) => VICTIMS.map((victim) => [name, victim] as const));

test.each(isWhole ? whole : SHORT)(
  "%s, %s: after the kill, recover and one up on another machine make nothing twice",
  async (name, victim) => {
    const found = await oneCase(name, victim, { elsewhere: true, recovers: true });
    total = together(total, found);
    expect(found).toMatchObject(GOOD);
  },
  LONG,
);

inTheWhole(
  "the same test catches an up on another machine that nothing recovers: it fails",
  async () => {
    const found = await oneCase("create: answered, before the journal has the id", "both", {
      elsewhere: true,
      recovers: false,
    });
    expect(found.notConverged).toBe(1);
  },
  LONG,
);
