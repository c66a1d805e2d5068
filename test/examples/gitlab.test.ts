/**
 * Runs the GitLab recipes that do not use the component: a preview for each merge request, the reaper of old previews,
 * and the nightly check for drift.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { recipeJobs, runJob } from "../support/recipes/component";
import { gitlab, TOKEN } from "../support/recipes/gitlabApi";
import { folderWith } from "../support/recipes/workflows";

/** The stand-in for `curl` does not download the CLI, and sends all other requests to the test's GitLab service. */
const SET_UP = {
  curl: `echo "curl $*" >> asked; case "$*" in *get.pulumi.com*) exit 0 ;; esac; PATH=\${PATH#*:} exec curl "$@"`,
};

let folder = "";
const at = (...names: string[]): string => path.join(folder, ...names);
const commands = (): string[] => readFileSync(at("written"), "utf8").trim().split("\n");

const run = (recipe: string, job: string, environment: NodeJS.ProcessEnv = {}) =>
  runJob(job, folder, { CI_MERGE_REQUEST_IID: "12", ...environment }, { stacks: "production" }, recipe);

const PULUMI = `echo "pulumi $*" >> written; case "$1 $2" in "stack output") printf '%s' "$OUTPUTS" ;; "up "*) exit "\${UP:-0}" ;; esac`;
const STAND_INS = { ...SET_UP, pulumi: PULUMI, npx: `echo "npx $*" >> written` };

test("the preview job recovers, applies, and shows the outputs as text without commands or mentions", async () => {
  folder = folderWith(STAND_INS);
  const OUTPUTS = JSON.stringify({ url: "https://x.test", "/close": "</pre>@team <img src=x>\n/merge" });
  expect(await run("preview", "preview", { OUTPUTS })).toMatchObject({ code: 0 });
  expect(commands()).toEqual([
    "pulumi stack select --create pr-12",
    "npx --no-install deployment-control recover --stack pr-12",
    "pulumi up --stack pr-12 --yes --skip-preview",
    "pulumi stack output --stack pr-12 --json",
  ]);
  expect(readFileSync(at("deployment-control-review", "report.md"), "utf8").split("\n")).toEqual([
    "<!-- deployment-control preview -->",
    "its preview runs",
    "",
    "<pre>",
    "- url: https://x.test",
    "- /close: &lt;/pre&gt;@team &lt;img src=x&gt; /merge",
    "</pre>",
    "",
  ]);
});

test("if a preview fails, the note reports the failure, and the job fails", async () => {
  folder = folderWith(STAND_INS);
  expect(await run("preview", "preview", { OUTPUTS: "{}", UP: "3" })).toMatchObject({ code: 3 });
  expect(readFileSync(at("deployment-control-review", "report.md"), "utf8")).toContain("its preview failed");
});

test("the preview job writes its note as the component does, and overwrites a note with the same first line", async () => {
  folder = folderWith(STAND_INS);
  mkdirSync(at("deployment-control-review"));
  const body = "<!-- deployment-control preview -->\nits preview runs\n";
  writeFileSync(at("deployment-control-review", "report.md"), body);
  const plan = { id: 4, author: { id: 1 }, body: "<!-- deployment-control plan: agents/dev -->" };
  const { url, written } = await gitlab({
    "/user": { id: 1 },
    "/projects/1/merge_requests/12/notes?per_page=100&sort=asc": [plan, { ...plan, id: 5, body }],
  });
  expect(await run("preview", "preview-note", { CI_API_V4_URL: url, PLAN_NOTE_TOKEN: TOKEN })).toMatchObject({
    code: 0,
  });
  expect(written).toEqual([["PUT /projects/1/merge_requests/12/notes/5", { body }]]);
});

test("when a merge request ends, the stack of its preview is destroyed in the preview's environment", async () => {
  folder = folderWith(STAND_INS);
  expect(await run("preview", "preview-stop")).toMatchObject({ code: 0 });
  expect(commands()).toEqual([
    "pulumi stack select --create pr-12",
    "npx --no-install deployment-control recover --stack pr-12",
    "pulumi destroy --stack pr-12 --yes --skip-preview",
    "pulumi stack rm --yes pr-12",
  ]);
  const { preview, "preview-stop": stop } = recipeJobs({ stacks: "production" }, "preview");
  const name = "previews/pr-$CI_MERGE_REQUEST_IID";
  expect(preview).toMatchObject({ environment: { name, on_stop: "preview-stop" } });
  expect(stop).toMatchObject({ environment: { name, action: "stop" }, rules: [{ when: "manual" }] });
  expect(preview?.resource_group).toBe(stop?.resource_group);
});

