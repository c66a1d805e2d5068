import {
  BadRequestError,
  ConfigurationError,
  RunFailedError,
  RunRefusedError,
  RuntimeClient,
  type RuntimeClientOptions,
  StatusError,
  UnexpectedAnswerError,
  UnreachableError,
} from "../../provider/client/index";
import { created, started } from "../emulator/emulating";
import { failureOf, json, serving, turnedClock } from "./serving";

const clients: RuntimeClient[] = [];
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));

function clientOf(deploymentUrl: string, options: Partial<RuntimeClientOptions> = {}): RuntimeClient {
  const client = new RuntimeClient({ deploymentUrl, maxRetries: 2, ...options });
  clients.push(client);
  return client;
}

const input = { messages: [{ role: "user", content: "hello" }] };

test("a thread, a run, its end and the state, against the embedded service", async () => {
  const emulator = await started();
  const { id } = await created(emulator);
  const client = clientOf(`${emulator.url}/runtime/${id}/`);
  const { threadId } = await client.createThread();
  expect(await client.getState(threadId)).toEqual({ values: { messages: [] } });
  const { runId } = await client.createRun(threadId, { assistantId: "echo", input });
  const { values } = await client.joinRun(threadId, runId);
  expect(values.messages.at(-1)).toEqual({ type: "ai", content: "hello" });
  expect(await client.getState(threadId)).toEqual({ values });
});

test("a run under reject is refused while another goes on, which ends well", async () => {
  const emulator = await started({ runSeconds: 0.3 });
  const { id } = await created(emulator);
  const client = clientOf(`${emulator.url}/runtime/${id}`);
  const { threadId } = await client.createThread();
  const first = await client.createRun(threadId, { assistantId: "wait", input });
  const refused = client.createRun(threadId, { assistantId: "echo", input, multitaskStrategy: "reject" });
  expect(await failureOf(refused)).toBeInstanceOf(RunRefusedError);
  const { values } = await client.joinRun(threadId, first.runId);
  expect(values.messages).toHaveLength(2);
  await client.createRun(threadId, { assistantId: "echo", input, multitaskStrategy: "reject" });
});

/** A service on which only the creation of runs has something to say. */
const answeringRuns = (status: number, body: string, type: string) =>
  serving(({ url }, response, number) => {
    if (!url.endsWith("/runs") || number === 1) json(response, { run_id: "r" });
    else response.writeHead(status, { "content-type": type }).end(body);
  });

test("a refusal is known without a look at its words", async () => {
  for (const [status, body, type] of [
    [409, "<p>busy</p>", "text/html"],
    [409, "", "text/plain"],
    [422, "busy", "text/plain"],
    [422, '{"detail":[]}', "application/json"],
  ] as const) {
    const { url } = await answeringRuns(status, body, type);
    const client = clientOf(url);
    await client.createRun("t", { assistantId: "a", input });
    const second = client.createRun("t", { assistantId: "a", input, multitaskStrategy: "reject" });
    expect(await failureOf(second)).toBeInstanceOf(RunRefusedError);
  }
});

test("a wrong request is no refusal: 422 without reject, or in JSON when no run is known to go on", async () => {
  const { url } = await answeringRuns(
    422,
    '{"detail":[{"loc":["body","input"],"msg":"no"}]}',
    "application/json",
  );
  const client = clientOf(url);
  const { runId } = await client.createRun("t", { assistantId: "a", input });
  const plain = await failureOf(client.createRun("t", { assistantId: "a", input }));
  expect(plain).not.toBeInstanceOf(RunRefusedError);
  await client.joinRun("t", runId);
  const checked = await failureOf(
    client.createRun("t", { assistantId: "a", input, multitaskStrategy: "reject" }),
  );
  expect(checked).toBeInstanceOf(StatusError);
  expect(checked).not.toBeInstanceOf(RunRefusedError);
  expect(checked.message).toContain("input: no");
});

