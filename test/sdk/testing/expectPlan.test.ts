import { readFileSync } from "node:fs";
import path from "node:path";
import { expectPlan } from "../../../sdk/testing/index";
import { changed, stepOf } from "../../support/goldens";

const GOLDENS = path.join(__dirname, "..", "..", "goldens");
const preview = (name: string): string =>
  readFileSync(path.join(GOLDENS, "previews", `${name}.json`), "utf8");
const reportText = (name: string): string =>
  readFileSync(path.join(GOLDENS, "shown", `${name}.txt`), "utf8").trim();

const IMAGE = ["sourceRevisionConfig.imageUri"];
const SCALE = ["sourceConfig.resourceSpec.minScale"];

test("a plan with every verdict meets its expectations, whether the preview is a string or a parsed object", () => {
  for (const each of [preview("mixed"), JSON.parse(preview("mixed"))])
    expectPlan(each)
      .newRevision("revised", IMAGE)
      .inPlace("scaled", SCALE)
      .create("fresh")
      .mayCreateRevision("keyed", ["secrets.MODEL_API_KEY"])
      .replace("renamed", ["name"])
      .delete("gone")
      .nothingElse();
  expectPlan(preview("dependents")).newRevision("chat").inPlace("research").inPlace("cluster").nothingElse();
});

test.each<[string, (plan: ReturnType<typeof expectPlan>) => unknown, string]>([
  [
    "has a different verdict",
    (plan) => plan.inPlace("revised", SCALE),
    "expected revised: in place (sourceConfig.resourceSpec.minScale), but found revised: new revision (sourceRevisionConfig.imageUri)",
  ],
  [
    "has the verdict because of another argument",
    (plan) => plan.newRevision("revised", ["sourceRevisionConfig.repoRef"]),
    "expected revised: new revision (sourceRevisionConfig.repoRef), but found revised: new revision (sourceRevisionConfig.imageUri)",
  ],
  [
    "has the verdict because of only one of the two arguments",
    (plan) => plan.newRevision("revised", [...IMAGE, "revisionSource"]),
    "expected revised: new revision (sourceRevisionConfig.imageUri, revisionSource), but found revised: new revision (sourceRevisionConfig.imageUri)",
  ],
  [
    "has no resource with the expected name",
    (plan) => plan.create("chat"),
    "expected chat: create, but no deployment or listener has this name",
  ],
  [
    "changes more resources than expected",
    (plan) => plan.newRevision("revised").inPlace("scaled").create("fresh").delete("gone").nothingElse(),
    "expected nothing else, but found renamed: replace (name); keyed: may create revision (secrets.MODEL_API_KEY)",
  ],
])("the error shows the report if the plan %s", (_, expectation, words) => {
  const failing = () => expectation(expectPlan(preview("mixed")));
  expect(failing).toThrow(words);
  expect(failing).toThrow(reportText("mixed"));
});

test("a resource that may be replaced meets only the expectation mayReplace", () => {
  const preview = changed("inPlace", (document) => {
    const line =
      "may be replaced; otherwise it updates in place, no new revision (name chat -> (unknown until apply))";
    document.diagnostics[0].message = `${line}\n`;
  });
  expect(() => expectPlan(preview).inPlace("chat")).toThrow(
    "expected chat: in place, but found chat: may replace",
  );
  expect(() => expectPlan(preview).replace("chat")).toThrow("but found chat: may replace");
  expectPlan(preview).mayReplace("chat");
});

test("nothingElse fails if the plan deletes the leftover of an earlier replacement, or if the report does not understand a line", () => {
  const leaving = changed("inPlace", (document) => {
    const step = stepOf(document, "chat");
    document.steps.push({
      op: "delete-replaced",
      urn: step.urn,
      oldState: { ...step.oldState, id: "old", delete: true },
    });
  });
  expect(() => expectPlan(leaving).inPlace("chat").nothingElse()).toThrow(
    "nothing else, but found chat: in place",
  );
  const strange = changed("create", (document) => {
    const { urn } = stepOf(document, "chat");
    document.diagnostics = [{ urn, message: "changes something", severity: "info" }];
  });
  expect(() => expectPlan(strange).nothingElse()).toThrow("nothing else, but found chat");
});

test("a preview that failed, or whose update would fail, meets no expectation", () => {
  const failed = { ...JSON.parse(preview("mixed")), diagnostics: [{ message: "boom", severity: "error" }] };
  expect(() => expectPlan(failed)).toThrow("the plan fails: boom");
  const refused = changed(
    "langsmith",
    (document) => (stepOf(document, "moved").oldState.retainOnDelete = true),
  );
  expect(() => expectPlan(refused)).toThrow('the plan fails: deployment "moved": keeps the name');
  expect(() => expectPlan("{}")).toThrow("the preview");
});
