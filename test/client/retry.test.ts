import { StatusError, UnexpectedAnswerError, UnreachableError } from "../../provider/client/errors";
import { withRetries } from "../../provider/client/retry";
import { failureOf, httpTo, json, serving, turnedClock } from "./serving";

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

/** Tries until it succeeds after so many failures; how often it was tried. */
async function tried(method: string, errors: readonly Error[], maxRetries = 4, clock = turnedClock()) {
  let tries = 0;
  const outcome = await withRetries(method, maxRetries, clock, async () => {
    const error = errors[tries];
    tries += 1;
    if (error) throw error;
    return "done";
  }).catch((error: unknown) => error);
  return { tries, outcome, clock };
}

test.each(cases)("%s after %s is sent again only where that is safe", async (method, failure) => {
  const { tries, outcome } = await tried(method, [failures[failure]]);
  const again = repeated[method]?.includes(failure);
  expect(tries).toBe(again ? 2 : 1);
  expect(outcome).toBe(again ? "done" : failures[failure]);
});

test("after the last retry the last error stands", async () => {
  const { tries, outcome } = await tried("GET", Array(9).fill(failures["503"]), 3);
  expect([tries, outcome]).toEqual([4, failures["503"]]);
  expect((await tried("GET", [failures.lost], 0)).tries).toBe(1);
});

test("pauses are jittered below 200 ms, 400 ms and so on, never above 10 s", async () => {
  const random = jest.spyOn(Math, "random");
  try {
    for (const [value, pauses] of [
      [0, [0, 0, 0, 0, 0, 0, 0]],
      [1, [200, 400, 800, 1600, 3200, 6400, 10_000]],
    ] as const) {
      random.mockReturnValue(value);
      const { clock } = await tried("GET", Array(7).fill(failures["503"]), 7);
      expect(clock.slept).toEqual(pauses);
    }
  } finally {
    random.mockRestore();
  }
});

test("all tries together end within two minutes", async () => {
  const clock = turnedClock();
  let tries = 0;
  const error = await failureOf(
    withRetries("GET", 100, clock, async () => {
      tries += 1;
      clock.turn(30_000);
      throw failures.lost;
    }),
  );
  expect(error).toBe(failures.lost);
  expect(tries).toBe(4);
});

test("a pause that the service asked for is kept, however long, and no time of the budget", async () => {
  const patient = new StatusError(place, 429, "", 90);
  const { tries, outcome, clock } = await tried("POST", [patient, patient, patient]);
  expect([tries, outcome]).toEqual([4, "done"]);
  for (const slept of clock.slept) expect(slept).toBeGreaterThanOrEqual(90_000);
});

test("a service that asks for more than ten minutes is not waited for", async () => {
  const { tries, clock } = await tried("GET", [new StatusError(place, 503, "", 601)]);
  expect([tries, clock.slept]).toEqual([1, []]);
});

test.each(["3", new Date(Date.UTC(2031, 0, 1, 0, 0, 3)).toUTCString()])(
  "Retry-After %s is understood",
  async (retryAfter) => {
    const service = await serving((_, response, number) =>
      number === 1 ? json(response, {}, 429, { "retry-after": retryAfter }) : json(response, { id: "1" }),
    );
    const clock = turnedClock(Date.UTC(2031, 0, 1));
    const http = httpTo(service.url, { maxRetries: 1, clock });
    await http.send({ operation: "create", method: "POST", path: "/v2/deployments", body: { name: "a" } });
    expect(clock.slept[0]).toBeGreaterThanOrEqual(3_000);
    expect(clock.slept[0]).toBeLessThan(3_200);
    expect(service.seen.map(({ body }) => body)).toEqual(['{"name":"a"}', '{"name":"a"}']);
  },
);

test.each(["", "soon"])("Retry-After %j asks for nothing", async (retryAfter) => {
  const service = await serving((_, response) => json(response, {}, 503, { "retry-after": retryAfter }));
  const error = await failureOf(
    httpTo(service.url).send({ operation: "o", method: "GET", path: "/v2/listeners" }),
  );
  expect(error).toMatchObject({ status: 503, retryAfterSeconds: undefined });
});

test("a request that waits for its next try holds up no other", async () => {
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
