/** Finds faults that would make GitHub refuse or misinterpret a workflow of this repository or of a recipe. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const ROOT = path.join(__dirname, "..", "..");
const FOLDERS = [".github/workflows", "examples/ci/github", "examples/ci/github/stacks"];
/**
 * The name of this repository's action, as a user writes it. The tests replace the name with a local path, because the
 * linter checks only the inputs of local actions.
 */
const OUR_ACTION = /[\w-]+\/pulumi-deployment-control\/(\.github\/actions\/[\w-]+)@0{40}/g;
const WITH_BUILD = 600_000;

/** The path of the linter, or the reason why there is none. */
function findLinter(): { readonly linter: string } | { readonly missing: string } {
  if (process.env.TEST_PART === "short") return { missing: "a short run builds none" };
  const tool = path.join(ROOT, "tools/toolchain/go-tools.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, "actionlint"], { encoding: "utf8" });
  return status === 0 ? { linter: stdout } : { missing: stderr.trim().split("\n").at(-1) as string };
}
const built = findLinter();

const workflows = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(ROOT, folder))
    .filter((file) => file.endsWith(".yml"))
    .map((file) => `${folder}/${file}`),
);

const { load } = createRequire(__filename)("js-yaml") as { load(text: string): unknown };

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
}
interface Job {
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const ours = workflows.filter((file) => file.startsWith(".github"));
const release = load(read(".github/workflows/release.yml")) as Workflow;

test.each(ours)(
  "the workflow %s has only read permission, and runs only actions that are pinned to a commit",
  (file) => {
    const { permissions, jobs } = load(read(file)) as Workflow;
    expect(permissions).toEqual({ contents: "read" });
    const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
    expect(used.length).toBeGreaterThanOrEqual(4);
    for (const action of used) expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
  },
);

test("each week, engine suites run with the oldest CLI that the tools accept, with 3.276.0 and with the newest CLI", () => {
  const { on, jobs } = load(read(".github/workflows/tests.yml")) as Workflow & { on: object };
  expect(Object.keys(on)).toContain("schedule");
  const { strategy, steps } = jobs.engines as Job & { strategy: { matrix: { pulumi: string[] } } };
  const oldest = /pulumiVersion = "(.+)"/.exec(read("tools/toolchain/pulumi.mjs"))?.[1];
  expect(strategy.matrix.pulumi).toEqual([oldest, "3.276.0", "newest"]);
  const suites = steps.flatMap(({ run = "" }) => run.match(/test\/engine\/\S+/g) ?? []);
  expect(suites.length).toBeGreaterThan(0);
  for (const suite of suites) expect(read(suite)).toContain("test(");
});

test("the job that publishes a release needs approval, and runs no code of this repository or its dependencies", () => {
  const may = Object.values(release.jobs).filter(({ permissions }) => permissions !== undefined);
  expect(may.map(({ permissions, environment }) => [permissions, environment])).toEqual([
    [{ contents: "write", "id-token": "write", attestations: "write" }, "release"],
  ]);
  for (const { uses = "", run = "" } of may.flatMap(({ steps }) => steps))
    expect(`${uses}${run}`).not.toMatch(/checkout|npm (ci|run|test|exec)|npx|node /);
});

test("the package and its dependencies run no script when they are installed, and each dependency has one exact version", () => {
  const { scripts, dependencies } = JSON.parse(read("package.json"));
  expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
  const { packages } = JSON.parse(read("package-lock.json"));
  for (const [name, version] of Object.entries(dependencies)) {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    const { hasInstallScript, dependencies: further } = packages[`node_modules/${name}`];
    expect([name, hasInstallScript, further]).toEqual([name, undefined, undefined]);
  }
});

const locks = ["package-lock.json", "tools/release/tools/package-lock.json"];
test.each(locks)("every package that %s gets from a registry has a checksum", (lock) => {
  const { packages } = JSON.parse(read(lock)) as {
    packages: Record<string, { integrity?: string; link?: true }>;
  };
  const fetched = Object.entries(packages).filter(
    ([place, { link }]) => place.includes("node_modules/") && !link,
  );
  expect(fetched.length).toBeGreaterThan(10);
  const without = fetched.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));
  expect(without.map(([place]) => place)).toEqual([]);
});

/**
 * The linter's complaints, one per line. The linter calls no other linters, so the complaints do not depend on the
 * machine.
 */
function complaintsOf(workflow: string, text = readFileSync(path.join(ROOT, workflow), "utf8")): string[] {
  const input = text.replaceAll(OUR_ACTION, "./$1");
  const args = ["-shellcheck=", "-pyflakes=", "-oneline", "-stdin-filename", workflow, "-"];
  const { stdout, stderr, error } = spawnSync("linter" in built ? built.linter : "", args, {
    cwd: ROOT,
    encoding: "utf8",
    input,
  });
  if (error) throw error;
  return `${stdout}${stderr}`.split("\n").filter(Boolean);
}

if ("missing" in built) {
  test.skip(`actionlint finds no fault in the workflows (skipped: no actionlint: ${built.missing})`, () =>
    undefined);
} else {
  test.each(workflows)(
    "actionlint finds no fault in %s",
    (workflow) => {
      expect(workflows.length).toBeGreaterThanOrEqual(4);
      expect(complaintsOf(workflow)).toEqual([]);
    },
    WITH_BUILD,
  );

  test("actionlint finds an unknown and a missing input of this repository's action", () => {
    const recipe = readFileSync(path.join(ROOT, "examples/ci/github/plan.yml"), "utf8");
    const complaints = (change: (text: string) => string) =>
      complaintsOf("examples/ci/github/plan.yml", change(recipe)).join("\n");
    expect(complaints((text) => text.replace("stack:", "stak:"))).toMatch(/input "stak" is not defined/);
    expect(complaints((text) => text.replace("command: review", 'stack: ""'))).toMatch(
      /missing input "command"/,
    );
  });
}