const requestsPage = (page: number) => `/projects/1/merge_requests?state=opened&per_page=100&page=${page}`;
const REAPED = {
  ...SET_UP,
  pulumi: `echo "pulumi $*" >> written; case "$1 $2" in "stack ls") echo '[{"name": "pr-1"}, {"name": "pr-112"}, {"name": "production"}]' ;; esac`,
  // The component also asks Node whether the package is installed.
  node: `[ "$1" != -e ] || exit 0; echo "node $*" >> written; cat > kept`,
};

test("the reaper destroys only the stacks of closed merge requests, and passes the list of open requests to the script", async () => {
  folder = folderWith(REAPED);
  const many = Array.from({ length: 100 }, (_, index) => ({ iid: index + 100 }));
  const { url } = await gitlab({ [requestsPage(1)]: many, [requestsPage(2)]: [{ iid: 12 }] });
  expect(await run("reap", "reap", { CI_API_V4_URL: url, PREVIEW_READ_TOKEN: TOKEN })).toMatchObject({
    code: 0,
  });
  const lines = readFileSync(at("kept"), "utf8").trim().split("\n");
  expect([lines[0], lines[1], lines.at(-1), lines.length]).toEqual(["# open", "100", "12", 102]);
  expect(commands()).toEqual([
    "pulumi stack ls --json",
    "pulumi destroy --stack pr-1 --yes --skip-preview",
    "pulumi stack rm --yes pr-1",
    "node removeLeftOvers.mts",
  ]);
  expect(readFileSync(at("asked"), "utf8")).not.toContain(TOKEN);
  expect(
    readdirSync(folder).filter((name) => name.startsWith("tmp.") && existsSync(at(name, "headers"))),
  ).toEqual([]);
});

test("the reaper destroys nothing if the list of open merge requests is incomplete", async () => {
  folder = folderWith(REAPED);
  const many = Array.from({ length: 100 }, (_, index) => ({ iid: index + 100 }));
  const { url } = await gitlab({ [requestsPage(1)]: many });
  const { code } = await run("reap", "reap", { CI_API_V4_URL: url, PREVIEW_READ_TOKEN: TOKEN });
  expect([code !== 0, commands()]).toEqual([true, ["pulumi stack ls --json"]]);
});

const drifting = (preview: string) => ({
  ...SET_UP,
  pulumi: `echo '${preview}'`,
  npx: `while [ $# -gt 0 ]; do [ "$1" != --out ] || echo "the report" > "$2"; shift; done; exit "\${REPORT:-0}"`,
});
const DRIFT = '{"changeSummary": {"same": 2, "update": 1}}';
const NONE = '{"changeSummary": {"same": 3}}';
const MARKER = "<!-- deployment-control drift: production -->";
const MINE = { iid: 4, description: `${MARKER}\nold` };
const TEXT = `${MARKER}\nThe service differs from the program of stack production. The next update would bring it back so:\n\nthe report\n`;

test.each([
  {
    about: "opens an issue",
    preview: DRIFT,
    issues: [{ iid: 3, description: null }],
    written: [["POST /projects/1/issues", { title: "Drift in production", description: TEXT }]],
  },
  {
    about: "overwrites its issue",
    preview: DRIFT,
    issues: [MINE],
    written: [["PUT /projects/1/issues/4", { description: TEXT }]],
  },
  {
    about: "closes its issue",
    preview: NONE,
    issues: [MINE],
    written: [["PUT /projects/1/issues/4", { state_event: "close" }]],
  },
  { about: "writes nothing", preview: NONE, issues: [], written: [] },
])("the drift job $about", async ({ preview, issues, written }) => {
  folder = folderWith(drifting(preview));
  expect(await run("drift", "drift")).toMatchObject({ code: 0 });
  const service = await gitlab({
    "/user": { id: 1 },
    "/projects/1/issues?state=opened&scope=all&author_id=1&per_page=100": issues,
  });
  const environment = { CI_API_V4_URL: service.url, PLAN_NOTE_TOKEN: TOKEN };
  expect(await run("drift", "drift-issue", environment)).toMatchObject({ code: 0 });
  expect(service.written).toEqual(written);
  expect(readFileSync(at("asked"), "utf8")).not.toContain(TOKEN);
});
