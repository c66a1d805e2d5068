import {
  BadRequestError,
  RunFailedError,
  RunRefusedError,
  type RuntimeClient,
  StatusError,
  UnexpectedAnswerError,
  UnreachableError,
} from "../../../provider/client/index";
import { failureOf, json, serving, type TurnedClock, turnedClock } from "../../support/httpServer";
import { clientOf } from "../../support/runtimeClient";

const input = { messages: [{ role: "user", content: "hello" }] };

/** The error of a second run. The service accepts the first run, and answers the second run with this body. */
async function secondRunFailure(status: number, body: string, type: string): Promise<Error> {
  const { url } = await serving((request, response, number) => {
    if (!request.url.endsWith("/runs") || number === 1) json(response, { run_id: "r" });
    else response.writeHead(status, { "content-type": type }).end(body);
  });
  const client = clientOf(url);
  await client.createRun("t", { assistantId: "a", input });
  return failureOf(client.createRun("t", { assistantId: "a", input, multitaskStrategy: "reject" }));
}

test("a refused run is recognized whatever body the answer has", async () => {
  for (const [status, body, type] of [
    [409, "<p>busy</p>", "text/html"],
    [409, "", "text/plain"],
    [422, "busy", "text/plain"],
  ] as const)
    expect(await secondRunFailure(status, body, type)).toBeInstanceOf(RunRefusedError);
});

test("a failure of the service is not reported as a refused run, even if a run is in progress", async () => {
  const failure = await secondRunFailure(500, "busy", "text/plain");
  expect(failure).toMatchObject({ name: "StatusError", status: 500 });
});

test("a run that the service rejects as invalid does not count as refused", async () => {
  const faults = '{"detail":[{"loc":["body","input"],"msg":"no"}]}';
  const failure = await secondRunFailure(422, faults, "application/json");
  expect(failure).toBeInstanceOf(StatusError);
  expect(failure).not.toBeInstanceOf(RunRefusedError);
  expect(failure.message).toContain("input: no");
});

test("a POST is not sent again if the service may have received it", async () => {
  for (const fault of [503, 0]) {
    const { url, seen } = await serving((_request, response) =>
      fault === 0 ? response.destroy() : json(response, {}, fault),
    );
    const client = clientOf(url, { clock: turnedClock() });
    const failure = await failureOf(client.createThread());
    const run = { assistantId: "a", input, multitaskStrategy: "reject" };
    expect((await failureOf(client.createRun("t", run))).constructor).toBe(failure.constructor);
    expect(failure).toBeInstanceOf(fault === 0 ? UnreachableError : StatusError);
    expect(seen).toHaveLength(2);
  }
});

test("a state without messages gets an empty list of messages, and an invalid state is an error", async () => {
  let body: unknown = { values: null };
  const { url } = await serving((_request, response) => json(response, body));
  expect(await clientOf(url).getState("t")).toEqual({ values: { messages: [] } });
  body = { values: { topic: "x" } };
  expect(await clientOf(url).getState("t")).toEqual({ values: { messages: [], topic: "x" } });
  body = { ok: true };
  expect(await failureOf(clientOf(url).getState("t"))).toBeInstanceOf(UnexpectedAnswerError);
  expect((await failureOf(clientOf(url).createThread())).message).toContain(
    "answered 200 without a thread_id",
  );
});

test("wrong arguments are refused before anything is sent", async () => {
  const client = clientOf("https://x.example");
  for (const assistantId of [" ", "", 7, undefined]) {
    const nameless = await failureOf(client.createRun("t", { assistantId: assistantId as string, input }));
    expect(nameless).toBeInstanceOf(BadRequestError);
    expect(nameless.message).toBe("assistantId: allowed: a string that is not empty");
  }
  expect(await failureOf(client.getState(".."))).toBeInstanceOf(RangeError);
});

/** A manual clock, which rings an alarm when the test turns the clock to the alarm's time. */
function ringingClock(): TurnedClock {
  const clock = turnedClock();
  const alarms = new Set<{ readonly at: number; readonly ring: () => void }>();
  const turn = (milliseconds: number): void => {
    clock.turn(milliseconds);
    for (const { at, ring } of alarms) if (at <= clock.now()) ring();
  };
  const alarm = (milliseconds: number, ring: () => void) => {
    const pending = { at: clock.now() + milliseconds, ring };
    alarms.add(pending);
    return () => void alarms.delete(pending);
  };
  return { ...clock, turn, alarm };
}

async function joinAnswered(
  body: unknown,
): Promise<{ joined: ReturnType<RuntimeClient["joinRun"]>; url: string }> {
  const { url } = await serving((_request, response) => json(response, body));
  return { joined: clientOf(url).joinRun("t", "r"), url };
}

