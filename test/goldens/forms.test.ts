/** For programs recorded in both forms, the report on the plugin's run equals the report on the dynamic form's run. */
import { evaluate } from "../../sdk/report/evaluate/evaluate";
import type { Report } from "../../sdk/report/model";
import { previewIn } from "../../sdk/report/read/preview";
import { changed, deploymentIn, type Loose, reportOf, resultOfRecorded, stepOf } from "../support/goldens";

/** The report without the parts that may differ between the two forms: types, ids and digests. */
function comparable(report: Report): Loose {
  const text = JSON.stringify({ ...report, digest: "", operations: "" })
    .replaceAll("pulumi-nodejs:dynamic/deployment-control:", "deployment-control:index:")
    .replace(/00000000-0000-4000-8000-\d{12}/g, "ID");
  return JSON.parse(text);
}

test("the report of a plan with each verdict is the same in the plugin's form", () => {
  expect(comparable(reportOf("pluginMixed"))).toEqual(comparable(reportOf("mixed")));
});

test("the result of an up with each verdict is the same in the plugin's form", () => {
  const [dynamic, plugin] = ["mixed", "pluginMixed"].map((name) => {
    const { outcomes, right, wrong, undecided } = resultOfRecorded(name);
    const happened = outcomes.map((outcome) => [outcome.name, outcome.happened, outcome.right]).sort();
    return { happened, right, wrong, undecided };
  });
  expect(plugin).toEqual(dynamic);
});

/** The report on a recorded plan that `change` has edited. */
const reportOn = (name: string, change: (document: Loose) => void): Report =>
  evaluate(previewIn(changed(name, change), name));

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
    const report = reportOn("pluginMixed", (document) => {
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
