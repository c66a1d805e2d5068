/**
 * Runs the apply of the action and of the component with stand-ins, and checks the event log, the behavior after a
 * cancellation, and the recovery before the apply.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { actionSteps, type ShellEnded } from "../support/recipes/action";
import { runJob } from "../support/recipes/component";
import { folderWith, shellIn } from "../support/recipes/workflows";

const CANARY = "sk-in-the-debug-events";
const [FIRST, SECOND] = [3, 2];

/**
 * Stand-ins for the commands of a step: `pulumi` records the path of the event log, and both commands end with the exit
 * codes that the test sets.
 */
const COMMANDS = {
  pulumi: `[ "$1" = up ] || exit 0
while [ "$1" != --event-log ]; do shift; done
echo '${CANARY}' > "$2"
stat -c %a "$(dirname "$2")" "$2" > seen; echo "$2" >> seen
[ -z "$KILLED" ] || { trap 'touch interrupted; exit 9' INT; kill -TERM "$PPID"; while [ -n "$WAITS" ]; do sleep 0.05; done; }
exit "\${UP:-0}"`,
  npx: `case "$*" in *--result*) ;; *) exit 0 ;; esac
cat > piped; exit "\${WRONG:-0}"`,
};

/** A stand-in for GitLab's API. */
const SET_UP = {
  curl: `for url in "$@"; do :; done
case "$*" in
*/repository/commits/*) echo '[{"iid": 3, "state": "merged", "target_branch": "main", "sha": "5"}]' ;;
*/merge_requests/*) echo '[{"id": 7, "sha": "5", "source": "merge_request_event", "status": "success"}]' ;;
*/pipelines/*) echo '[{"id": 9, "name": "deployment-control-plan"}]' ;;
esac`,
};

type Environment = NodeJS.ProcessEnv;

const applyStep = actionSteps.find(({ run }) => run?.includes("pulumi up"))?.run as string;

/** Runs steps of the action in order, until a step fails, as the host does. */
const byAction = (folder: string, variables: Environment, scripts = [applyStep]): ShellEnded => {
  const environment = {
    RUNNER_TEMP: folder,
    GITHUB_STEP_SUMMARY: path.join(folder, "summary"),
    ...variables,
  };
  const ran = shellIn(folder, "bash", scripts.map((each) => `(${each}\n)`).join(" && "), environment);
  return { code: ran.status, text: ran.stdout + ran.stderr };
};

/** Runs the apply job of the component. */
const byComponent = (folder: string, variables: Environment, stacks = "production"): Promise<ShellEnded> =>
  runJob(
    "deployment-control-apply",
    folder,
    {
      CI_API_V4_URL: "http://gitlab.test",
      CI_COMMIT_SHA: "5",
      CI_DEFAULT_BRANCH: "main",
      ...variables,
    },
    { stacks },
  );

const HOSTS = { "the action": byAction, "the component": byComponent };
const hosts = Object.keys(HOSTS) as (keyof typeof HOSTS)[];

test.each(
  hosts.flatMap((host) => [
    { host, variables: {}, code: 0, isCompared: true },
    { host, variables: { UP: `${FIRST}` }, code: FIRST, isCompared: true },
    { host, variables: { WRONG: `${SECOND}` }, code: SECOND, isCompared: true },
    { host, variables: { UP: `${FIRST}`, WRONG: `${SECOND}` }, code: FIRST, isCompared: true },
    { host, variables: { KILLED: "yes" }, code: 1, isCompared: false },
  ]),
)(
  "$host with $variables: only the user who runs the apply can read its event log, and the apply deletes the log",
  async ({ host, variables, code, isCompared }) => {
    const folder = folderWith({ ...SET_UP, ...COMMANDS });
    const ended = await HOSTS[host](folder, variables);
    const [folderMode, fileMode, log] = readFileSync(path.join(folder, "seen"), "utf8").split("\n");
    expect([folderMode, fileMode]).toEqual(["700", "600"]);
    expect(existsSync(path.dirname(log as string))).toBe(false);
    expect(ended.code).toBe(code);
    expect(existsSync(path.join(folder, "piped"))).toBe(isCompared);
    if (isCompared) expect(readFileSync(path.join(folder, "piped"), "utf8")).toContain(CANARY);
    expect(ended.text).not.toContain(CANARY);
  },
);

