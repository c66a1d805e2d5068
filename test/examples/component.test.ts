/** Runs the GitLab component's jobs for a merge request: the previews, the gate, the note and the recovery. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CLI_SUM } from "../support/recipes/action";
import { componentJobs, runJob } from "../support/recipes/component";
import { gitlab, TOKEN } from "../support/recipes/gitlabApi";
import { folderWith } from "../support/recipes/workflows";

const REPORT = "<!-- deployment-control plan: agents/dev -->\nthe report & more\n";

const SET_UP = {
  npm: `echo "npm $*" >> asked`,
  curl: `echo "curl $*" >> asked`,
  tar: `echo "tar $*" >> asked`,
  sha256sum: `echo "\${SUM:-${CLI_SUM}}  archive"`,
  pulumi: `echo "{}"`,
};

let folder = "";
const at = (...names: string[]): string => path.join(folder, ...names);
const run = (job: string, environment: NodeJS.ProcessEnv, stacks = "production") =>
  runJob(job, folder, environment, { stacks });

test("each stack is in exactly one of the parallel preview jobs", async () => {
  folder = folderWith(SET_UP);
  const shares: string[][] = [];
  for (const CI_NODE_INDEX of ["1", "2"]) {
    const { code } = await run(
      "deployment-control-preview",
      { CI_NODE_INDEX, CI_NODE_TOTAL: "2" },
      "org/a b c",
    );
    shares.push(readdirSync(at("deployment-control-review", "previews")));
    rmSync(at("deployment-control-review"), { recursive: true });
    expect(code).toBe(0);
  }
  expect(shares).toEqual([["c.json", "org.a.json"], ["b.json"]]);
  await run("deployment-control-preview", {}, "a b");
  expect(readdirSync(at("deployment-control-review", "previews"))).toEqual(["a.json", "b.json"]);
  expect(readFileSync(at("asked"), "utf8")).toContain("npm ci --ignore-scripts\n");
});

test("the component does not unpack a Pulumi CLI archive whose checksum is wrong", async () => {
  folder = folderWith(SET_UP);
  const { code, text } = await run("deployment-control-preview", { SUM: "0000" });
  expect([code, text]).toEqual([1, expect.stringContaining("has another sum, 0000")]);
  expect(readFileSync(at("asked"), "utf8")).not.toContain("tar ");
});

test("if one report cannot be written, the plan job still writes the other report, and ends with the gate's exit code", async () => {
  folder = folderWith({
    ...SET_UP,
    npx: `case "$*" in *--fail-on=replace,delete,previous-failure*) exit 2 ;; esac
while [ $# -gt 0 ]; do [ "$1" != --out ] || echo report > "$2"; shift; done; exit 1`,
  });
  expect((await run("deployment-control-plan", {})).code).toBe(2);
  for (const name of ["report.html", "report.md"])
    expect(existsSync(at("deployment-control-review", name))).toBe(true);
});

test("the component's recovery goes through all stacks, stores its output, and fails if the command `recover` fails for a stack", async () => {
  folder = folderWith({ ...SET_UP, npx: `echo "$*"; case "$*" in *one) exit 2 ;; esac` });
  const { code, text } = await run("deployment-control-recover", {}, "one two");
  expect([code, text]).toEqual([2, expect.stringContaining("recover --stack two")]);
  expect(readFileSync(at("deployment-control-review", "one.recovered.txt"), "utf8")).toContain("--stack one");
  expect(componentJobs({ stacks: "one" })["deployment-control-recover"]).toMatchObject({
    rules: [{ when: "manual", allow_failure: true }],
    environment: "production",
    resource_group: "production",
  });
});

const MINE = { id: 5, author: { id: 1 }, body: REPORT };

test.each([
  {
    about: "writes a note",
    notes: [{ ...MINE, author: { id: 2 } }],
    written: "POST /projects/1/merge_requests/3/notes",
  },
  { about: "overwrites its note", notes: [MINE], written: "PUT /projects/1/merge_requests/3/notes/5" },
])("the component $about, and no command has the token in its arguments", async ({ notes, written }) => {
  const service = await gitlab({
    "/user": { id: 1 },
    "/projects/1/merge_requests/3/notes?per_page=100&sort=asc": notes,
  });
  folder = folderWith({ curl: `echo "$*" >> asked; PATH=\${PATH#*:} exec curl "$@"` });
  mkdirSync(at("deployment-control-review"));
  writeFileSync(at("deployment-control-review", "report.md"), REPORT);
  const ended = await run("deployment-control-note", {
    CI_API_V4_URL: service.url,
    CI_MERGE_REQUEST_IID: "3",
    PLAN_NOTE_TOKEN: TOKEN,
  });
  expect(ended).toMatchObject({ code: 0 });
  expect(service.written).toEqual([[written, { body: REPORT }]]);
  expect(readFileSync(at("asked"), "utf8")).not.toContain(TOKEN);
});
