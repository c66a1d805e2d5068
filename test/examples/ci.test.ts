import { readFileSync } from "node:fs";
import path from "node:path";
import { readPlanFlags } from "../../sdk/cli/planFlags";
import { action, actionSteps } from "../support/recipes/action";
import { componentInputs, componentJobs } from "../support/recipes/component";
import { documents, files, steps, text, workflow, workflows, yamls } from "../support/recipes/workflows";

const ROOT = path.join(__dirname, "..", "..");
/** The beginning of an expression in a workflow. Before a step runs, GitHub replaces the expression with a value. */
const EXPRESSION = "$" + "{{";
const OURS = "example/pulumi-deployment-control/.github/actions/deployment-control";

test("the command `plan` accepts the options that the recipes pass", () => {
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

test("no recipe has a secret in plaintext or gives a secret to a whole job", () => {
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

test("the recipes use only GitHub's actions and ours, each pinned to a commit", () => {
  const used = [...workflows.flatMap(steps), ...actionSteps].flatMap(({ uses }) => uses ?? []);
  expect(used.filter((each) => each.startsWith(OURS)).length).toBeGreaterThan(8);
  expect(used.filter((each) => each.startsWith("actions/")).length).toBeGreaterThan(8);
  for (const each of used)
    expect(each.replace(OURS, "actions/ours")).toMatch(/^actions\/[a-z-]+(\/[a-z-]+)?@[0-9a-f]{40}$/);
});

test("the guide to reviews shows the unchanged recipe for a pull request's comment", () => {
  const guide = readFileSync(path.join(ROOT, "docs", "guides", "review-in-pull-requests.md"), "utf8");
  const [, shown] = /```yaml\n(.*?)```/s.exec(guide) ?? [];
  expect(shown).toBe(text("github/plan.yml").replace(/^#.*\n/gm, ""));
});

test("the recipes never run untrusted code with a secret or with write permission", () => {
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
  // An expression in a script could put a stranger's text, such as the name of a branch, into the shell.
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

test("no recipe uses the engine's saved plans, because saved plans hold secrets", () => {
  for (const file of files.filter((each) => !each.endsWith(".md")))
    expect(text(file)).not.toMatch(/ (--plan|--save-plan)\b/);
});

test("no recipe stores the event log or the JSON output of `pulumi up`", () => {
  for (const file of yamls) {
    expect(text(file)).not.toMatch(/pulumi up[^\n]* --json/);
    const artifactPaths =
      JSON.stringify(documents(file)).match(/"(?:paths?|key)":(?:"[^"]*"|\[[^\]]*\])/g) ?? [];
    expect(artifactPaths.join()).not.toMatch(/events/);
  }
});

test("the component and the action use the same version and the same checksums of the Pulumi CLI", () => {
  for (const name of ["pulumi-version", "pulumi-sha256"])
    expect(componentInputs[name]?.default).toBe(action.inputs[name]?.default);
});

test("an input of the component never becomes shell code, and ten lines are enough to include the component", () => {
  const inputs = Object.keys(componentInputs).filter((name) => name !== "stacks" && name !== "at-once");
  const marked = Object.fromEntries(inputs.map((name) => [name, `an-input-${name}`]));
  for (const job of Object.values(componentJobs({ stacks: "an-input", ...marked })))
    expect(JSON.stringify([job.before_script, job.script])).not.toContain("an-input");
  for (const stacks of ["", "a;id", "$(id)", "a  b"])
    expect(() => componentJobs({ stacks })).toThrow("stacks");
  const recipe = text("gitlab/.gitlab-ci.yml")
    .split("\n")
    .filter((line) => /^[^#]/.test(line));
  expect(recipe.length).toBeLessThan(11);
  const [{ include }] = documents("gitlab/.gitlab-ci.yml") as [{ include: { inputs: { stacks: string } }[] }];
  for (const each of include) expect(componentJobs(each.inputs)).toHaveProperty("deployment-control-apply");
});
