/** Checks the recipes of examples/ci and the action against the code and the hosts' rules, and runs their steps with stand-ins. */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { readPlanFlags } from "../../sdk/cli/planFlags";
import { ACTION, action, actionSteps } from "../support/recipes/action";

const ROOT = path.join(__dirname, "..", "..");
/** The opening of an expression, which the host replaces with a value in a workflow. */
const EXPRESSION = "$" + "{{";
const FOLDER = path.join(ROOT, "examples", "ci");
const { load } = createRequire(__filename)("js-yaml") as { load(text: string): unknown };

const recipes = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((file) =>
  /\.\w+$/.test(file),
);
const ACTION_FILES = readdirSync(ACTION).map((file) => path.relative(FOLDER, path.join(ACTION, file)));
const files = [...recipes, ...ACTION_FILES];
const text = (file: string): string => readFileSync(path.join(FOLDER, file), "utf8");
const yamls = files.filter((file) => file.endsWith(".yml"));
const workflows = yamls.filter((file) => file.startsWith("github"));
const OURS = "example/pulumi-deployment-control/.github/actions/deployment-control";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly name?: string;
}
interface Workflow {
  readonly on: unknown;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}
interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}
const workflow = (file: string): Workflow => load(text(file)) as Workflow;
const steps = (file: string): Step[] => Object.values(workflow(file).jobs).flatMap((job) => job.steps);

test.each(yamls)("%s is YAML", (file) => {
  expect(yamls.length).toBeGreaterThan(3);
  expect(load(text(file))).toEqual(expect.any(Object));
});

test.each(files.filter((file) => file.endsWith(".sh")))("%s is a shell script", (file) => {
  expect(spawnSync("sh", ["-n", path.join(FOLDER, file)], { encoding: "utf8" })).toMatchObject({
    status: 0,
    stderr: "",
  });
});

