/** For programs recorded in both forms, the report on the plugin's run equals the report on the dynamic form's run. */
import { existsSync, readFileSync } from "node:fs";
import { judge } from "../../sdk/report/judge/judge";
import { resultOf } from "../../sdk/report/judge/result";
import type { Report } from "../../sdk/report/model";
import { eventsIn } from "../../sdk/report/read/events";
import { previewIn } from "../../sdk/report/read/preview";
import {
  changed,
  deploymentIn,
  fileOf,
  type Loose,
  NAMES,
  previewOf,
  reportOf,
  stepOf,
} from "../support/goldens";

const inPlugin = (name: string): string => `plugin${name[0]?.toUpperCase()}${name.slice(1)}`;
const IN_BOTH = NAMES.filter((name) => NAMES.includes(inPlugin(name)));
const RESULTS = IN_BOTH.filter((name) => existsSync(fileOf("results", `${name}.up.jsonl`)));

/**
 * The report without the parts that may differ between the two forms: types, ids, digests, and the order of dependents.
 */
function comparable(report: Report): Loose {
  const text = JSON.stringify({ ...report, digest: "", operations: "" })
    .replaceAll("pulumi-nodejs:dynamic/deployment-control:", "deployment-control:index:")
    .replace(/00000000-0000-4000-8000-\d{12}/g, "ID");
  const whole = JSON.parse(text);
  for (const { dependents } of whole.deployments)
    dependents.sort((a: Loose, b: Loose) => (a.urn < b.urn ? -1 : 1));
  return whole;
}

/**
 * Plans whose reports differ between the two forms. Each function turns the dynamic form's report into the plugin's
 * report.
 */
const DIFFERENCES: { readonly [name: string]: (report: Loose) => void } = {
  // The generated classes take a map of secrets as a whole, so one unknown value makes the map unknown.
  unknown: (report) => {
    const keyed = deploymentIn(report, "keyed");
    keyed.secrets.changed = [];
    Object.assign(keyed.reasons.find(({ path }) => path === "secrets.MODEL_API_KEY") as object, {
      path: "secrets",
    });
  },
  // In the plugin's form, an update in place leaves the outputs known, so dependents do not change.
  dependents: (report) => {
    const { dependents } = deploymentIn(report, "research");
    Object.assign(dependents.find(({ name }) => name === "status") as object, { op: "same" });
    const stashes = report.others.find(({ type }: Loose) => type === "pulumi:index:Stash");
    Object.assign(stashes, { update: stashes.update - 1, unchanged: stashes.unchanged + 1 });
  },
};

test("the recordings have plans and results of the dynamic form and of the plugin's form", () => {
  expect(IN_BOTH.length).toBeGreaterThan(10);
  expect(RESULTS.length).toBeGreaterThan(3);
  for (const name of Object.keys(DIFFERENCES)) expect(IN_BOTH).toContain(name);
});

test.each(IN_BOTH)("the report of the plan %s is the same in the plugin's form", (name) => {
  const expected = comparable(reportOf(name));
  DIFFERENCES[name]?.(expected);
  expect(comparable(reportOf(inPlugin(name)))).toEqual(expected);
});

test.each(RESULTS)("the result of %s is the same in the plugin's form", (name) => {
  const [dynamic, plugin] = [name, inPlugin(name)].map((each) => {
    const text = readFileSync(fileOf("results", `${each}.up.jsonl`), "utf8");
    const { outcomes, right, wrong, undecided } = resultOf(
      reportOf(each),
      eventsIn(text, "up"),
      previewOf(each),
    );
    const happened = outcomes.map((outcome) => [outcome.name, outcome.happened, outcome.right]).sort();
    return { happened, right, wrong, undecided };
  });
  expect(plugin).toEqual(dynamic);
});

/** The report on a recorded plan that `change` has edited. */
const reportOn = (name: string, change: (document: Loose) => void): Report =>
  judge(previewIn(changed(name, change), name));

test("without the provider's lines, the engine's diff shows which hidden value changes", () => {
  const silent = reportOn("pluginMarked", (document) => {
    document.diagnostics = [];
  });
  for (const name of ["image", "labels", "secrets", "same"]) {
    const [withoutLines, withLines] = [silent, reportOf("pluginMarked")].map((report) =>
      deploymentIn(report, name),
    );
    expect(withoutLines).toEqual(withLines);
  }
  const dark = reportOn("pluginMarked", (document) => {
    document.diagnostics = [];
    for (const step of document.steps) delete step.detailedDiff;
  });
  expect(deploymentIn(dark, "image").warnings.join()).toContain("does not tell which");
});

test("a masked value in a list masks the whole list, and a path of the engine's diff may have dots", () => {
  const report = reportOn("pluginMarked", (document) => {
    document.diagnostics = [];
    const step = stepOf(document, "labels");
    const { oldState, newState } = step;
    for (const { inputs } of [oldState, newState])
      inputs.sourceConfig = {
        resourceSpec: { labels: { "a.b": "[secret]" }, sidecars: [{ name: "[secret]" }] },
      };
    oldState.outputs.sourceConfig = { resourceSpec: {} };
    step.detailedDiff = {
      'sourceConfig.resourceSpec.labels["a.b"]': { kind: "update" },
      "sourceConfig.resourceSpec.sidecars": { kind: "update" },
    };
  });
  const { reasons, verdict } = deploymentIn(report, "labels");
  const hidden = { effect: "in-place", before: "[secret]", after: "[secret]" };
  expect(reasons).toEqual([
    { path: "sourceConfig.resourceSpec.labels.a.b", ...hidden },
    { path: "sourceConfig.resourceSpec.sidecars", ...hidden },
  ]);
  expect(verdict).toBe("in-place");
});

test("the stack's configuration does not decide the profile of an explicit provider", () => {
  const verdict = (provider: string) => {
    const report = reportOn("pluginLangsmith", (document) => {
      document.config = { "deployment-control:profile": "langsmith" };
      document.diagnostics = [];
      for (const { oldState, newState } of document.steps)
        for (const state of [oldState, newState])
          if (state?.inputs) {
            delete state.inputs.__profile;
            delete state.outputs?.__profile;
            state.provider = `urn:pulumi:dev::agents::pulumi:providers:deployment-control::${provider}::id`;
          }
    });
    return deploymentIn(report, "scaled").verdict;
  };
  expect(["default", "default_0_1_0", "eu", "default-eu"].map(verdict)).toEqual([
    "new-revision",
    "new-revision",
    "in-place",
    "in-place",
  ]);
});
