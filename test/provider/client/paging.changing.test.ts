import fc from "fast-check";
import { ControlClient } from "../../../provider/client";
import type { Emulator } from "../../../sdk/emulator";
import { started } from "../../support/embeddedService";

const DRAWS = 300;

/** Adds a deployment, or removes the deployments at these positions of the list. */
type Change = "add" | readonly number[];

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.constant("add" as const),
  fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 8 }),
);

/** Changes the account, and returns the ids of its deployments after the change, newest first. */
function apply(emulator: Emulator, ids: readonly string[], change: Change): string[] {
  if (change === "add") return [...emulator.seed(1), ...ids];
  const removed = new Set(change.map((place) => ids[place]));
  for (const id of removed) if (id !== undefined) emulator.remove(id);
  return ids.filter((id) => !removed.has(id));
}

test("if a list changes between pages, each deployment that exists the whole time is listed exactly once", async () => {
  const emulator = await started();
  const client = new ControlClient({ baseUrl: emulator.url });
  const draw = fc.record({
    size: fc.integer({ min: 0, max: 40 }),
    // Pages of one entry cannot overlap, so the client could not see that entries have moved between pages.
    pageCap: fc.integer({ min: 2, max: 15 }),
    changes: fc.array(fc.option(change), { maxLength: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(draw, async ({ size, pageCap, changes }) => {
      emulator.behaviour.pageCap = pageCap;
      for (const { id } of emulator.deployments()) emulator.remove(id);
      emulator.requests.length = 0;
      let present = emulator.seed(size).reverse();
      let throughout = present;
      const ids: string[] = [];
      // Limits the additions: three pages of known entries would look as if the service ignored the offset.
      let room = 2 * (pageCap - 1);
      const pending = changes.filter((each) => each !== "add" || room-- > 0).values();
      for await (const { id } of client.listDeployments()) {
        ids.push(id);
        const next = pending.next().value;
        if (!next) continue;
        present = apply(emulator, present, next);
        const stillPresent = new Set(present);
        throughout = throughout.filter((each) => stillPresent.has(each));
      }
      expect(new Set(ids).size).toBe(ids.length);
      expect(throughout.filter((id) => !ids.includes(id))).toEqual([]);
    }),
    { numRuns: DRAWS, endOnFailure: true },
  );
  await client.close();
}, 120_000);
