import { systemClock } from "../../../provider/client/clock";
import type { HttpRequest } from "../../../provider/client/http";
import { httpTo, json, serving } from "../../support/httpServer";
import { until } from "../../support/interruptedRun";
import { untilQuiet } from "../../support/sharedClock";

const read = (index: number): HttpRequest => ({
  operation: "read",
  method: "GET",
  path: `/v2/deployments/${index}/revisions`,
});

test("at most `maxConcurrency` requests are in flight, and all requests are answered", async () => {
  const releases: (() => void)[] = [];
  let isOpen = false;
  const service = await serving(async (_, response) => {
    if (!isOpen) await new Promise<void>((go) => releases.push(go));
    json(response, {});
  });
  const http = httpTo(service.url, { maxConcurrency: 3 });
  const all = Promise.all(Array.from({ length: 20 }, (_, index) => http.send(read(index))));
  await until(() => releases.length === 3);
  await untilQuiet();
  expect(service.seen).toHaveLength(3);
  isOpen = true;
  for (const go of releases) go();
  await all;
  expect(service.seen).toHaveLength(20);
  expect(service.mostAtOnce()).toBe(3);
  expect(service.sockets()).toBeLessThanOrEqual(3);
});

test("requests are sent in the order of their calls", async () => {
  const service = await serving((_, response) => json(response, {}));
  const http = httpTo(service.url, { maxConcurrency: 1 });
  await Promise.all(Array.from({ length: 10 }, (_, index) => http.send(read(index))));
  expect(service.seen.map(({ url }) => url)).toEqual(
    Array.from({ length: 10 }, (_, index) => read(index).path),
  );
});

test("a failed request passes its turn to the next request", async () => {
  const service = await serving((_, response, number) =>
    number % 2 === 1 ? response.destroy() : json(response, {}),
  );
  const http = httpTo(service.url, { maxConcurrency: 1 });
  const all = await Promise.allSettled(Array.from({ length: 6 }, (_, index) => http.send(read(index))));
  expect(all.map(({ status }) => status).filter((status) => status === "rejected")).toHaveLength(3);
  expect(service.seen).toHaveLength(6);
});

test("the time-out of a request begins when the request gets its turn", async () => {
  const service = await serving((_, response) => json(response, {}));
  /** The number of requests that had arrived when each alarm was set. */
  const arrived: number[] = [];
  const alarm = () => {
    arrived.push(service.seen.length);
    return () => {};
  };
  const http = httpTo(service.url, { maxConcurrency: 1, clock: { ...systemClock, alarm } });
  await Promise.all(Array.from({ length: 6 }, (_, index) => http.send(read(index))));
  expect(arrived).toEqual([0, 1, 2, 3, 4, 5]);
});

test("a request keeps its turn while its `beforeSending` runs, and counts toward the limit of concurrent requests", async () => {
  const service = await serving((_, response) => json(response, {}));
  const http = httpTo(service.url, { maxConcurrency: 2 });
  const waiting: (() => void)[] = [];
  const beforeSending = () => new Promise<void>((resolve) => waiting.push(resolve));
  const all = Array.from({ length: 4 }, (_, index) => http.send({ ...read(index), beforeSending }));
  const turns = async () => {
    await new Promise((go) => setImmediate(go));
    return waiting.length;
  };
  expect(await turns()).toBe(2);
  waiting[0]?.();
  await all[0];
  expect(await turns()).toBe(3);
  waiting[1]?.();
  await all[1];
  expect(await turns()).toBe(4);
  for (const go of waiting) go();
  await Promise.all(all);
});
