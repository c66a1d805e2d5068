/**
 * If a service refuses a request with 429, all requests of the process wait until the service is open again, or until
 * their time budgets end.
 */
import { failureOf, httpTo, json, serving } from "../../support/httpServer";
import { sharedClock } from "../../support/sharedClock";

const create = (index: number) =>
  ({ operation: "create", method: "POST", path: "/v2/deployments", body: { name: `d-${index}` } }) as const;
const read = { operation: "read", method: "GET", path: "/v2/listeners" } as const;
const settings = { maxRetries: 4, maxConcurrency: 16 };

afterEach(() => {
  jest.useRealTimers();
});

/**
 * A service that opens after a while, and then accepts `perSecond` requests a second. The service never says how long
 * to wait.
 */
async function limited(perSecond: number, openAfterSeconds: number) {
  const clock = sharedClock();
  const opensAt = clock.now() + openAfterSeconds * 1000;
  const perWindow = new Map<number, number>();
  const service = await serving((_, response) => {
    const window = Math.floor(clock.now() / 1000);
    const count = (perWindow.get(window) ?? 0) + 1;
    perWindow.set(window, count);
    if (clock.now() < opensAt || count > perSecond) json(response, { detail: "too many" }, 429);
    else json(response, {});
  });
  return { clock, service };
}

test("if a service refuses creations for a while without a Retry-After, all 100 creations succeed in the end", async () => {
  const { clock, service } = await limited(10, 5);
  const http = httpTo(service.url, { ...settings, clock });
  await Promise.all(Array.from({ length: 100 }, (_, index) => http.send(create(index))));
  const names = new Set(service.seen.map(({ body }) => body));
  expect(names.size).toBe(100);
  // Each time the service opens, it refuses at most as many requests as the client has in flight.
  expect(service.seen.length).toBeLessThan(350);
});

test("while the service is closed, no other client of the process sends it requests", async () => {
  const clock = sharedClock();
  const moments: number[] = [];
  const service = await serving((_, response, number) => {
    moments.push(clock.now());
    json(response, {}, number === 1 ? 429 : 200, number === 1 ? { "retry-after": "60" } : {});
  });
  const refused = await failureOf(httpTo(service.url, { clock }).send(create(1)));
  expect(refused).toMatchObject({ status: 429 });
  const otherReads = [1, 2].map(() => httpTo(service.url, { ...settings, clock }).send(read));
  const unqueued = httpTo(service.url, { ...settings, clock }).send({ ...read, withoutTurn: true });
  await Promise.all([...otherReads, unqueued]);
  const [first = 0, ...later] = moments;
  expect(later.map((moment) => moment - first)).toEqual([60_000, 60_000, 60_000]);
});

test("while the service is closed, `beforeSending` may still send a request that the waiting request needs", async () => {
  const clock = sharedClock();
  const service = await serving((_, response, number) => json(response, {}, number === 1 ? 429 : 200));
  const http = httpTo(service.url, { maxRetries: 1, maxConcurrency: 1, clock });
  const beforeSending = async () => void (await http.send({ ...read, withoutTurn: true }));
  await http.send({ ...create(1), beforeSending });
  expect(service.seen.map(({ method }) => method)).toEqual(["GET", "GET", "POST"]);
});

test("the pause doubles while the service refuses every request, and an answer resets it", async () => {
  const clock = sharedClock();
  const moments: number[] = [];
  const refusals = [1, 2, 3, 5];
  const service = await serving((_, response, number) => {
    moments.push(clock.now());
    json(response, {}, refusals.includes(number) ? 429 : 200);
  });
  const random = jest.spyOn(Math, "random").mockReturnValue(0);
  try {
    const http = httpTo(service.url, { maxRetries: 1, clock });
    for (let count = 0; count < 2; count += 1) await http.send(read);
  } finally {
    random.mockRestore();
  }
  const pauses = moments.slice(1).map((moment, index) => moment - (moments[index] as number));
  expect(pauses).toEqual([1_000, 2_000, 4_000, 0, 1_000]);
});