test("if an apply is cancelled, the action passes the signal to the engine, and deletes the event log once the engine has ended", () => {
  const folder = folderWith(COMMANDS);
  const ended = byAction(folder, { KILLED: "yes", WAITS: "yes" });
  expect(existsSync(path.join(folder, "interrupted"))).toBe(true);
  expect(ended.code).toBe(1);
  const [, , log] = readFileSync(path.join(folder, "seen"), "utf8").split("\n");
  expect(existsSync(path.dirname(log as string))).toBe(false);
  expect(existsSync(path.join(folder, "piped"))).toBe(false);
});

/**
 * Stand-ins for a job that the runner cancels during `pulumi up`. The stand-in for the engine records each signal that
 * it gets, and ends half a second after the first signal.
 */
const CANCELLED = {
  ...SET_UP,
  npm: `echo "$PPID" > job`,
  npx: "true",
  pulumi: `[ "$1" = up ] || exit 0
trap 'echo signal >> signals' INT TERM
while [ "$1" != --event-log ]; do shift; done
echo events > "$2"
printf %s "$2" > log
case "$RUNNER" in
script) kill -TERM "$(cat job)" ;;
every) kill -TERM $$; kill -TERM "$PPID"; kill -TERM "$(cat job)" ;;
esac
for turn in $(seq 200); do [ ! -s signals ] || break; sleep 0.05; done
sleep 0.5
echo ended >> signals`,
};

test.each(["script", "every"])(
  "if a job of the component is cancelled, the engine gets one signal, and the job waits for the engine (signal to: %s)",
  async (RUNNER) => {
    const folder = folderWith(CANCELLED);
    const { code } = await byComponent(folder, { RUNNER });
    expect(readFileSync(path.join(folder, "signals"), "utf8")).toBe("signal\nended\n");
    expect(code).toBe(1);
    expect(existsSync(path.dirname(readFileSync(path.join(folder, "log"), "utf8")))).toBe(false);
  },
);

test("if the plan of one stack has changed, the component's job still applies the other stacks, and then fails", async () => {
  const folder = folderWith({
    ...SET_UP,
    pulumi: `case "$*" in "up --stack two "*) touch applied-two ;; "up --stack org/one "*) touch applied-one ;; esac
while [ $# -gt 0 ]; do [ "$1" != --event-log ] || echo events > "$2"; shift; done`,
    npx: `case "$*" in *--expect*org.one*) exit 2 ;; esac`,
  });
  const { code } = await byComponent(folder, {}, "org/one two");
  expect(code).toBe(2);
  expect([
    existsSync(path.join(folder, "applied-one")),
    existsSync(path.join(folder, "applied-two")),
  ]).toEqual([false, true]);
});

/** Stand-ins for the commands: the recovery ends with the exit code `DOUBT`, and the apply records that it ran. */
const RECOVERING = {
  ...SET_UP,
  pulumi: `[ "$1" != up ] || touch applied`,
  npx: `case "$*" in *recover*--stack*production*) echo "deployment is taken over"; exit "\${DOUBT:-0}" ;; esac`,
};

test.each(hosts.flatMap((host) => ["0", "1", "2"].map((DOUBT) => ({ host, DOUBT }))))(
  "$host, recovery with exit code $DOUBT: the job shows the recovery's output, and runs the apply unless the recovery failed",
  async ({ host, DOUBT }) => {
    const folder = folderWith(RECOVERING);
    const scripts = actionSteps.flatMap(({ run = "" }) =>
      /npx --no-install \S+ recover|pulumi up/.test(run) ? [run] : [],
    );
    const { code, text } =
      host === "the action" ? byAction(folder, { DOUBT }, scripts) : await byComponent(folder, { DOUBT });
    expect(text).toContain("deployment is taken over");
    expect(existsSync(path.join(folder, "applied"))).toBe(DOUBT !== "1");
    if (DOUBT === "1") expect(code).toBe(1);
    const shown = host === "the action" ? "summary" : "deployment-control-review/production.recovered.txt";
    expect(readFileSync(path.join(folder, shown), "utf8")).toMatch(/^ *deployment is taken over$/m);
  },
);
