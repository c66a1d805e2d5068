import type { Emulator } from "../../sdk/emulator/index";
import type { SmokeTestArgs } from "../../sdk/index";
import { blemishesOf, errorsOf } from "../support/engine/errorText";
import { SmokeTest } from "../support/engine/form";
import { sent } from "../support/engine/programs";
import { type Run, service, stackOn, type TestStack } from "../support/engine/stack";

const KEY = "key-of-the-deployment";

/** The requests that a smoke test sends each time it runs. */
const CONVERSATION = [
  "POST /runtime/ID/threads",
  "POST /runtime/ID/threads/ID/runs",
  "GET /runtime/ID/threads/ID/runs/ID/join",
  "GET /runtime/ID/threads/ID/state",
];

interface Tested {
  readonly emulator: Emulator;
  readonly stack: TestStack;
  /** A program with a smoke test of the service's deployment. */
  readonly declares: (args?: Partial<SmokeTestArgs>) => () => object;
}

async function tested(): Promise<Tested> {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const [id] = emulator.seed(1);
  const base: SmokeTestArgs = {
    deploymentUrl: `${emulator.url}/runtime/${id}`,
    assistantId: "echo",
    messages: [{ role: "user", content: "hello there" }],
    expect: { contains: "hello" },
  };
  const declares = (args: Partial<SmokeTestArgs> = {}) => {
    return () => {
      const { reply, threadId, runId, seconds } = new SmokeTest("greeting", { ...base, ...args });
      return { reply, threadId, runId, seconds };
    };
  };
  return { emulator, stack, declares };
}

const runtimeRequests = (run: Run): string[] => sent(run).filter((request) => request.includes("/runtime/"));
const linesOf = (run: Run): string[] =>
  run.diagnostics.filter(({ severity }) => severity !== "error").map(({ message }) => message);

test("a smoke test runs only when it is created and when its question, expectation or triggers change", async () => {
  const { stack, declares } = await tested();
  const preview = await stack.preview(declares());
  expect([preview.error, sent(preview)]).toEqual([undefined, []]);
  const up = await stack.up(declares());
  expect(up.error).toBeUndefined();
  expect(runtimeRequests(up)).toEqual(CONVERSATION);
  expect(up.outputs).toMatchObject({ reply: "hello there", seconds: expect.any(Number) });
  const again = await stack.up(declares());
  expect([again.steps, sent(again)]).toEqual([{}, []]);
  const refresh = await stack.refresh();
  expect([refresh.error, sent(refresh)]).toEqual([undefined, []]);
  expect(refresh.text).toMatch(/Resources:\n +\d+ unchanged\n/);
  const unasked = await stack.up(declares({ timeoutSeconds: 60, apiKey: KEY }));
  expect([unasked.steps, sent(unasked)]).toEqual([{ greeting: "update" }, []]);
  expect(unasked.outputs.runId).toBe(up.outputs.runId);
  for (const change of [
    { triggers: { revision: "2" } },
    { messages: [{ role: "user", content: ["hello ", { type: "text", text: "there" }] }] },
  ]) {
    const changed = await stack.up(declares(change));
    expect([changed.error, runtimeRequests(changed)]).toEqual([undefined, CONVERSATION]);
    expect(changed.outputs).toMatchObject({ reply: "hello there" });
    expect(linesOf(changed).join("\n")).toContain("runs again (");
  }
  const destroy = await stack.destroy();
  expect([destroy.error, sent(destroy)]).toEqual([undefined, []]);
});

test("if the answer is wrong, `pulumi up` fails and shows the expected and the actual answer, and the next update runs the smoke test again", async () => {
  const { stack, declares } = await tested();
  const wrong = await stack.up(declares({ expect: { equals: "goodbye" } }));
  expect(errorsOf(wrong).join("\n")).toMatch(
    /smoke test "greeting": wrong answer: expected the text "goodbye", but got "hello there" \(assistant "echo" at \S+, thread \S+, run \S+, after [\d.]+ s\)/,
  );
  expect(blemishesOf(wrong)).toEqual([]);
  const right = await stack.up(declares());
  expect([right.error, right.steps, runtimeRequests(right)]).toEqual([
    undefined,
    { greeting: "create" },
    CONVERSATION,
  ]);
  const pattern = { expect: { matches: "^bye" } };
  for (const attempt of [await stack.up(declares(pattern)), await stack.up(declares(pattern))]) {
    expect(errorsOf(attempt).join("\n")).toContain(
      'expected a text that matches /^bye/, but got "hello there"',
    );
    expect(runtimeRequests(attempt)).toEqual(CONVERSATION);
  }
});
