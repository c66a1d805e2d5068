/** For programs recorded in both forms, the report on the plugin's run equals the report on the dynamic form's run. */
import type { Report } from "../../sdk/report/model";
import { type Loose, reportOf, resultOfRecorded } from "../support/goldens";

/** The report without the parts that may differ between the two forms: types, ids and digests. */
function comparable(report: Report): Loose {
  const text = JSON.stringify({ ...report, digest: "", operations: "" })
    .replaceAll("pulumi-nodejs:dynamic/deployment-control:", "deployment-control:index:")
    .replace(/00000000-0000-4000-8000-\d{12}/g, "ID");
  return JSON.parse(text);
}

test("the report on a plan with every verdict is the same in both forms", () => {
  expect(comparable(reportOf("pluginMixed"))).toEqual(comparable(reportOf("mixed")));
});

test("the result of a `pulumi up` with every verdict is the same in both forms", () => {
  const [dynamic, plugin] = ["mixed", "pluginMixed"].map((name) => {
    const { outcomes, right, wrong, undecided } = resultOfRecorded(name);
    const happened = outcomes.map((outcome) => [outcome.name, outcome.happened, outcome.right]).sort();
    return { happened, right, wrong, undecided };
  });
  expect(plugin).toEqual(dynamic);
});