test.each<[unknown, string, string]>([
  [{ error: "ValueError", message: "no  such\ntool " }, "ValueError", "no such tool"],
  [{ error: "ValueError" }, "ValueError", ""],
  [{ error: "ValueError", message: null }, "ValueError", ""],
  [{ message: ["no", "tool"] }, "", '["no","tool"]'],
  ["\n no such tool", "no such tool", ""],
  [7, "7", ""],
])("a join that reports the error %j with status 200 is a failure", async (reported, error, detail) => {
  const { joined, url } = await joinAnswered({ __error__: reported });
  const failure = await failureOf(joined);
  expect(failure).toBeInstanceOf(RunFailedError);
  expect(failure).toMatchObject({ error, detail });
  const words = [error, detail].filter((part) => part !== "").join(": ");
  expect(failure.message).toBe(
    `join run: GET ${url}/threads/t/runs/r/join answered that the run failed: ${words}`,
  );
});

test.each([[{ __error__: null, messages: [] }], [null], [["a"]]])(
  "a join that returns %j is not a failure",
  async (body) => {
    expect((await (await joinAnswered(body)).joined).values.messages).toEqual([]);
  },
);

test("white space before a join's answer is ignored", async () => {
  const { url } = await serving((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write("\n");
    setTimeout(() => response.write("\n \n"), 20);
    setTimeout(() => response.end('{"messages":[{"type":"ai","content":"hi"}],"other_key":1}'), 40);
  });
  const { values } = await clientOf(url).joinRun("t", "r");
  expect(values).toEqual({ messages: [{ type: "ai", content: "hi" }], other_key: 1 });
});

test("the time-out in the settings limits every request except a join, which has a separate time-out", async () => {
  const clock = ringingClock();
  const client = async (milliseconds: number, isAnswered: boolean) => {
    const service = await serving((_request, response) => {
      clock.turn(milliseconds);
      if (isAnswered) json(response, { messages: [] });
    });
    return { service, client: clientOf(service.url, { requestTimeoutSeconds: 1, clock }) };
  };
  const long = await client(599_999, true);
  expect((await long.client.joinRun("t", "r")).values.messages).toEqual([]);
  const tooLong = await client(600_000, false);
  expect((await failureOf(tooLong.client.joinRun("t", "r"))).message).toContain("no answer within 600 s");
  expect(tooLong.service.seen).toHaveLength(1);
  const connection = await client(2_000, false);
  const late = await failureOf(connection.client.joinRun("t", "r", { timeoutSeconds: 2 }));
  expect(late).toBeInstanceOf(UnreachableError);
  expect((await failureOf(connection.client.getState("t"))).message).toContain("no answer within 1 s");
});

/** A service that cuts off the first joins, each after its time in the list `after`, and answers all later joins. */
async function cutting(after: readonly number[]) {
  const clock = ringingClock();
  const service = await serving((_request, response, number) => {
    const milliseconds = after[number - 1];
    if (milliseconds === undefined) return json(response, { messages: [] });
    clock.turn(milliseconds);
    return response.destroy();
  });
  return { client: clientOf(service.url, { clock }), seen: service.seen, slept: clock.slept };
}

test("an interrupted join is sent again after a pause, and has as many retries as any other request", async () => {
  const twice = await cutting([0, 0]);
  expect((await twice.client.joinRun("t", "r")).values.messages).toEqual([]);
  expect(twice.slept).toEqual([500, 500]);
  const thrice = await cutting([0, 0, 0]);
  expect(await failureOf(thrice.client.joinRun("t", "r"))).toBeInstanceOf(UnreachableError);
  expect([thrice.seen.length, thrice.slept]).toEqual([3, [500, 500]]);
});

test("after a join that lasted more than five seconds, the count of retries starts again", async () => {
  const long = await cutting([5_001, 5_001, 5_001, 5_001, 5_001]);
  await long.client.joinRun("t", "r");
  expect(long.seen).toHaveLength(6);
  const short = await cutting([5_000, 5_000, 5_000, 5_000]);
  await failureOf(short.client.joinRun("t", "r"));
  expect(short.seen).toHaveLength(3);
  const late = await cutting([0, 5_001, 0, 0, 0]);
  await failureOf(late.client.joinRun("t", "r"));
  expect(late.seen).toHaveLength(4);
});

test("a join is not sent again if its time would run out during the pause", async () => {
  const over = await cutting([0]);
  await failureOf(over.client.joinRun("t", "r", { timeoutSeconds: 0.5 }));
  expect([over.seen.length, over.slept]).toEqual([1, []]);
  const just = await cutting([0]);
  await just.client.joinRun("t", "r", { timeoutSeconds: 0.501 });
  expect([just.seen.length, just.slept]).toEqual([2, [500]]);
});