test("the command accepts every plan command line of the recipes", () => {
  const lines = files.flatMap((file) => [...text(file).matchAll(/deployment-control plan (--[^\n|`<]*)/g)]);
  expect(lines.length).toBeGreaterThan(8);
  for (const [, words] of lines) {
    const args = (words as string)
      .replace('"$FAIL_ON"', action.inputs["fail-on"]?.default as string)
      .replace('"$format"', "html")
      .trim()
      .split(/\s+/)
      .map((word) => word.replaceAll('"', ""));
    expect(readPlanFlags(args, {})).toMatchObject({
      files: [expect.stringMatching(/(previews?[./]|reviewed\/).*json$/)],
    });
  }
});

test("the recipes run only the package's commands with npx, and only ci with npm", () => {
  const { bin } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
  for (const file of files) {
    for (const [, name] of text(file).matchAll(/\bnpx (\S+)/g)) expect(Object.keys(bin)).toContain(name);
    for (const [, name] of text(file).matchAll(/\bnpm (\w+)/g)) expect(name).toBe("ci");
  }
});

test("no secret is in plaintext, and no secret is given to a whole job", () => {
  for (const file of files) {
    const secretSettings = [
      ...text(file).matchAll(/^\s*(\w*(?:TOKEN|PASSPHRASE|KEY|PASSWORD)\w*)\s*[:=]\s*(.+)$/gm),
    ];
    for (const [, name, value] of secretSettings)
      expect(value).toMatch(
        file.startsWith("..")
          ? new RegExp(`^\\$\\{\\{ (inputs\\.[a-z-]+ \\|\\| env\\.${name}|github\\.token) \\}\\}$`)
          : /^\$\{\{ (secrets\.\w+|github\.token) \}\}$/,
      );
    for (const [, value] of text(file).matchAll(
      / (?:access-token|passphrase|api-key): "?(\$\{\{.*?\}\}|[^\s",]+)/g,
    ))
      expect(value).toMatch(/^\$\{\{ secrets\.\w+ \}\}$/);
  }
  for (const file of workflows) {
    const { jobs } = workflow(file);
    const without = Object.values(jobs).map(({ steps: _, ...job }) => JSON.stringify(job));
    for (const job of without) expect(job).not.toContain("secrets.");
  }
});

test("only the host's own actions and ours are used, each pinned to a commit", () => {
  const used = [...workflows.flatMap(steps), ...actionSteps].flatMap(({ uses }) => uses ?? []);
  expect(used.filter((each) => each.startsWith(OURS)).length).toBeGreaterThan(8);
  expect(used.filter((each) => each.startsWith("actions/")).length).toBeGreaterThan(8);
  for (const each of used)
    expect(each.replace(OURS, "actions/ours")).toMatch(/^actions\/[a-z-]+(\/[a-z-]+)?@[0-9a-f]{40}$/);
});

test("from an empty repository to a commented pull request it takes 12 lines", () => {
  const lines = text("github/plan.yml").split("\n");
  expect(lines.filter((line) => line.trim() !== "" && !line.startsWith("#"))).toHaveLength(12);
});

test("the guide shows these lines as they are", () => {
  const guide = readFileSync(path.join(ROOT, "docs", "guides", "review-in-pull-requests.md"), "utf8");
  const [, shown] = /```yaml\n(.*?)```/s.exec(guide) ?? [];
  expect(shown).toBe(text("github/plan.yml").replace(/^#.*\n/gm, ""));
});

test("untrusted code never runs with a secret or with write permission", () => {
  for (const file of workflows) {
    expect(JSON.stringify(workflow(file).on)).not.toContain("pull_request_target");
    const { permissions, jobs } = workflow(file);
    for (const job of Object.values(jobs)) {
      const canWrite = Object.entries({ ...permissions, ...job.permissions }).some(
        ([scope, level]) => level === "write" && scope === "pull-requests",
      );
      if (!canWrite) continue;
      expect(JSON.stringify(job)).not.toContain("secrets.");
      for (const { uses, with: settings, run = "" } of job.steps) {
        expect(run).not.toMatch(/\b(npx|npm|pulumi|node)\b/);
        if (uses !== undefined) expect([uses.split("@")[0], settings?.command]).toEqual([OURS, "review"]);
      }
    }
  }
  // In a script, a name from a stranger would be shell code.
  for (const { run } of [...workflows.flatMap(steps), ...actionSteps])
    expect(run ?? "").not.toContain(EXPRESSION);
  const checkouts = [...workflows.flatMap(steps), ...actionSteps].filter(({ uses }) =>
    uses?.startsWith("actions/checkout"),
  );
  expect(checkouts.length).toBeGreaterThan(1);
  for (const step of checkouts) expect(step.with).toMatchObject({ "persist-credentials": false });
  expect(workflow("github/plan.yml").permissions).toEqual({ contents: "read" });
  expect(workflow("github/comment.yml").on).toHaveProperty("workflow_run");
});

test("the saved plan of the engine, which holds secrets, is not used", () => {
  for (const file of files.filter((each) => !each.endsWith(".md")))
    expect(text(file)).not.toMatch(/ (--plan|--save-plan)\b/);
});

const CANARY = "sk-in-the-debug-events";
const [FIRST, SECOND] = [3, 2];

/** Stand-ins for the commands of a step: they record the log's path, and end with the given exit codes. */
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

/** A folder with the stand-ins. */
function folderWith(commands: { readonly [name: string]: string }): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "deployment-control-recipe-"));
  mkdirSync(path.join(folder, "bin"));
  for (const [name, words] of Object.entries(commands))
    writeFileSync(path.join(folder, "bin", name), `#!/bin/sh\n${words}\n`, { mode: 0o755 });
  return folder;
}

/** Runs a step's script in the folder with its stand-ins. */
const shellIn = (folder: string, shell: string, script: string, environment: NodeJS.ProcessEnv) =>
  spawnSync(shell, ["-e", "-c", script], {
    cwd: folder,
    encoding: "utf8",
    env: {
      PATH: `${path.join(folder, "bin")}:${process.env.PATH}`,
      TMPDIR: folder,
      STACK: "production",
      GITHUB_ACTION_PATH: ACTION,
      ...environment,
    },
  });

/** The shell script of the apply step, for either recipe. */
const applying = (file: string): string =>
  file.startsWith("github")
    ? (actionSteps.find(({ run }) => run?.includes("pulumi up"))?.run as string)
    : `mkdir ci; : > ci/reviewed.sh; set -- "$STACK"\n${text(file)}`;

const applies = ["github", "gitlab/apply.sh"];

test.each(
  applies.flatMap((file) =>
    (file === "github" ? ["bash"] : ["bash", "sh"]).flatMap((shell) => [
      { file, shell, given: {}, code: 0, isCompared: true },
      { file, shell, given: { UP: `${FIRST}` }, code: FIRST, isCompared: true },
      { file, shell, given: { WRONG: `${SECOND}` }, code: SECOND, isCompared: true },
      { file, shell, given: { UP: `${FIRST}`, WRONG: `${SECOND}` }, code: FIRST, isCompared: true },
      { file, shell, given: { KILLED: "yes" }, code: 1, isCompared: false },
    ]),
  ),
)(
  "$file in $shell with $given: only the step itself can read its event log, and it deletes the log",
  ({ file, shell, given, code, isCompared }) => {
    const folder = folderWith(COMMANDS);
    const ran = shellIn(folder, shell, applying(file), {
      RUNNER_TEMP: folder,
      GITHUB_STEP_SUMMARY: path.join(folder, "summary"),
      ...given,
    });
    const [folderMode, fileMode, log] = readFileSync(path.join(folder, "seen"), "utf8").split("\n");
    expect([folderMode, fileMode]).toEqual(["700", "600"]);
    expect(existsSync(path.dirname(log as string))).toBe(false);
    expect(ran.status).toBe(code);
    expect(existsSync(path.join(folder, "piped"))).toBe(isCompared);
    if (isCompared) expect(readFileSync(path.join(folder, "piped"), "utf8")).toContain(CANARY);
    expect(ran.stdout + ran.stderr).not.toContain(CANARY);
    rmSync(folder, { recursive: true, force: true });
  },
);

test("a cancelled apply is passed on to the engine, which ends its work before the log is deleted", () => {
  const folder = folderWith(COMMANDS);
  const ran = shellIn(folder, "bash", applying("github"), {
    RUNNER_TEMP: folder,
    KILLED: "yes",
    WAITS: "yes",
  });
  expect(existsSync(path.join(folder, "interrupted"))).toBe(true);
  expect(ran.status).toBe(1);
  const [, , log] = readFileSync(path.join(folder, "seen"), "utf8").split("\n");
  expect(existsSync(path.dirname(log as string))).toBe(false);
  expect(existsSync(path.join(folder, "piped"))).toBe(false);
  rmSync(folder, { recursive: true, force: true });
});

/** Stand-ins for a recovery that ends with DOUBT, and for an apply that would follow. */
const RECOVERING = {
  pulumi: `[ "$1" != up ] || touch applied`,
  npx: `case "$*" in *recover*--stack*production*) echo "deployment is taken over"; exit "\${DOUBT:-0}" ;; esac`,
};

test.each(applies.flatMap((file) => ["0", "2"].map((DOUBT) => ({ file, DOUBT }))))(
  "$file recovers before it applies, shows the recovery, and applies only after exit code 0 (here $DOUBT)",
  ({ file, DOUBT }) => {
    const folder = folderWith(RECOVERING);
    const summary = path.join(folder, "summary");
    const scripts = file.startsWith("github")
      ? actionSteps.flatMap(({ run = "" }) => (/npx \S+ recover|pulumi up/.test(run) ? [run] : []))
      : [applying(file)];
    const environment = { RUNNER_TEMP: folder, GITHUB_STEP_SUMMARY: summary, DOUBT };
    // A host runs no step after one that failed.
    const { status, stdout } = shellIn(
      folder,
      "bash",
      scripts.map((each) => `(${each}\n)`).join(" && "),
      environment,
    );
    expect(stdout).toContain("deployment is taken over");
    expect(existsSync(path.join(folder, "applied"))).toBe(DOUBT === "0");
    if (DOUBT !== "0") expect(status).toBe(Number(DOUBT));
    if (file.startsWith("github"))
      expect(readFileSync(summary, "utf8")).toMatch(/^ {4}deployment is taken over$/m);
    rmSync(folder, { recursive: true, force: true });
  },
);

const HOSTILE = ["::error::obeyed", "##[command]obeyed", "x ::add-mask::obeyed"];
const HOSTILE_COMMAND = `${HOSTILE.map((line) => `echo '${line}'; echo '${line}' >&2`).join("; ")}; exit "\${END:-0}"`;
/** Stand-ins for the commands of a workflow: those that print outside text print commands for the runner. */
const OUTSIDE = {
  pulumi: HOSTILE_COMMAND,
  npx: HOSTILE_COMMAND,
  gh: `case "$1 $2" in
"run list") echo '[{"databaseId": 1, "conclusion": "success"}]' ;;
api*) echo '[{"merged_at": 1, "merge_commit_sha": "1", "head": {"sha": "2"}}]' ;;
*) ${HOSTILE_COMMAND} ;;
esac`,
};

/** Reads a step's output as the runner does: the lines that it obeys as commands, and the tokens that stop it. */
function readByRunner(output: string) {
  const tokens: string[] = [];
  let isStopped = false;
  const obeyed = output.split("\n").filter((line) => {
    const [, token] = /^::stop-commands::(.+)$/.exec(line) ?? [];
    if (isStopped) {
      isStopped = line !== `::${tokens.at(-1)}::`;
      return false;
    }
    if (token === undefined) return /::\w|##\[/.test(line);
    tokens.push(token);
    isStopped = true;
    return false;
  });
  return { obeyed, tokens, isStopped };
}

const outspoken = [
  ...workflows.flatMap((file) => steps(file).map((step) => ({ file, ...step }))),
  ...actionSteps.map((step) => ({ file: "action.yml", ...step })),
].flatMap(({ file, run = "" }) => (/pulumi (preview|up|refresh) |npx /.test(run) ? [{ file, run }] : []));

test.each(outspoken.flatMap((step) => ["0", "2"].map((END) => ({ ...step, END }))))(
  "$file: the runner obeys no command in outside text if the step's commands exit with $END",
  ({ run, END }) => {
    expect(outspoken.length).toBeGreaterThan(6);
    const folder = folderWith(OUTSIDE);
    const environment = { RUNNER_TEMP: folder, GITHUB_STEP_SUMMARY: path.join(folder, "summary"), END };
    const readings = [1, 2].map(() => {
      const script = `exec 2>&1; touch report.md report.markdown; ${run}`;
      const { stdout } = shellIn(folder, "bash", script, { GITHUB_SHA: "1", ...environment });
      expect(stdout).toContain("obeyed");
      return readByRunner(stdout);
    });
    expect(readings).toEqual(
      [1, 2].map(() => ({ obeyed: [], tokens: [expect.any(String)], isStopped: false })),
    );
    const [[first = ""] = [], [second = ""] = []] = readings.map(({ tokens }) => tokens);
    expect([first.length >= 32, first === second]).toEqual([true, false]);
    rmSync(folder, { recursive: true, force: true });
  },
);

/** A preview, and the hosts' answers; `gh` records what is written. */
const drifting = (preview: string, issues: unknown) => ({
  pulumi: `echo '${preview}'`,
  npx: `echo "the report" > report.md; exit "\${REPORT:-0}"`,
  gh: `case "$*" in *--paginate*) echo '${JSON.stringify(issues)}' ;; *) echo "$*" >> written ;; esac`,
});
const MINE = {
  number: 4,
  user: { login: "github-actions[bot]" },
  body: "<!-- deployment-control drift: production -->",
};
const DRIFT = '{"changeSummary": {"same": 2, "update": 1}}';
const NONE = '{"changeSummary": {"same": 3}}';

test.each([
  {
    about: "opens an issue",
    preview: DRIFT,
    issues: [],
    written: /^api --silent --method POST .*\/issues -f title=Drift/,
  },
  {
    about: "writes over its issue",
    preview: DRIFT,
    issues: [MINE],
    written: /^api --silent --method PATCH .*\/issues\/4 -F body/,
  },
  {
    about: "closes its issue",
    preview: NONE,
    issues: [MINE],
    written: /^api --silent --method PATCH .*\/issues\/4 -f state=closed/,
  },
  {
    about: "leaves another's issue",
    preview: NONE,
    issues: [{ ...MINE, user: { login: "someone" } }],
    written: undefined,
  },
  {
    about: "writes nothing about a preview that failed",
    preview: DRIFT,
    issues: [],
    REPORT: "1",
    written: undefined,
  },
])("the drift job $about", ({ preview, issues, written, REPORT = "0" }) => {
  const folder = folderWith(drifting(preview, issues));
  const scripts = steps("github/drift.yml").flatMap(({ run = [] }) => run);
  expect(scripts).toHaveLength(2);
  const { status } = shellIn(folder, "bash", scripts.map((each) => `(${each}\n)`).join(" && "), {
    GITHUB_REPOSITORY: "acme/agents",
    REPORT,
  });
  expect(status).toBe(Number(REPORT));
  const log = path.join(folder, "written");
  if (written === undefined) expect(existsSync(log)).toBe(false);
  else expect(readFileSync(log, "utf8")).toMatch(written);
  rmSync(folder, { recursive: true, force: true });
});

const PREVIEWS = path.join("github", "preview.yml");

test("the comment of a preview has the program's words as text", () => {
  const folder = folderWith({
    gh: `case "$*" in *--paginate*) echo '[]' ;; *) cp comment.md written ;; esac`,
  });
  const script = workflow(PREVIEWS).jobs.comment?.steps[0]?.run ?? "";
  const SHOWN = JSON.stringify({ url: "https://x.test", reply: "</pre>@team <img src=x>\n::error::obeyed" });
  const environment = {
    GITHUB_REPOSITORY: "acme/agents",
    NUMBER: "12",
    ACTION: "opened",
    RESULT: "success",
    SHOWN,
  };
  expect(shellIn(folder, "bash", script, environment).status).toBe(0);
  expect(readFileSync(path.join(folder, "written"), "utf8").split("\n")).toEqual([
    "<!-- deployment-control preview -->",
    "its preview runs",
    "",
    "<pre>url: https://x.test",
    "reply: &lt;/pre&gt;@team &lt;img src=x&gt; ::error::obeyed</pre>",
    "",
  ]);
  rmSync(folder, { recursive: true, force: true });
});

test("the reaper destroys the stacks of closed requests alone, and gives the states of all others", () => {
  const folder = folderWith({
    gh: `echo '[{"number": 12}]'`,
    pulumi: `echo "$*" >> written; case "$1 $2" in "stack ls") echo '[{"name": "pr-1"}, {"name": "pr-12"}, {"name": "production"}]' ;; esac`,
    npx: `echo "$*" >> written; cp keep.txt kept`,
  });
  const scripts = steps("github/reap.yml").flatMap(({ run = [] }) => run);
  const { status } = shellIn(folder, "bash", scripts.map((each) => `(${each}\n)`).join(" && "), {
    GITHUB_REPOSITORY: "acme/agents",
  });
  expect(status).toBe(0);
  expect(readFileSync(path.join(folder, "kept"), "utf8")).toBe("# requests that are open\nchat-pr-12\n");
  expect(readFileSync(path.join(folder, "written"), "utf8").trim().split("\n")).toEqual([
    "stack ls --json",
    "destroy --stack pr-1 --yes --skip-preview",
    "stack rm --yes pr-1",
    "stack export --stack pr-12",
    "stack export --stack production",
    "deployment-control reap --match chat-pr-* --keep keep.txt --state states/pr-12.json --state states/production.json --delete",
  ]);
  rmSync(folder, { recursive: true, force: true });
});

test("no recipe keeps the event log or the JSON output of an up", () => {
  for (const file of yamls) {
    expect(text(file)).not.toMatch(/pulumi up[^\n]* --json/);
    const artifactPaths =
      JSON.stringify(load(text(file))).match(/"(?:paths?|key)":(?:"[^"]*"|\[[^\]]*\])/g) ?? [];
    expect(artifactPaths.join()).not.toMatch(/events/);
  }
});

test("the README names every file", () => {
  for (const file of recipes.filter((each) => each !== "README.md"))
    expect(text("README.md")).toContain(`](${file})`);
});
