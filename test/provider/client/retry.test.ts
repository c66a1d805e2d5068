import { StatusError, UnexpectedAnswerError, UnreachableError } from "../../../provider/client/errors";
import { Budget, RetryQuota, withRetries } from "../../../provider/client/retry";
import { failureOf, httpTo, json, serving, turnedClock } from "../../support/httpServer";

const place = { operation: "o", method: "M", url: "u" };
const failures = {
  "408": new StatusError(place, 408, ""),
  "409": new StatusError(place, 409, ""),
  "422": new StatusError(place, 422, ""),
  "429": new StatusError(place, 429, ""),
  "500": new StatusError(place, 500, ""),
  "501": new StatusError(place, 501, ""),
  "503": new StatusError(place, 503, ""),
  "not reached": new UnreachableError(place, "", false),
  lost: new UnreachableError(place, "", true),
  "no JSON": new UnexpectedAnswerError(place, ""),
  "a bug": new TypeError("x is not a function"),
};
type Failure = keyof typeof failures;

const repeated: { [method: string]: Failure[] } = {
  GET: ["408", "429", "500", "503", "not reached", "lost"],
  POST: ["429", "not reached"],
  PATCH: ["429", "not reached"],
  DELETE: ["429", "not reached"],
};
const cases = Object.keys(repeated).flatMap((method) =>
  (Object.keys(failures) as Failure[]).map((failure) => [method, failure] as const),
);

const policy = (method: string, maxRetries = 4, clock = turnedClock(), quota = new RetryQuota()) => ({
  method,
  maxRetries,
  clock,
  budget: new Budget(clock, 30_000),
  quota,
});

/** Retries a call that throws the errors one after another and then succeeds. Returns the number of tries. */
async function retriesOf(method: string, errors: readonly Error[], maxRetries = 4) {
  let tries = 0;
  const clock = turnedClock();
  const outcome = await withRetries(policy(method, maxRetries, clock), async () => {
    const error = errors[tries];
    tries += 1;
    if (error) throw error;
    return "done";
  }).catch((error: unknown) => error);
  return { tries, outcome, clock };
}

test.each(cases)("a %s request is retried after %s only if a retry is safe", async (method, failure) => {
  const { tries, outcome } = await retriesOf(method, [failures[failure]]);
  const again = repeated[method]?.includes(failure);
  expect(tries).toBe(again ? 2 : 1);
  expect(outcome).toBe(again ? "done" : failures[failure]);
});

test("after the last retry, the last error is thrown", async () => {
  const { tries, outcome } = await retriesOf("GET", Array(9).fill(failures["503"]), 3);
  expect([tries, outcome]).toEqual([4, failures["503"]]);
  expect((await retriesOf("GET", [failures.lost], 0)).tries).toBe(1);
});

test("each pause is random: the first is below 200 ms, the second below 400 ms and so on, and none is above 10 s", async () => {
  const random = jest.spyOn(Math, "random");
  try {
    for (const [value, pauses] of [
      [0, [0, 0, 0, 0, 0, 0, 0]],
      [1, [200, 400, 800, 1600, 3200, 6400, 10_000]],
    ] as const) {
      random.mockReturnValue(value);
      const { clock } = await retriesOf("GET", Array(7).fill(failures["503"]), 7);
      expect(clock.slept).toEqual(pauses);
    }
  } finally {
    random.mockRestore();
  }
});

test("all tries and pauses together end within ten minutes, or within the time limit of one try if that limit is longer", async () => {
  for (const [longestTryMs, tries] of [
    [30_000, 10],
    [3_600_000, 60],
  ] as const) {
    const clock = turnedClock();
    const started = clock.now();
    let count = 0;
    const limited = { ...policy("GET", 100, clock), budget: new Budget(clock, longestTryMs) };
    const error = await failureOf(
      withRetries(limited, async () => {
        count += 1;
        // The time budget starts at the first read of `left`; the client first reads `left` when the request gets its
        // turn.
        const { left } = limited.budget;
        clock.turn(Math.min(59_000, left));
        // A 429 does not count toward the quota of a failing service.
        throw new StatusError(place, 429, "");
      }),
    );
    expect(error.message).toMatch(
      /; it was not sent again: only \d+ s of the (600|3600) s allowed for all tries are left$/,
    );
    expect(clock.now() - started).toBeLessThanOrEqual(Math.max(600_000, longestTryMs));
    expect(Math.abs(count - tries)).toBeLessThanOrEqual(tries / 5);
  }
});