test("a join that reports an error with status 200 is a failure", async () => {
  const { url } = await serving((_request, response) =>
    json(response, { __error__: { error: "ValueError", message: "no  such\ntool" } }),
  );
  const failure = await failureOf(clientOf(url).joinRun("t", "r"));
  expect(failure).toBeInstanceOf(RunFailedError);
  expect(failure.message).toMatch(
    /GET .*\/threads\/t\/runs\/r\/join answered that the run failed: ValueError: no such tool/,
  );
});

test("white space that comes before a join's answer does not matter", async () => {
  const { url } = await serving((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write("\n");
    setTimeout(() => response.write("\n \n"), 20);
    setTimeout(() => response.end('{"messages":[{"type":"ai","content":"hi"}],"other_key":1}'), 40);
  });
  const { values } = await clientOf(url).joinRun("t", "r");
  expect(values).toEqual({ messages: [{ type: "ai", content: "hi" }], other_key: 1 });
});

test("a join waits longer than other requests, is asked again when it is cut, and ends at its time-out", async () => {
  const cut = await serving(({ method }, response, number) => {
    if (method === "GET" && number > 2) setTimeout(() => json(response, { messages: [] }), 1500);
    else response.destroy();
  });
  const { values } = await clientOf(cut.url, { requestTimeoutSeconds: 1 }).joinRun("t", "r");
  expect(values.messages).toEqual([]);
  expect(cut.seen).toHaveLength(3);
  const silent = await serving(() => undefined);
  const late = await failureOf(clientOf(silent.url).joinRun("t", "r", { timeoutSeconds: 0.2 }));
  expect(late).toBeInstanceOf(UnreachableError);
  expect(silent.seen).toHaveLength(1);
});

test("a POST that may have been seen is not sent again", async () => {
  for (const fault of [503, 0]) {
    const { url, seen } = await serving((_request, response) =>
      fault === 0 ? response.destroy() : json(response, {}, fault),
    );
    const client = clientOf(url, { clock: turnedClock() });
    await failureOf(client.createThread());
    await failureOf(client.createRun("t", { assistantId: "a", input }));
    expect(seen).toHaveLength(2);
  }
});

test("state without messages has none, and what is no state is an error", async () => {
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

test("an address that answers pages is asked about by its name", async () => {
  const { url } = await serving((_request, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<html></html>"),
  );
  expect((await failureOf(clientOf(url).createThread())).message).toMatch(
    /answered 200 with an HTML page where JSON was expected; is deploymentUrl that of a running deployment\?/,
  );
});

test("options that are wrong are refused by name, before anything is sent", async () => {
  const refusalOf = (options: object): string => {
    try {
      new RuntimeClient(options as RuntimeClientOptions);
    } catch (error) {
      if (error instanceof ConfigurationError) return error.message;
    }
    throw new Error("it was not refused");
  };
  expect(refusalOf({})).toContain("deploymentUrl is not set");
  expect(refusalOf({ deploymentUrl: "ftp://x" })).toContain("deploymentUrl: got");
  const open = { deploymentUrl: "http://chat.example", apiKey: "key-1" };
  expect(refusalOf(open)).toMatch(/deploymentUrl: http:\/\/chat.example is plain http.*allowInsecure/);
  expect(refusalOf(open)).not.toContain("key-1");
  new RuntimeClient({ ...open, allowInsecure: true });
  new RuntimeClient({ deploymentUrl: "http://chat.example" });
  expect(refusalOf({ deploymentUrl: "https://x.example", timeout: 1 })).toContain(
    "timeout: is not an option",
  );
  const client = clientOf("https://x.example");
  const nameless = client.createRun("t", { assistantId: " ", input });
  expect(await failureOf(nameless)).toBeInstanceOf(BadRequestError);
  expect(await failureOf(client.getState(".."))).toBeInstanceOf(RangeError);
});

test("the key goes with every request, in the header that was chosen", async () => {
  const { url, seen } = await serving((_request, response) => json(response, { thread_id: "t", values: {} }));
  await clientOf(url, { apiKey: "key-1" }).createThread();
  await clientOf(url, { apiKey: "key-1", authHeader: "Authorization", authScheme: "Bearer" }).getState("t");
  expect(seen[0]?.headers["x-api-key"]).toBe("key-1");
  expect(seen[1]?.headers.authorization).toBe("Bearer key-1");
});
