/** Every endpoint and field of the runtime API reaches the service in the form that the contract gives. */
import { RuntimeClient } from "../../../provider/client";
import type { Emulator } from "../../../sdk/emulator";
import { rowsIn } from "../../endpoints/proving";
import { runtimeEndpoints } from "../../guards/contractList";
import { bodies, rowsOf, sampleOfShape } from "../../guards/contractRows";
import { started } from "../../support/embeddedService";

const sentRows = new Set<string>();
let emulator: Emulator;
let runtime: RuntimeClient;

beforeEach(async () => {
  emulator = await started();
  const [id = ""] = emulator.seed(1);
  runtime = new RuntimeClient({ deploymentUrl: `${emulator.url}/runtime/${id}`, maxRetries: 0 });
});
afterEach(async () => {
  await runtime.close();
  for (const row of rowsIn(emulator.requests)) sentRows.add(row);
});

const lastSeen = () => emulator.requests.at(-1);
const input = { messages: [{ role: "text", content: "text" }] };

test("a thread is created", async () => {
  const { threadId } = await runtime.createThread();
  expect(threadId).toMatch(/^[0-9a-f-]{36}$/);
  expect(lastSeen()?.body).toEqual({});
});

test("a run is created with every field", async () => {
  const { threadId } = await runtime.createThread();
  const run = { assistantId: "echo", input, multitaskStrategy: "reject" } as const;
  expect((await runtime.createRun(threadId, run)).threadId).toBe(threadId);
  const expected = sampleOfShape(bodies["POST /threads/{thread_id}/runs"] ?? {}) as object;
  expect(lastSeen()?.body).toEqual({ ...expected, assistant_id: "echo" });
});

test("a run is joined", async () => {
  const { threadId } = await runtime.createThread();
  const hello = { messages: [{ role: "user", content: "hello" }] };
  const { runId } = await runtime.createRun(threadId, { assistantId: "echo", input: hello });
  const { values } = await runtime.joinRun(threadId, runId);
  expect(values.messages.at(-1)).toEqual({ type: "ai", content: "hello" });
  expect(lastSeen()?.path).toMatch(new RegExp(`/threads/${threadId}/runs/${runId}/join$`));
});

test("a thread's state is read", async () => {
  const { threadId } = await runtime.createThread();
  expect(await runtime.getState(threadId)).toEqual({ values: { messages: [] } });
  expect(lastSeen()?.path).toMatch(new RegExp(`/threads/${threadId}/state$`));
});

test("the tests above cover every endpoint, filter and field of the contract's runtime API", () => {
  expect(rowsOf(runtimeEndpoints).filter((row) => !sentRows.has(row))).toEqual([]);
});
