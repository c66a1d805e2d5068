/**
 * Runs the GitHub recipes for drift and for previews of pull requests; scripts stand in for the host and the engine.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { folderWith, shellIn, steps, workflow } from "../support/recipes/workflows";

/** Stand-ins for the commands: `pulumi` shows `preview`, and `gh` lists `issues` and records each write. */
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
    about: "overwrites its issue",
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
    about: "does not change another user's issue",
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
});

const PREVIEWS = path.join("github", "preview.yml");

test("the comment about a preview shows the program's outputs as plain text", () => {
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
});

test("the reaper destroys only the stacks of closed pull requests, and passes the list of open requests to the script", () => {
  const folder = folderWith({
    gh: `echo "gh" >> written; echo '[{"number": 12}]'`,
    pulumi: `echo "$*" >> written; case "$1 $2" in "stack ls") echo '[{"name": "pr-1"}, {"name": "pr-12"}, {"name": "production"}]' ;; esac`,
    node: `echo "$*" >> written; cat > kept`,
  });
  expect(reaped(folder)).toBe(0);
  expect(readFileSync(path.join(folder, "kept"), "utf8")).toBe("# open\n12\n");
  expect(readFileSync(path.join(folder, "written"), "utf8").trim().split("\n")).toEqual([
    "stack ls --json",
    "gh",
    "destroy --stack pr-1 --yes --skip-preview",
    "stack rm --yes pr-1",
    "removeLeftOvers.mts",
  ]);
});

test("the reaper destroys nothing if the list of open pull requests cannot be read", () => {
  const folder = folderWith({
    gh: "exit 1",
    pulumi: `echo "$*" >> written; echo '[{"name": "pr-1"}]'`,
    node: `echo "$*" >> written`,
  });
  expect(reaped(folder)).not.toBe(0);
  expect(readFileSync(path.join(folder, "written"), "utf8")).toBe("stack ls --json\n");
});

/** Runs the reaper's steps until one of them fails, and returns the status. With `&&`, the shell would ignore `-e`. */
function reaped(folder: string): number | null {
  const scripts = steps("github/reap.yml").flatMap(({ run = [] }) => run);
  return shellIn(folder, "bash", scripts.map((each) => `(${each}\n)`).join("\n"), {
    GITHUB_REPOSITORY: "acme/agents",
  }).status;
}