test("if the service requests a pause that fits the budget, the client waits at least that long", async () => {
  const patient = new StatusError(place, 429, "", 90);
  const { tries, outcome, clock } = await retriesOf("POST", [patient, patient, patient]);
  expect([tries, outcome]).toEqual([4, "done"]);
  for (const slept of clock.slept) expect(slept).toBeGreaterThanOrEqual(90_000);
});

test("if the service requests a pause longer than the budget, the request fails at once, and the error says so", async () => {
  const { tries, clock, outcome } = await retriesOf("GET", [new StatusError(place, 503, "down", 601)]);
  expect([tries, clock.slept]).toEqual([1, []]);
  expect((outcome as Error).message).toBe(
    "o: M u answered 503: down; the service asks to wait 601 s, but only 600 s of the 600 s allowed for all tries are left. Try again later",
  );
});

test("a failing service gets at most 30 retries in total, and gets more only after it answers requests", async () => {
  const quota = new RetryQuota();
  let tries = 0;
  const fails = async (error: Error) => {
    tries += 1;
    throw error;
  };
  const outage = (failure: Error = new StatusError(place, 503, "")) =>
    failureOf(withRetries(policy("GET", 4, turnedClock(), quota), () => fails(failure)));
  for (let count = 0; count < 34; count += 1) {
    await outage();
    await outage(new UnreachableError(place, "", true));
    if (count < 32) await outage(new UnreachableError(place, "", false));
  }
  expect([tries, quota.isSpent]).toEqual([130, true]);
  expect((await outage()).message).toBe(
    "o: M u answered 503; it was not sent again: too many requests to this service have just failed",
  );
  // Every two answers add one retry to the quota. A refusal also counts as an answer.
  tries = 0;
  await failureOf(withRetries(policy("GET", 4, turnedClock(), quota), () => fails(failures["422"])));
  expect(quota.isSpent).toBe(true);
  expect(await withRetries(policy("GET", 4, turnedClock(), quota), async () => "done")).toBe("done");
  expect(quota.isSpent).toBe(false);
  await outage();
  expect(tries).toBe(3);
  for (let count = 0; count < 100; count += 1) quota.earn();
  for (let count = 0; count < 30; count += 1) expect(quota.take()).toBe(true);
  expect(quota.take()).toBe(false);
});

test("all clients of a process share one quota per service", async () => {
  const down = await serving((_, response) => json(response, {}, 503));
  const alive = await serving((_, response, number) => json(response, {}, number % 2 ? 503 : 200));
  const read = { operation: "o", method: "GET", path: "/v2/deployments" } as const;
  const sent = (url: string) =>
    httpTo(url, { maxRetries: 1, clock: turnedClock() })
      .send(read)
      .catch((error: Error) => error);
  for (let count = 0; count < 40; count += 1) await sent(down.url);
  expect(down.seen).toHaveLength(70);
  expect(await sent(alive.url)).toMatchObject({ body: {} });
});

test("a request that waits for its next try holds up no other request", async () => {
  const service = await serving((request, response, number) =>
    request.url === "/v2/deployments" && number === 1 ? json(response, {}, 503) : json(response, {}),
  );
  let wake = () => {};
  const clock = {
    now: () => 0,
    sleep: () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      }),
  };
  const http = httpTo(service.url, { maxRetries: 1, maxConcurrency: 1, clock });
  const busy = http.send({ operation: "o", method: "GET", path: "/v2/deployments" });
  await http.send({ operation: "o", method: "GET", path: "/v2/listeners" });
  wake();
  await busy;
  expect(service.seen.map(({ url }) => url)).toEqual(["/v2/deployments", "/v2/listeners", "/v2/deployments"]);
});
