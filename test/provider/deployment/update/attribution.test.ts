import { createdSince, revisionMadeBy } from "../../../../provider/deployment/update/attribution";
import type { Properties } from "../../../../provider/fields/value";
import { clockAhead, provided } from "../../providing";

const NOON = Date.UTC(2030, 0, 1, 12);
const at = (milliseconds: number) => new Date(NOON + milliseconds).toISOString();

/** A PATCH that was sent at noon of our clock and answered 100 ms later; the service tells its time to the second. */
async function made(
  createdAt: unknown,
  { skew = 0, recorded = "r1", latest = "r2" as unknown, updatedAt = undefined as unknown, date = true } = {},
) {
  const { service } = await provided();
  const listed = jest.spyOn(service.endpoints, "listRevisions").mockImplementation(async function* () {
    yield [{ id: "r2", created_at: createdAt } as Properties];
  });
  const answeredAt = NOON + skew + 80;
  const serviceTime = date ? Math.floor(answeredAt / 1000) * 1000 : undefined;
  const resource = { id: "d", latest_revision_id: latest, updated_at: updatedAt };
  const clock = { now: () => NOON + 100, sleep: async () => {} };
  const answer = { resource, serviceTime };
  const result = await revisionMadeBy(service.endpoints, clock, "d", recorded, answer, NOON);
  return { ...result, looks: listed.mock.calls.length };
}

test("a latest revision that did not move was made by nobody, and is not looked up", async () => {
  expect(await made(at(10), { recorded: "r2" })).toEqual({ made: false, revision: undefined, looks: 0 });
});

test("a service that names no revision yet leaves open whether one was made", async () => {
  expect(await made(at(10), { latest: null })).toEqual({ made: undefined, revision: undefined, looks: 0 });
});

test.each([
  ["while the PATCH ran", at(40), true],
  ["at the moment that it was sent", at(0), true],
  ["a moment before, within what clocks differ", at(-40), true],
  ["a second before it was sent", at(-1_000), false],
  ["minutes before it was sent", at(-300_000), false],
])("a revision created %s is its: %s", async (_, createdAt, ours) => {
  expect(await made(createdAt)).toMatchObject({ made: ours, looks: 1, revision: { id: "r2" } });
  expect((await made(createdAt, { date: false })).made).toBe(ours);
});

test.each([-3_600_000, -20_000, -5_000, 5_000, 20_000, 3_600_000])(
  "a service whose clock is %i ms ahead is understood by its Date",
  async (skew) => {
    expect((await made(at(skew + 40), { skew })).made).toBe(true);
    expect((await made(at(skew - 10_000), { skew })).made).toBe(false);
  },
);

test.each([-3_600_000, -1_400, -700, -300, 300, 700, 1_400, 3_600_000])(
  "a service whose clock is %i ms ahead is understood exactly by when it says that the PATCH changed the deployment",
  async (skew) => {
    const updatedAt = at(skew + 60);
    expect((await made(at(skew + 40), { skew, updatedAt })).made).toBe(true);
    expect((await made(at(skew - 500), { skew, updatedAt })).made).toBe(false);
  },
);

test("a change that the service dates long before its answer tells nothing about its clock", async () => {
  expect((await made(at(-200_000), { updatedAt: at(-200_000) })).made).toBe(false);
  expect((await made(at(-1_000), { updatedAt: at(-5_000) })).made).toBe(false);
});

test("a time that is told to the second may be up to a second later", async () => {
  const [second, before] = ["2030-01-01T11:59:59Z", "2030-01-01T11:59:58Z"];
  expect((await made(second)).made).toBe(true);
  expect((await made(before)).made).toBe(false);
  expect(createdSince({ created_at: "2030-01-01T12:00:00Z" }, NOON + 900, 0)).toBe(true);
});

test.each([undefined, null, "yesterday"])(
  "a revision that was created %p is taken for ours: its id is new",
  async (createdAt) => {
    expect((await made(createdAt)).made).toBe(true);
    expect(createdSince(undefined, NOON, 0)).toBe(true);
  },
);

test.each([0, -30_000, 30_000])(
  "on the real service, with our clock %i ms ahead, a push before is told from a PATCH",
  async (ahead) => {
    const clock = clockAhead(ahead);
    const { emulator, service } = await provided({}, {}, clock);
    const [id = ""] = emulator.seed(1);
    const recorded = emulator.deployments()[0]?.latest_revision_id;
    emulator.push(id);
    await new Promise((done) => setTimeout(done, ahead === 0 ? 200 : 1_200));
    let sentAt = clock.now();
    const quiet = await service.endpoints.updateDeployment(id, { source_config: { build_on_push: false } });
    expect((await revisionMadeBy(service.endpoints, clock, id, recorded, quiet, sentAt)).made).toBe(false);
    sentAt = clock.now();
    const loud = await service.endpoints.updateDeployment(id, {
      source_revision_config: { image_uri: "x:2" },
    });
    expect((await revisionMadeBy(service.endpoints, clock, id, recorded, loud, sentAt)).made).toBe(true);
  },
);
