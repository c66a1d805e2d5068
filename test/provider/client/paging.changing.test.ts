import fc from "fast-check";
import { ControlClient } from "../../../provider/client";
import type { Emulator } from "../../../sdk/emulator";
import { started } from "../../support/embeddedService";

const DRAWS = 1_000;

/** Adds a deployment, or removes the deployments at these positions of the list. */
type Change = "add" | readonly number[];

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.constant("add" as const),
  fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 8 }),
);

function apply(emulator: Emulator, change: Change): void {
  if (change === "add") return void emulator.seed(1);
  const ids = emulator.deployments().map(({ id }) => id);
  for (const id of new Set(change.map((place) => ids[place]))) if (id !== undefined) emulator.remove(id);
}

const idsOf = (emulator: Emulator) => new Set(emulator.deployments().map(({ id }) => id));

test("a list that changes between pages has each deployment that exists throughout exactly once", async () => {
  const emulator = await started();
  const client = new ControlClient({ baseUrl: emulator.url });
  const draw = fc.record({
    size: fc.integer({ min: 0, max: 40 }),
    // Pages of one entry cannot show that the list has moved.
    pageCap: fc.integer({ min: 2, max: 15 }),
    changes: fc.array(fc.option(change), { maxLength: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(draw, async ({ size, pageCap, changes }) => {
      emulator.behaviour.pageCap = pageCap;
      for (const id of idsOf(emulator)) emulator.remove(id);
      emulator.requests.length = 0;
      emulator.seed(size);
      let throughout = idsOf(emulator);
      const ids: string[] = [];
      // Three pages of known entries look like the pages of a service that ignores the offset.
      let room = 2 * (pageCap - 1);
      const pending = changes.filter((each) => each !== "add" || room-- > 0).values();
      for await (const { id } of client.listDeployments()) {
        ids.push(id);
        const next = pending.next().value;
        if (next) apply(emulator, next);
        const present = idsOf(emulator);
        throughout = new Set([...throughout].filter((each) => present.has(each)));
      }
      expect(new Set(ids).size).toBe(ids.length);
      expect([...throughout].filter((id) => !ids.includes(id))).toEqual([]);
    }),
    { numRuns: DRAWS, endOnFailure: true },
  );
  await client.close();
}, 120_000);
