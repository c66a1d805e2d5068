import type { Properties } from "../../../provider/schema/value";
import type { Emulator, EmulatorOptions } from "../../../sdk/emulator";
import { started } from "../../support/embeddedService";
import { serving, turnedClock } from "../../support/httpServer";
import { failureOf, provided, sessionOn } from "../../support/providerRun";

const ABSENT = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";

/** The address of a service that lists the emulator's deployments, each entry converted by `shown`. */
async function showing(emulator: Emulator, shown: (entry: Properties) => Properties): Promise<string> {
  const { url } = await serving(async ({ url }, response) => {
    const answer = await fetch(`${emulator.url}${url}`);
    const { resources, offset } = (await answer.json()) as { resources: Properties[]; offset: number };
    response.end(JSON.stringify({ resources: resources.map(shown), offset }));
  });
  return url;
}

test("after a failed listing, the next call reads a new listing", async () => {
  const { emulator, service, sent } = await provided();
  emulator.seed(1);
  emulator.failNext({ kind: "status", status: 403 });
  const failures = [service.directory.named("seed-0001"), service.directory.named("seed-0001")].map(
    failureOf,
  );
  for (const failure of failures) expect(await failure).toMatchObject({ status: 403 });
  expect(await service.directory.named("seed-0001")).toHaveLength(1);
  expect(sent().length).toBe(3);
});

test.each([1, 450])(
  "a listing of %i deployments is read again after five seconds, but not earlier",
  async (count) => {
    const clock = turnedClock();
    const { emulator, service } = await provided({}, {}, clock);
    const namesakes = () => service.directory.named("seed-0001");
    emulator.seed(count);
    expect(await namesakes()).toHaveLength(1);
    emulator.seed(1);
    clock.turn(5_000);
    expect(await namesakes()).toHaveLength(1);
    expect(service.directory.knowsNames).toBe(true);
    clock.turn(1);
    expect(service.directory.knowsNames).toBe(false);
    expect(await namesakes()).toHaveLength(2);
  },
);

test("a listing is used for five seconds after its last page, however long the pages take", async () => {
  const clock = turnedClock();
  const { emulator, service } = await provided({}, {}, clock);
  emulator.seed(1);
  const list = service.endpoints.listDeployments.bind(service.endpoints);
  jest.spyOn(service.endpoints, "listDeployments").mockImplementation(async function* (...question) {
    for await (const page of list(...question)) {
      clock.turn(6_000);
      yield page;
    }
  });
  expect(await service.directory.named("seed-0001")).toHaveLength(1);
  emulator.seed(1);
  clock.turn(5_000);
  expect(await service.directory.named("seed-0001")).toHaveLength(1);
});

test("a listing that was only partly read does not prove that a name is free, so a complete listing is read", async () => {
  const { emulator, service } = await provided();
  const ids = emulator.seed(250);
  await Promise.all(ids.slice(-8).map((id) => service.directory.byId(id)));
  emulator.seed(1);
  expect(await service.directory.named("seed-0001")).toHaveLength(2);
});

test.each(["contract", "langsmith"] as const)(
  "%s: only a separate look-up proves that a deployment is gone",
  async (profile) => {
    const { emulator, service, sent } = await provided({ profile });
    await service.directory.named("nobody");
    const [late = ""] = emulator.seed(1);
    sent();
    expect((await service.directory.byId(late))?.id).toBe(late);
    expect(await service.directory.byId(ABSENT)).toBeUndefined();
    const one = profile === "contract" ? "GET /v2/deployments" : "GET /v2/deployments/ID";
    expect(new Set(sent())).toEqual(new Set([one]));
    // The listing now has the deployment that was looked up.
    expect((await service.directory.byId(late))?.id).toBe(late);
    expect(sent()).toEqual([]);
  },
);

test("a refused look-up does not prove that a deployment is gone", async () => {
  const { emulator, service } = await provided({ profile: "langsmith" });
  const [id = ""] = emulator.seed(1);
  for (const status of [401, 403, 500]) {
    emulator.failNext({ kind: "status", status, times: 2 });
    expect(await failureOf(service.directory.fresh(id))).toMatchObject({ status });
    emulator.requests.length = 0;
    await service.directory.fresh(id).catch(() => undefined);
  }
});

test("a write updates the listing, even while the listing is being read", async () => {
  const { emulator, service } = await provided({ latencyMs: 20 });
  const [id = ""] = emulator.seed(1);
  const reading = service.directory.named("seed-0001");
  await service.directory.remember({ id, name: "renamed" });
  await reading;
  expect(await service.directory.named("renamed")).toHaveLength(1);
  await service.directory.remember({ id: ABSENT, name: "new" });
  expect(await service.directory.named("new")).toHaveLength(1);
  expect(emulator.requests).toHaveLength(2);
  expect(await service.directory.fresh(ABSENT)).toBeUndefined();
  expect(await service.directory.named("new")).toEqual([]);
});

test.each<[string, EmulatorOptions]>([
  ["contract", {}],
  ["contract, without its filters", { ignoreFilters: true }],
])(
  "%s: an unreadable entry fails each look-up that reads it, so no deployment counts as gone",
  async (_, options) => {
    const { emulator, service } = await provided(options);
    const ids = emulator.seed(12);
    const [bad = ""] = ids;
    emulator.change(bad, { status: 7 });
    const looks = [
      ...ids.map((id) => service.directory.byId(id)),
      service.directory.look(bad),
      service.directory.named("chat"),
      service.directory.freshlyNamed("seed-0001"),
    ];
    for (const look of await Promise.allSettled(looks))
      expect(look).toMatchObject({
        reason: { message: expect.stringContaining('name "seed-0001") whose status is not a string') },
      });
    emulator.change(bad, { status: "READY" });
    expect((await service.directory.byId(bad))?.id).toBe(bad);
    expect(await service.directory.byId(ABSENT)).toBeUndefined();
  },
);

test("a deployment whose id the service writes in capitals is found, and its UUIDs become lower case", async () => {
  const emulator = await started();
  const [id = ""] = emulator.seed(2);
  emulator.change(id, { latest_revision_id: "0C0FFEE0-0000-4000-8000-000000000001", active_revision_id: "" });
  const url = await showing(emulator, (entry) => ({ ...entry, id: String(entry.id).toUpperCase() }));
  const { service } = sessionOn(emulator, { baseUrl: url });
  const deployment = {
    id,
    latest_revision_id: "0c0ffee0-0000-4000-8000-000000000001",
    active_revision_id: null,
  };
  for (const look of ["byId", "fresh", "look"] as const)
    expect(await service.directory[look](id)).toMatchObject(deployment);
  expect(await service.directory.byId(ABSENT)).toBeUndefined();
});
