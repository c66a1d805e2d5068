/** Tests how many requests a run sends. A change that raises any of these numbers makes every run slower. */

import { waitForRollout } from "../../../provider/deployment/rollout/proving";
import type { Properties } from "../../../provider/schema/value";
import type { DeploymentState, EmulatorOptions } from "../../../sdk/emulator";
import { chat, inParallel, PARALLEL, provided } from "../../support/providerRun";
import { createDeployment, readDeployment } from "../../support/resourceCalls";
import { FULL_MINUTE, sharedClock } from "../../support/sharedClock";

const listings = (sent: readonly string[]) =>
  sent.filter((request) => request === "GET /v2/deployments").length;

async function seeded(count: number, options: EmulatorOptions = {}, clock = sharedClock()) {
  const providerRun = await provided(options, {}, clock);
  const ids = providerRun.emulator.seed(count);
  const stateOf = (id: string): Properties => ({ ...chat, id, serviceUrl: providerRun.emulator.url });
  const refresh = (some: readonly string[], parallel = PARALLEL) =>
    inParallel(some, (id) => readDeployment(providerRun.session, id, stateOf(id)), parallel);
  return { ...providerRun, ids, stateOf, refresh };
}

/** Mixes the order, so that any hundred consecutive ids come from all parts of the listing. */
const mixed = (ids: readonly string[]) =>
  ids.map((_, index) => ids[(index * 617 + 311) % ids.length] as string);

/** The service lists the newest deployment first. */
const orders = {
  "the newest first": (ids: readonly string[]) => [...ids].reverse(),
  "the oldest first": (ids: readonly string[]) => ids,
  mixed,
};

const COUNTS = [1, 5, 10, 100, 101, 250, 550, 1_000];

describe.each(Object.entries(orders))(
  "if the engine refreshes deployments in this order: %s",
  (_words, order) => {
    test.each(COUNTS)(
      "a refresh of all %i deployments, a few at a time, takes one request per 100 deployments",
      async (count) => {
        const { ids, refresh, sent } = await seeded(count);
        const deployments = await refresh(order(ids));
        expect(deployments.map(({ id }) => id)).toEqual(order(ids));
        expect(sent()).toEqual(Array(Math.ceil(count / 100)).fill("GET /v2/deployments"));
      },
    );
  },
);

test.each([
  ["that are spread over all pages", 8, 36],
  ["that are spread over all pages", 16, 30],
  ["that are spread over all pages", 250, 13],
  ["beyond the first ten pages", 16, 30],
])(
  "a refresh of 250 of 5,000 deployments %s, %i at a time, takes at most %i requests: ten pages of the listing, then requests for the ids of waiting reads",
  async (where, parallel, most) => {
    const { ids, refresh, sent } = await seeded(5_000);
    const shard = where.startsWith("beyond") ? ids.slice(0, 250) : ids.filter((_, index) => index % 20 === 7);
    expect((await refresh(shard, parallel)).map(({ id }) => id)).toEqual(shard);
    expect(sent().length).toBeLessThanOrEqual(most);
  },
);

test("a refresh sends one more request for each deployment whose latest revision is not active", async () => {
  const { emulator, ids, refresh, sent } = await seeded(20, { revisionSeconds: 600 });
  for (const id of ids.slice(0, 3)) emulator.push(id);
  await refresh(ids);
  expect(sent().sort()).toEqual([
    "GET /v2/deployments",
    ...Array(3).fill("GET /v2/deployments/ID/revisions"),
  ]);
});

test.each([
  ["two next to each other", (index: number) => index < 2],
  ["all", () => true],
  ["three far from each other", (index: number) => index % 50 === 7],
])(
  "a refresh reads one listing, and looks up each missing deployment once (missing: %s)",
  async (_where, isGone) => {
    const { emulator, ids, refresh, sent } = await seeded(150);
    const removed = ids.filter((_, index) => isGone(index));
    for (const id of removed) emulator.remove(id);
    const refreshed = await refresh(ids);
    expect(refreshed.flatMap(({ id }, index) => (id === undefined ? [ids[index]] : []))).toEqual(removed);
    const requestsSent = sent();
    expect(new Set(requestsSent)).toEqual(new Set(["GET /v2/deployments"]));
    // After a short page, another page may follow.
    expect(requestsSent.length).toBeLessThanOrEqual(3 + removed.length);
  },
);

test("if the service ignores the filter by ids, deployments that a listing lacks are looked up in a second listing", async () => {
  const { emulator, ids, refresh, sent } = await seeded(20, { ignoreFilters: true });
  emulator.remove(ids[0] as string);
  expect((await refresh(ids)).filter(({ id }) => id === undefined)).toHaveLength(1);
  const readsOfTheList = 2;
  // Each read of the list takes two requests, because its first page is short. One more request shows that the service
  // ignores the filter.
  expect(listings(sent())).toBeLessThanOrEqual(readsOfTheList * 2 + 1);
});

