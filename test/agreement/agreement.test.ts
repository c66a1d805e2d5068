import { readFileSync } from "node:fs";
import { type Agreement, agreementOf, agreementOfCases, type Case } from "./agreeing";
import type { ProfileName } from "./values";

// With `FORM=plugin`, the programs declare resources of the provider plugin instead of dynamic resources.

/** `AGREEMENT=500`: the total number of updates; by default, only a few updates run. */
const WANTED = Number(process.env.AGREEMENT ?? 0);
/** `AGREEMENT_SEED=7`: the first seed; each further seed is one higher. */
const SEED = Number(process.env.AGREEMENT_SEED ?? 1);
/**
 * `AGREEMENT_CASE`: a case that a failed test printed, or a list of such cases. The value is JSON or the path of a JSON
 * file. If the variable is set, only these cases run.
 */
const CASE = process.env.AGREEMENT_CASE;
const [SLOTS, ROUNDS] = WANTED > 0 ? [40, 4] : [12, 1];
/** The number of stacks: a quarter more than `AGREEMENT` requires, because some of the generated updates are empty. */
const STACKS = Math.max(1, Math.ceil(WANTED / (SLOTS * ROUNDS * 2 * 0.8)));

const figures = ({ updates, misses, verdicts }: Agreement): string =>
  `${misses.length} misses of ${updates} updates (${Object.entries(verdicts)
    .sort()
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(", ")})`;

const total: Agreement[] = [];
afterAll(() => {
  const sum = total.reduce((count, { updates }) => count + updates, 0);
  const misses = total.reduce((count, each) => count + each.misses.length, 0);
  process.stderr.write(`[agreement] ${misses} misses of ${sum}\n`);
});

/** `npm test` runs only one stack, under the profile `langsmith`. */
const isShort = process.env.TEST_PART === "short";
const PROFILES = isShort ? (["langsmith"] as const) : (["contract", "langsmith"] as const);
const stacks = Array.from({ length: STACKS }, (_, index) => SEED + index).flatMap((seed) =>
  PROFILES.map((profile) => [profile, seed] as const),
);

(CASE === undefined ? test : test.skip).each(stacks)(
  "under %s, the plan line, the report and the result match what the service saw (seed %i)",
  async (profile: ProfileName, seed: number) => {
    const secretsInResponses = seed % 2 === 0 ? "masked" : "echoed";
    const service = { secretsInResponses } as const;
    const agreement = await agreementOf({ profile, seed, slots: SLOTS, rounds: ROUNDS, service });
    total.push(agreement);
    process.stderr.write(
      `[agreement] ${profile}, seed ${seed}: ${figures(agreement)}\n${agreement.misses.join("\n\n")}\n`,
    );
    expect(agreement.misses.join("\n\n")).toBe("");
    expect(agreement.updates).toBeGreaterThan((SLOTS * ROUNDS) / 2);
  },
  3_600_000,
);

if (CASE !== undefined)
  test("the plan line, the report and the result of AGREEMENT_CASE match what the service saw", async () => {
    const text = /^[{[]/.test(CASE) ? CASE : readFileSync(CASE, "utf8");
    const { misses } = await agreementOfCases([JSON.parse(text as string)].flat() as Case[]);
    expect(misses.join("\n\n")).toBe("");
  }, 600_000);

if (!isShort)
  test("the suite reports a miss if the service makes a revision for a change that should happen in place", async () => {
    const { misses } = await agreementOf({
      profile: "contract",
      seed: 3,
      slots: 4,
      rounds: 1,
      among: ["sourceConfig.installCommand"],
      service: { extraRevisionOn: ["source_config.install_command"] },
    });
    expect(misses.length).toBeGreaterThan(0);
    expect(misses[0]).toMatch(/the report says in-place, but: 1 revisions/);
  }, 600_000);
