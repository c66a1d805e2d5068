import type { UnfinishedError } from "../../../provider/failure";
import { endOfLog, wholeLog } from "../../../provider/polling/logs";
import { createdDeployment } from "../../support/createdDeployment";
import { chat, failureOf, provided, URN } from "../../support/providerRun";
import { rollout } from "../../support/resourceCalls";

const CANARY = 'canary "of" the/log+1';
const settings = { repoRef: "main", graphConfigPath: "graph.json" };
const agent = { ...chat, sourceConfig: {}, sourceRevisionConfig: settings, secrets: { TOKEN: CANARY } };
const next = (more: object = {}) => ({
  ...agent,
  sourceRevisionConfig: { ...settings, repoRef: "next" },
  ...more,
});

const running = (failureLog: string[] = [], inputs: object = agent) =>
  createdDeployment(inputs as never, { profile: "langsmith", revisionSeconds: 0, failureLog });

const logsRead = ({ emulator }: Awaited<ReturnType<typeof running>>): string[] =>
  emulator.requests.flatMap(({ path }) => /\w+_logs$/.exec(path)?.[0] ?? []);

/** The error of an update whose revision ends with the status. */
async function failing(run: Awaited<ReturnType<typeof running>>, status: string, more: object = {}) {
  run.emulator.failNext({ kind: "revision", status, message: "exit code 1" });
  const { message } = await failureOf<UnfinishedError>(run.update(next(more)));
  return message;
}

test.each([
  ["BUILD_FAILED", "build"],
  ["DEPLOY_FAILED", "deploy"],
])(
  "the error about a revision that ended %s has the last 20 lines of its %s log, from one request",
  async (status, kind) => {
    const lines = Array.from({ length: 30 }, (_, index) => `step ${index + 1}`);
    const run = await running(lines);
    const message = await failing(run, status);
    const tail = lines.slice(-20).map((line) => `  | ${line}`);
    expect(message).toContain("The service says: exit code 1.");
    expect(message.endsWith(`\nThe end of its ${kind} log:\n${tail.join("\n")}`)).toBe(true);
    expect(logsRead(run)).toEqual([`${kind}_logs`]);
  },
);

test("if the service has no log for a failed revision, or cannot return the log, the error shows no log", async () => {
  const run = await running();
  const message = await failing(run, "BUILD_FAILED");
  expect(message).toContain("The service says: exit code 1.");
  expect(message).not.toContain("log:");
  expect(logsRead(run)).toEqual(["build_logs"]);
  const broken = await running(["a line"]);
  broken.emulator.failNext({ kind: "status", status: 500, match: { pathPattern: /_logs$/ } });
  expect(await failing(broken, "BUILD_FAILED")).not.toContain("log:");
});

test("under profile contract, the provider requests no logs", async () => {
  const run = await createdDeployment(chat, { revisionSeconds: 0, failureLog: ["a line"] });
  run.emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const { message } = await failureOf(run.update({ ...chat, sourceRevisionConfig: { repoRef: "next" } }));
  expect([message.includes("a line"), logsRead(run)]).toEqual([false, []]);
});

const hostile = [
  `plain ${CANARY}`,
  `json ${JSON.stringify({ token: CANARY })}`,
  `url ${encodeURIComponent(CANARY)} form ${new URLSearchParams({ token: CANARY })}`,
  `base64 ${Buffer.from(CANARY).toString("base64")}`,
  `torn ${CANARY.slice(0, 6)}\u0000\u001b[31m${CANARY.slice(6)}`,
  "##[error]no\r::error::no\u0007\u001b]0;title\u0007\u202e\u2028",
  `huge ${"\u001b[1m€".repeat(50_000)}`,
  "x".repeat(1_000_000),
];
const leaks = [CANARY, JSON.stringify(CANARY).slice(1, -1), encodeURIComponent(CANARY), "canary"].concat(
  Buffer.from(CANARY).toString("base64"),
);

test("a hostile log shows no secret in any form and no control character, and has at most 4 kB", async () => {
  const run = await running(hostile);
  const message = await failing(run, "BUILD_FAILED");
  const log = message.slice(message.indexOf("\nThe end of its build log:"));
  expect(log).toContain("x".repeat(500));
  expect(Buffer.byteLength(log)).toBeLessThanOrEqual(4096);
  expect(leaks.filter((each) => message.includes(each))).toEqual([]);
  expect(message.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
  const few = await failing(await running(hostile.slice(0, 6)), "BUILD_FAILED");
  expect(few.match(/\[secret\]/g)?.length).toBe(6);
  expect(leaks.filter((each) => few.includes(each))).toEqual([]);
  expect(few).not.toMatch(/##\[|^ *::error|[^\P{Cc}\n]/mu);
});

test("the error after a restore shows the log of the failed revision and, if the restored revision fails too, also that revision's log", async () => {
  const rollout = { onFailure: "restore" };
  const run = await running(["no such module"], { ...agent, rollout });
  const restored = await failing(run, "BUILD_FAILED", { rollout });
  expect(restored).toContain("were restored");
  expect(restored.match(/no such module/g)).toHaveLength(1);
  const twice = await running(["no such module"], { ...agent, rollout });
  twice.emulator.failNext({ kind: "revision", status: "BUILD_FAILED", times: 2 });
  const { message } = await failureOf(twice.update(next({ rollout })));
  expect(message.match(/no such module/g)).toHaveLength(2);
  expect(logsRead(twice)).toEqual(["build_logs", "build_logs"]);
});

test("a whole log is read page by page, even if the service ignores the offset", async () => {
  const lines = Array.from({ length: 250 }, (_, index) => `step ${index + 1}`);
  const run = await running(lines);
  await failing(run, "BUILD_FAILED");
  const { endpoints } = run.service;
  const revision = run.stored()?.latest_revision_id as string;
  expect(await wholeLog(endpoints, run.id, revision, "build")).toEqual(lines);
  expect(await wholeLog(endpoints, run.id, revision, "deploy")).toEqual([]);
  const page = lines.slice(0, 100);
  const repeating = { revisionLog: async () => page.map((message) => ({ message })) };
  expect(await wholeLog(repeating as never, run.id, revision, "build")).toEqual(page);
  const texts = { revisionLog: async () => ["two", null, "one"] };
  expect(await endOfLog(texts as never, run.id, revision, "build")).toBe(
    "\nThe end of its build log:\n  | one\n  | two",
  );
});

test("if five members of a Rollout fail, the error shows the logs of three members, and each log takes one request", async () => {
  const { emulator, session } = await provided({
    profile: "langsmith",
    revisionSeconds: 600,
    failureLog: ["no such module"],
  });
  const ids = emulator.seed(5);
  for (const id of ids) {
    emulator.push(id);
    emulator.settle(id, "BUILD_FAILED", "exit code 1");
  }
  const deployments = Object.fromEntries(ids.map((id, at) => [`d${at}`, { id, revisionKey: `${id}:1` }]));
  const { message } = await failureOf(
    rollout.create(session, { __urn: URN.replace("Deployment::chat", "Rollout::all"), deployments }),
  );
  expect(message.match(/d\d: exit code 1/g)).toHaveLength(5);
  expect(message.match(/The end of its build log:\n {2}\| no such module/g)).toHaveLength(3);
  expect(emulator.requests.filter(({ path }) => path.endsWith("_logs"))).toHaveLength(5);
});