test("if the filter by ids is ignored and a listing omits an entry, no deployment counts as gone", async () => {
  const { service, ids, refresh } = await seeded(20, { ignoreFilters: true });
  const list = service.endpoints.listDeployments.bind(service.endpoints);
  let wholeListings = 0;
  jest.spyOn(service.endpoints, "listDeployments").mockImplementation(async function* (query = {}, range) {
    if (query.deployment_ids === undefined) wholeListings += 1;
    const overlooks = wholeListings <= 1;
    for await (const page of list(query, range)) yield page.filter(({ id }) => !overlooks || id !== ids[0]);
  });
  expect((await refresh(ids)).map(({ id }) => id)).toEqual(ids);
  expect(wholeListings).toBe(2);
});

test.each(["ignored", "refused"])("if the filter by ids is %s, the listing is read instead", async (how) => {
  const { emulator, ids, refresh, sent } = await seeded(150, { ignoreFilters: how === "ignored" });
  if (how === "refused") emulator.failNext({ kind: "status", status: 422 });
  expect((await refresh(ids.slice(0, 3))).every(({ id }) => id !== undefined)).toBe(true);
  expect(listings(sent())).toBe(1 + 2);
  expect((await refresh(ids.slice(3, 6))).every(({ id }) => id !== undefined)).toBe(true);
  expect(sent()).toEqual([]);
});

test("if the service has a GET by id, one deployment is read with this GET, and several deployments are read with a filter", async () => {
  const { ids, refresh, sent } = await seeded(300, { profile: "langsmith" });
  await refresh(ids.slice(0, 1));
  expect(sent()).toEqual(["GET /v2/deployments/ID"]);
  const several = await seeded(300, { profile: "langsmith" });
  await several.refresh(several.ids.slice(0, 3));
  expect(several.sent()).toEqual(["GET /v2/deployments"]);
});

test.each(["contract", "langsmith"] as const)(
  "%s: the first of several sequential reads takes one request, and the later reads share a listing",
  async (profile) => {
    const { session, ids, stateOf, sent } = await seeded(20, { profile });
    for (const id of ids) expect((await readDeployment(session, id, stateOf(id))).id).toBe(id);
    const alone = profile === "contract" ? "GET /v2/deployments" : "GET /v2/deployments/ID";
    expect(sent()).toEqual([alone, "GET /v2/deployments"]);
  },
);

test.each([
  [1, 0, 1],
  [10, 0, 1],
  [250, 0, 1],
  // After a short first page, another page may follow.
  [3, 7, 2],
  [3, 150, 2],
  [3, 250, 3],
])(
  "the creation of %i deployments in an account that has %i takes one POST per deployment, and %i other requests",
  async (count, existing, requests) => {
    // The clock stands still, because a listing proves only for a few seconds that a name is free.
    const { emulator, session, sent } = await provided({ revisionSeconds: 0 }, {}, sharedClock());
    emulator.seed(existing);
    const names = Array.from({ length: count }, (_, index) => `chat-${index}`);
    await inParallel(names, (name) => createDeployment(session, { ...chat, name }));
    const requestsSent = sent();
    expect(requestsSent.filter((request) => request === "POST /v2/deployments")).toHaveLength(count);
    expect(requestsSent.filter((request) => request !== "POST /v2/deployments")).toEqual(
      Array(requests).fill("GET /v2/deployments"),
    );
  },
);

describe("requests during the wait for deployments", () => {
  test.each([
    [1, 1],
    [100, 1],
    [101, 2],
    [250, 3],
  ])("one poll of %i deployments takes %i requests", async (count, requests) => {
    const { service, ids, sent } = await seeded(count);
    const deployments = await Promise.all(ids.map((id) => service.directory.look(id)));
    expect(deployments.map((each) => each?.id)).toEqual(ids);
    expect(sent()).toEqual(Array(requests).fill("GET /v2/deployments"));
  });

  test("many waits read the listing no more often than two waits, and read each revision only in the first round and at the end", async () => {
    const requestsFor = async (count: number) => {
      const { emulator, service, ids, sent } = await seeded(
        count,
        { revisionSeconds: 600 },
        sharedClock(FULL_MINUTE),
      );
      for (const id of ids) emulator.push(id);
      const states = new Map(emulator.deployments().map((each) => [each.id, each]));
      const waits = ids.map((deploymentId) => {
        const resource = { ...(states.get(deploymentId) as DeploymentState) };
        const wait = { deploymentId, resource, timeoutSeconds: 1.9, tell: async () => {} };
        return waitForRollout(service.poller, wait);
      });
      expect((await Promise.all(waits)).every(({ end }) => end === "timeout")).toBe(true);
      const requestsSent = sent();
      // Each revision is read in the first round and at the deadline.
      expect(requestsSent.length - listings(requestsSent)).toBe(2 * count);
      return listings(requestsSent);
    };
    expect(await requestsFor(40)).toBe(await requestsFor(2));
  });
});
