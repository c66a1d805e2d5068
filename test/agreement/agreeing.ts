/**
 * Runs updates through the real engine. After each update, compares the plan line, the report and the result with the
 * service's state.
 */
import * as fc from "fast-check";
import type { EmulatorOptions } from "../../sdk/emulator/index";
import { type Ask, asksOf } from "./asks";
import { beginningOf, updateOf } from "./edits";
import { type Hand, handsOf } from "./hands";
import { Project } from "./project";
import { slotOf } from "./refusals";
import { Rounds } from "./rounds";
import { Services } from "./services";
import { type Edit, firstSlot, type Slot } from "./slots";
import type { ProfileName } from "./values";

interface Place {
  readonly profile: ProfileName;
  readonly service?: EmulatorOptions;
}

export interface Plan extends Place {
  readonly slots: number;
  readonly rounds: number;
  readonly seed: number;
  /** The only fields to edit. If undefined, every field and every resource option may be edited. */
  readonly among?: readonly string[];
}

/** One update of one slot. If a prediction is wrong, the test prints the case as JSON. */
export interface Case extends Place {
  readonly before: Slot;
  readonly after: Slot;
  readonly hand?: Hand;
  readonly ask?: Ask;
}

export interface Agreement {
  /** The number of edited slots in all rounds, whether their plans were applied or refused. */
  readonly updates: number;
  /** For each verdict, the number of deployments with that verdict; `refused`: the number of refused slots. */
  readonly verdicts: { readonly [verdict: string]: number };
  /** The wrong statements in plans and results, each with its case. */
  readonly misses: readonly string[];
}

/** Generates updates, and runs them in one stack, round after round. */
export async function agreementOf(plan: Plan): Promise<Agreement> {
  const indices = Array.from({ length: plan.slots }, (_, index) => index);
  const { profile, among } = plan;
  const places = indices.map((index) => ({ index, profile, among }));
  const sample = <T>(drawn: fc.Arbitrary<T>, numRuns: number) =>
    fc.sample(drawn, { numRuns, seed: plan.seed });
  const [first] = sample(fc.tuple(...places.map(beginningOf)), 1) as [Edit[]];
  const round = fc.tuple(fc.tuple(...places.map(updateOf)), handsOf(plan.slots), asksOf(plan.slots));
  const rounds = sample(round, plan.rounds);
  return within(plan, `seed ${plan.seed}`, async (run) => {
    await run.begin(indices.map((index) => (first[index] as Edit)(firstSlot(index, profile))));
    for (const [edits, hands, asks] of rounds) {
      const edited = run.slots.map((slot, index) => (edits[index] as Edit)(slot));
      const goesOn = among === undefined ? run.round(edited, hands, asks) : run.round(edited);
      if (!(await goesOn)) break;
    }
  });
}

/** Runs only these cases, in one stack under one profile. The slots of the cases must have different numbers. */
export function agreementOfCases(cases: readonly Case[]): Promise<Agreement> {
  const [place] = cases as readonly [Case];
  // The number in a slot's resource names identifies the slot.
  const bySlot = new Map(
    cases.map((each) => [
      Math.max(...Object.values({ ...each.before, ...each.after }).map(({ name }) => slotOf(name))),
      each,
    ]),
  );
  const all = Array.from({ length: Math.max(...bySlot.keys()) + 1 }, (_, index) => bySlot.get(index));
  return within(place, "a case", async (run) => {
    await run.begin(all.map((each) => each?.before ?? {}));
    await run.round(
      all.map((each) => each?.after ?? {}),
      all.map((each) => each?.hand),
      all.map((each) => each?.ask),
    );
  });
}

async function within(place: Place, label: string, work: (run: Rounds) => Promise<void>): Promise<Agreement> {
  const { profile, service } = place;
  const services = await Services.start(profile, service);
  const project = new Project(services);
  try {
    const run = new Rounds(services, project, label);
    await project.must("stack", "init", "test");
    await work(run);
    return run.agreement;
  } finally {
    await services.close();
    project.close();
  }
}
