import {
  BadRequestError,
  RunRefusedError,
  StatusError,
  UnexpectedAnswerError,
  UnreachableError,
} from "../../../provider/client/index";
import { failureOf, json, serving, turnedClock } from "../../support/httpServer";
import { clientOf } from "../../support/runtimeClient";

const input = { messages: [{ role: "user", content: "hello" }] };

/** The error of a second run, on a service that accepts the first run and answers the second with this body. */
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

test("if an address returns a web page, the error asks whether deploymentUrl is correct", async () => {
  const { url } = await serving((_request, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<html></html>"),
  );
  expect((await failureOf(clientOf(url).createThread())).message).toMatch(
    /answered 200 with an HTML page where JSON was expected; is deploymentUrl the address of a running deployment\?/,
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
