import { UnreachableError } from "../../../provider/client/errors";
import { type HttpRequest, path } from "../../../provider/client/http";
import { failureOf, type Handler, httpTo, json, serving, turnedClock } from "../../support/httpServer";

const read: HttpRequest = { operation: "list deployments", method: "GET", path: "/v2/deployments" };
const write: HttpRequest = {
  operation: "update deployment",
  method: "PATCH",
  path: "/v2/deployments/1",
  body: {},
};

async function failureOn(handler: Handler, request = read, options = {}) {
  const service = await serving(handler);
  const error = await failureOf(httpTo(service.url, options).send(request));
  return { error, service };
}

test("a body is sent unchanged, as JSON", async () => {
  const service = await serving((_, response) => json(response, {}));
  const body = { name: 'ü \u2028 "', list: [1, null], secrets: [] };
  await httpTo(service.url).send({ ...write, body });
  expect(service.seen[0]?.body).toBe(JSON.stringify(body));
  expect(service.seen[0]?.headers["content-type"]).toBe("application/json");
  expect(service.seen[0]?.headers["content-length"]).toBe(String(Buffer.byteLength(JSON.stringify(body))));
});

test("a query string encodes each value, and leaves out undefined values", async () => {
  const service = await serving((_, response) => json(response, {}));
  const http = httpTo(service.url);
  await http.send({ ...read, query: { name: "a&b=c d", limit: 100, status: undefined, flag: false } });
  await http.send({ ...read, query: { status: undefined } });
  expect(service.seen.map(({ url }) => url)).toEqual([
    "/v2/deployments?name=a%26b%3Dc+d&limit=100&flag=false",
    "/v2/deployments",
  ]);
});

test("a value in a path stays within its segment", () => {
  expect(path`/v2/deployments/${"a/b?c#d%e"}/revisions`).toBe("/v2/deployments/a%2Fb%3Fc%23d%25e/revisions");
});

test.each(["", ".", "..", "\ud800"])("%j is refused as part of a path", (value) => {
  expect(() => path`/v2/deployments/${value}`).toThrow(RangeError);
  expect(() => path`/v2/deployments/${value}`).toThrow(`${JSON.stringify(value)} cannot be a part of a path`);
});

test("the last answer with a date shows how far ahead the service's clock is", async () => {
  const now = Date.UTC(2030, 0, 2, 3, 4, 5);
  const dates = [now + 60_000, undefined, now - 2_000];
  const service = await serving((_, response, number) => {
    response.sendDate = false;
    const date = dates[number - 1];
    json(response, {}, 200, date === undefined ? {} : { date: new Date(date).toUTCString() });
  });
  const http = httpTo(service.url, { clock: turnedClock(now) });
  const leads = [http.clockAhead];
  for (const _ of dates) {
    await http.send(read);
    leads.push(http.clockAhead);
  }
  expect(leads).toEqual([0, 60_000, 60_000, -2_000]);
});

test("a try's alarm rings when the time for all tries runs out, but not within the try's first second, and the answer stops the alarm", async () => {
  const clock = turnedClock(0);
  const alarms: number[] = [];
  const stopped: number[] = [];
  const alarm = (milliseconds: number) => {
    alarms.push(milliseconds);
    return () => void stopped.push(milliseconds);
  };
  const durations = [3_000_000, 599_000, 0];
  const service = await serving((_, response, number) => {
    clock.turn(durations[number - 1] as number);
    json(response, {}, number < 3 ? 429 : 200, number < 3 ? { "retry-after": "0.25" } : {});
  });
  const random = jest.spyOn(Math, "random").mockReturnValue(0);
  try {
    const http = httpTo(service.url, {
      clock: { ...clock, alarm },
      maxRetries: 2,
      requestTimeoutSeconds: 3_600,
    });
    await http.send(read);
  } finally {
    random.mockRestore();
  }
  expect(alarms).toEqual([3_600_000, 599_750, 1_000]);
  expect(stopped).toEqual(alarms);
});

test("an incomplete answer counts as a lost connection, and its request may have been applied", async () => {
  const { error } = await failureOn((_, response) => {
    response.writeHead(200, { "content-length": 1000 }).write('{"id": "');
    setTimeout(() => response.destroy(), 20);
  }, write);
  expect(error).toBeInstanceOf(UnreachableError);
  expect(error).toMatchObject({ operation: "update deployment", mayHaveBeenApplied: true });
  expect(error.message).toContain("lost the connection");
});

test.each(["before its head", "within its body"])(
  "a request times out if its answer stalls %s",
  async (when) => {
    const { error } = await failureOn(
      (_, response) => {
        if (when === "within its body") response.writeHead(200).write("{");
      },
      write,
      { requestTimeoutSeconds: 0.1 },
    );
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error.message).toMatch(/^update deployment: PATCH http:.* got no answer within 0.1 s$/);
    expect(error).toMatchObject({ mayHaveBeenApplied: true });
  },
);

test.each([301, 302, 307, 308])(
  "a redirect (%i) is not followed, so no credential goes to another address",
  async (status) => {
    const elsewhere = await serving((_, response) => json(response, {}));
    const { error, service } = await failureOn(
      (_, response) => response.writeHead(status, { location: `${elsewhere.url}/v2/deployments` }).end(),
      read,
      { headers: { "X-Api-Key": "k" } },
    );
    expect(error).toMatchObject({ status });
    expect(error.message).toContain(`a redirect to ${elsewhere.url}/v2/deployments, which is not followed`);
    expect(service.seen).toHaveLength(1);
    expect(elsewhere.seen).toHaveLength(0);
  },
);

test.each([
  ["that is cut off", '{"detail": "no', 1000],
  ["whose `loc` contains an object", '{"detail": [{"loc": [{"toString": null}, "name"], "msg": "no"}]}', 0],
  ["whose `detail` contains null", '{"detail": [null]}', 0],
  ["that is nested 100,000 levels deep", `{"detail": [${"[".repeat(100_000)}${"]".repeat(100_000)}]}`, 0],
])("after a refusal with a body %s, the request was certainly not applied", async (_what, body, missing) => {
  const { error } = await failureOn((_, response) => {
    const length = Buffer.byteLength(body) + missing;
    response.writeHead(422, { "content-type": "application/json", "content-length": String(length) });
    if (missing === 0) response.end(body);
    else response.write(body, () => response.destroy());
  }, write);
  expect(error).toMatchObject({ status: 422, mayHaveBeenApplied: false });
  expect(error.message).toContain("answered 422");
});
