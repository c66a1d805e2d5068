import { differencesBetween, reportsIn } from "../../../../sdk/report/judge/expect";
import { judge } from "../../../../sdk/report/judge/judge";
import type { Report } from "../../../../sdk/report/model";
import { previewIn } from "../../../../sdk/report/read/preview";
import { changed, type Loose, NAMES, reportOf, stepOf } from "../../../support/goldens";

const plan = (change: (document: Loose) => void) => judge(previewIn(changed("mixed", change), "now"));

test.each(NAMES)("the plan %s has no differences from the report on the same plan", (name) => {
  const reviewed = reportsIn(JSON.stringify(reportOf(name)), "report.json");
  expect(differencesBetween(reviewed, [reportOf(name)])).toEqual([]);
});

test("the comparison has a line for each deployment that differs, whichever of the two plans was reviewed", () => {
  const now = plan((document) => {
    document.steps = document.steps.filter((step: { urn: string }) => !step.urn.endsWith("::fresh"));
    stepOf(document, "revised").newState.inputs.sourceRevisionConfig.imageUri =
      "registry.example.com/revised:9";
    stepOf(document, "scaled").newState.inputs.sourceRevisionConfig.imageUri =
      "registry.example.com/scaled:2";
    stepOf(document, "announced").op = "delete";
  });
  const there = differencesBetween([reportOf("mixed")], [now]);
  expect(there[0]).toBe("stack agents/dev:");
  expect(there.slice(1).sort()).toEqual([
    '  deployment "fresh": reviewed as create, now unchanged',
    '  deployment "revised": still new-revision, but no longer sourceRevisionConfig.imageUri registry.example.com/revised:1.0.0 -> registry.example.com/revised:1.1.0; now sourceRevisionConfig.imageUri registry.example.com/revised:1.0.0 -> registry.example.com/revised:9',
    expect.stringContaining('  deployment "scaled": reviewed as in-place, now new-revision ('),
    "  other resources: other operations than reviewed",
  ]);
  const back = differencesBetween([now], [reportOf("mixed")]).join("\n");
  expect(back).toContain('deployment "fresh": reviewed as unchanged, now create');
  expect(back).toContain('deployment "scaled": reviewed as new-revision, now in-place');
});

test("the comparison has a line for a deployment whose id differs between the two plans", () => {
  const moved = plan((document) => {
    stepOf(document, "revised").oldState.id = "another";
  });
  expect(differencesBetween([reportOf("mixed")], [moved])).toEqual([
    "stack agents/dev:",
    '  deployment "revised": still new-revision, but of another state',
  ]);
});

test("the comparison has a line for each stack that is in only one of the two plans", () => {
  const other: Report = { ...reportOf("mixed"), stack: "agents/other" };
  expect(differencesBetween([reportOf("mixed")], [reportOf("mixed"), other])).toEqual([
    "stack agents/other:",
    "  is planned, but was not reviewed",
  ]);
  expect(differencesBetween([reportOf("mixed"), other], [other])).toEqual([
    "stack agents/dev:",
    "  was reviewed, but is not planned",
  ]);
});
