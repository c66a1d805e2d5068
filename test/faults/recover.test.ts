/** After a kill, the next run is on another machine, which shares only the backend with the first. */
import { isPlugin } from "../support/engine/form";
import {
  type Finding,
  figuresOf,
  GOOD,
  NOTHING,
  oneCase,
  together,
  VICTIMS,
} from "../support/faults/killCase";
import { Fleet } from "../support/faults/killedFleet";
import { POINTS } from "../support/faults/killPoints";
import { Random } from "../support/faults/random";
import { tellFigures } from "../support/faults/size";

const LONG = 1_200_000;

let total: Finding = NOTHING;
afterAll(() => tellFigures(`kill matrix, another machine${isPlugin ? ", plugin" : ""}: ${figuresOf(total)}`));

const cases = Object.keys(POINTS).flatMap((name) => VICTIMS.map((victim) => [name, victim] as const));

test.each(cases)(
  "%s, %s: after the kill, recover and one up on another machine make nothing twice",
  async (name, victim) => {
    const finding = await oneCase(name, victim, { elsewhere: true, recovers: true });
    total = together(total, finding);
    expect(finding).toMatchObject(GOOD);
  },
  LONG,
);

test(
  "the same test catches an up on another machine without a recovery: the up fails",
  async () => {
    const finding = await oneCase("create: answered, before the journal has the id", "both", {
      elsewhere: true,
      recovers: false,
    });
    expect(finding.notConverged).toBe(1);
  },
  LONG,
);

/** A failure names its seed. */
const SEED = Number(process.env.FAULT_SEED ?? 1);
const RUNS = Number(process.env.FAULT_RUNS ?? 30);

test("runs of fifty deployments are killed at random moments and continue on another machine each time: nothing twice, nothing lost", async () => {
  const none = { runs: 0, duplicates: 0, lost: 0, notConverged: 0, needless: 0 };
  const counted = { ...none };
  const stories: string[] = [];
  let cutOff = 0;
  for (let seed = SEED; counted.runs < RUNS; seed += 1) {
    const random = new Random(seed);
    const fleet = await Fleet.on(random, {}, true);
    try {
      for (let run = 0; run < 8 && counted.runs < RUNS; run += 1) {
        const outcome = await fleet.killedRun(random, run);
        if (outcome === undefined) {
          cutOff += 1;
          break;
        }
        counted.runs += 1;
        counted.duplicates += outcome.duplicates;
        counted.lost += outcome.lost;
        counted.needless += outcome.needless;
        counted.notConverged += outcome.story === "" ? 0 : 1;
        if (outcome.story !== "") stories.push(`seed ${seed}, run ${run}: ${outcome.story}`);
      }
    } finally {
      await fleet.close();
    }
  }
  const figures = JSON.stringify(counted);
  tellFigures(
    `runs of 50 killed at random, another machine${isPlugin ? ", plugin" : ""}: ${figures}, and ${cutOff} kills cut the state's file off`,
  );
  expect(stories).toEqual([]);
  expect(counted).toEqual({ ...none, runs: RUNS });
}, 3_600_000);
