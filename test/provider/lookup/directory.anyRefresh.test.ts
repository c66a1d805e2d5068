/** A refresh of any part of a fleet, in any order, finds all deployments with few requests. */

import fc from "fast-check";
import { chat, inParallel, provided } from "../../support/providerRun";
import { readDeployment } from "../../support/resourceCalls";

/** The first reads by ids, and the listing's page that proves its end. */
const BESIDE_LISTING = 2;
/** Number of requests for a deleted deployment: a look-up together with other deployments, and separate look-ups. */
const FOR_ONE_GONE = 4;

const refreshes = fc.record({
  profile: fc.constantFrom("contract", "langsmith"),
  total: fc.constantFrom(1, 8, 99, 100, 101, 250, 1_000, 1_300),
  /** Share of the deployments that are in the state. */
  share: fc.constantFrom(1, 1, 0.5, 0.1, 0.02),
  gone: fc.integer({ min: 0, max: 3 }),
  parallel: fc.constantFrom(1, 2, 8, 32),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
});

test("a refresh of any part of any fleet finds all existing deployments with few requests", async () => {
  await fc.assert(
    fc.asyncProperty(refreshes, async ({ profile, total, share, gone, parallel, seed }) => {
      const { emulator, session, sent } = await provided({ profile: profile as "contract" | "langsmith" });
      const chance = (id: string, salt: number) =>
        (Number.parseInt(id.slice(0, 8), 16) * (seed + salt)) % 1009;
      const ids = emulator
        .seed(total)
        .filter((id) => chance(id, 0) < share * 1009)
        .sort((one, other) => chance(one, 1) - chance(other, 1));
      const removed = ids.slice(0, gone);
      for (const id of removed) emulator.remove(id);
      const read = (id: string) => readDeployment(session, id, { ...chat, id, serviceUrl: emulator.url });
      const answers = await inParallel(ids, read, parallel);
      expect(answers.map(({ id }) => id)).toEqual(ids.map((id) => (removed.includes(id) ? undefined : id)));
      const pages = Math.min(10, Math.ceil(total / 100));
      const beyond = total > 1_000 ? ids.length : 0;
      const most = pages + BESIDE_LISTING + FOR_ONE_GONE * removed.length + beyond;
      expect(sent().length).toBeLessThanOrEqual(most);
    }),
    { numRuns: 40 },
  );
});
