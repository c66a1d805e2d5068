import { type Agreement, agreementOf } from "./agreeing";
import type { ProfileName } from "./edits";

/** All of it with `npm run test:agreement`, a tenth of it else. */
const isWhole = process.env.AGREEMENT === "all";
const STACKS = isWhole ? [1, 2] : [1];
const UPDATES = isWhole ? 10 : 2;
const DEPLOYMENTS = 5;

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

test.each(
  STACKS.flatMap((seed) => (["contract", "langsmith"] as const).map((profile) => [profile, seed] as const)),
)(
  "under %s, what the report says is what happens at the service (seed %i)",
  async (profile: ProfileName, seed: number) => {
    const agreement = await agreementOf({ profile, seed, deployments: DEPLOYMENTS, updates: UPDATES });
    total.push(agreement);
    process.stderr.write(`[agreement] ${profile}, seed ${seed}: ${figures(agreement)}\n`);
    expect(agreement.misses).toEqual([]);
    expect(agreement.updates).toBe(DEPLOYMENTS * UPDATES);
  },
  1_200_000,
);

test("a service that makes revisions where the table says that it makes none is found out", async () => {
  const agreement = await agreementOf({
    profile: "contract",
    seed: 3,
    deployments: 2,
    updates: 2,
    among: ["sourceConfig.installCommand"],
    service: { extraRevisionOn: ["source_config.install_command"] },
  });
  expect(agreement.misses.length).toBeGreaterThan(0);
  expect(agreement.misses[0]).toMatch(/in-place, but 1 revisions/);
}, 600_000);
