import { join } from "node:path";
import { type Emulator, startEmulator } from "../../../../sdk/emulator/index";
import { workFolder } from "../../../support/adopt/command";
import {
  type Answered,
  ask,
  complaints,
  created,
  started,
  stoppedClock,
} from "../../../support/embeddedService";

const ABSENT = "00000000-0000-4000-8000-000000000000";
const hello = { messages: [{ role: "user", content: "hello" }] };

/** Creates a thread on a new deployment, and returns the thread's path. */
async function threadOn(emulator: Emulator): Promise<string> {
  const { id } = await created(emulator);
  const { body } = await ask(emulator, "POST", `/runtime/${id}/threads`, {});
  return `/runtime/${id}/threads/${body.thread_id}`;
}

function run(emulator: Emulator, thread: string, assistant: string, fields: object = {}): Promise<Answered> {
  const body = { assistant_id: assistant, input: hello, ...fields };
  return ask(emulator, "POST", `${thread}/runs`, body);
}

const joined = (emulator: Emulator, thread: string, { body }: Answered): Promise<Answered> =>
  ask(emulator, "GET", `${thread}/runs/${body.run_id}/join`);

const valuesOf = async (emulator: Emulator, thread: string) =>
  (await ask(emulator, "GET", `${thread}/state`)).body.values;

test("the graph `echo` answers with the user's last message, whether the message is a string or a list of parts", async () => {
  const emulator = await started();
  const thread = await threadOn(emulator);
  expect(await valuesOf(emulator, thread)).toEqual({});
  const parts = [{ type: "text", text: "one " }, { type: "text", text: "two" }, "three"];
  const messages = [
    { role: "system", content: "be brief" },
    { role: "user", content: parts },
  ];
  const answer = await run(emulator, thread, "echo", { input: { messages } });
  expect(answer.status).toBe(200);
  const values = {
    messages: [
      { type: "system", content: "be brief" },
      { type: "human", content: parts },
      { type: "ai", content: parts },
    ],
  };
  expect((await joined(emulator, thread, answer)).body).toEqual(values);
  expect(await valuesOf(emulator, thread)).toEqual(values);
});

test("with the strategy `reject`, a second run is refused, and the first run continues and succeeds", async () => {
  const clock = stoppedClock();
  const emulator = await started({ runSeconds: 60 });
  const thread = await threadOn(emulator);
  const first = await run(emulator, thread, "wait", { multitask_strategy: "reject" });
  const second = await run(emulator, thread, "echo", { multitask_strategy: "reject" });
  expect(second.status).toBe(409);
  expect(typeof second.body.detail).toBe("string");
  expect((await valuesOf(emulator, thread)).messages).toHaveLength(1);
  clock.pass(60_000);
  expect((await joined(emulator, thread, first)).body.messages).toHaveLength(2);
  expect((await valuesOf(emulator, thread)).messages).toHaveLength(2);
  expect((await run(emulator, thread, "echo", { multitask_strategy: "reject" })).status).toBe(200);
});

test("a request that joins a failed or unknown run gets 200 with the error", async () => {
  const emulator = await started();
  const thread = await threadOn(emulator);
  const failed = await joined(emulator, thread, await run(emulator, thread, "fail"));
  expect([failed.status, failed.body.__error__.error]).toEqual([200, "RuntimeError"]);
  const absent = await ask(emulator, "GET", `${thread}/runs/${ABSENT}/join`);
  expect([absent.status, absent.body.__error__.error]).toEqual([200, "NotFound"]);
});

test("an unknown deployment, thread or graph is refused with 404, and a malformed id with 422", async () => {
  const emulator = await started();
  const thread = await threadOn(emulator);
  const elsewhere = thread.replace(/[^/]+$/, ABSENT);
  const status = async (method: string, path: string, body?: object) =>
    (await ask(emulator, method, path, body)).status;
  expect(await status("POST", `/runtime/${ABSENT}/threads`, {})).toBe(404);
  expect(await status("GET", `${elsewhere}/state`)).toBe(404);
  expect((await run(emulator, elsewhere, "echo")).status).toBe(404);
  expect((await run(emulator, thread, "nobody")).status).toBe(404);
  expect(await status("GET", "/runtime/here/threads/there/state")).toBe(422);
  expect(await status("GET", `${thread}/runs/1/join`)).toBe(422);
  const other = await created(emulator);
  expect(await status("GET", `${thread.replace(/^\/runtime\/[^/]+/, `/runtime/${other.id}`)}/state`)).toBe(
    404,
  );
});

test("the service checks a run's body at every depth", async () => {
  const emulator = await started();
  const thread = await threadOn(emulator);
  const complain = async (fields: object) => complaints(await run(emulator, thread, "echo", fields));
  expect(await complain({ multitask_strategy: "rejct", stream: true })).toEqual({
    "body.multitask_strategy": expect.stringContaining("reject"),
    "body.stream": "there is no such field",
  });
  expect(await complain({ assistant_id: undefined, run_id: ABSENT })).toEqual({
    "body.assistant_id": "this field is required; allowed: a string that is not empty",
    "body.run_id": "is read-only: the service sets it",
  });
  const wrong = { messages: [{ content: 1 }, { role: "user", content: [2], name: "me" }] };
  expect(Object.keys(await complain({ input: wrong })).sort()).toEqual([
    "body.input.messages.0.content",
    "body.input.messages.0.role",
    "body.input.messages.1.content",
    "body.input.messages.1.name",
  ]);
});

test("threads and their runs survive a restart", async () => {
  const stateFile = join(workFolder(), "state.json");
  const before = await startEmulator({ data: stateFile, runSeconds: 0.2 });
  const thread = await threadOn(before);
  const waiting = await run(before, thread, "wait");
  await before.close();
  const after = await started({ data: stateFile });
  expect((await joined(after, thread, waiting)).body.messages).toHaveLength(2);
});
