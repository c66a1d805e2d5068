import { readFileSync } from "node:fs";
import { isPlugin } from "../support/engine/form";
import { type RoadCase, roadCaseOf, travel } from "./roadRounds";
import type { ProfileName } from "./values";

/** `ROADS=300`: the number of updates under each profile; by default, only a few updates run. */
const WANTED = Number(process.env.ROADS ?? 0);
/** `ROADS_SEED=7`: the first seed; each further seed is one higher. */
const SEED = Number(process.env.ROADS_SEED ?? 1);
/** `ROADS_CASE`: the case that a failed test printed, as JSON or in a JSON file. The suite runs only this update. */
const CASE = process.env.ROADS_CASE;
const SLOTS = WANTED > 0 ? 50 : 12;
const profiles: readonly ProfileName[] = WANTED > 0 ? ["contract", "langsmith"] : ["langsmith"];
const seeds = Array.from({ length: Math.max(1, Math.ceil(WANTED / SLOTS)) }, (_, index) => SEED + index);
const stacks = seeds.flatMap((seed) => profiles.map((profile) => [profile, seed] as const));

const totals = new Map<string, readonly [updates: number, missed: number]>();
afterAll(() => {
  const figures = [...totals].map(([kind, [updates, missed]]) => `${missed} of ${updates} ${kind}`);
  process.stderr.write(`[roads] updates with misses${isPlugin ? ", plugin" : ""}: ${figures.join(", ")}\n`);
});

/** Runs the case, and expects no misses. */
async function expectNoMisses(...[label, roads, options]: Parameters<typeof travel>): Promise<void> {
  const { misses, kinds } = await travel(label, roads, options);
  for (const [kind, [updates, missed]] of Object.entries(kinds)) {
    const [updatesBefore, missedBefore] = totals.get(kind) ?? [0, 0];
    totals.set(kind, [updatesBefore + updates, missedBefore + missed]);
  }
  expect(misses.join("\n\n")).toBe("");
}

(CASE === undefined ? test : test.skip).each(stacks)(
  "under %s, no update undoes or hides the work of another tool, a killed run or another process (seed %i)",
  (profile, seed) => {
    const secretsInResponses = (["masked", "echoed", "hidden", "named"] as const)[seed % 4] ?? "masked";
    const roads = roadCaseOf(profile, seed, SLOTS);
    return expectNoMisses(`${profile}, seed ${seed}`, roads, { secretsInResponses });
  },
  3_600_000,
);

(CASE === undefined ? test.skip : test)(
  "the update of ROADS_CASE undoes and hides nothing",
  () => {
    const text = CASE?.startsWith("{") ? CASE : readFileSync(CASE as string, "utf8");
    return expectNoMisses("a case", JSON.parse(text) as RoadCase);
  },
  600_000,
);
