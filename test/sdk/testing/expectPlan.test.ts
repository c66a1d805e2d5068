import { readFileSync } from "node:fs";
import path from "node:path";
import { expectPlan } from "../../../sdk/testing/index";

const GOLDENS = path.join(__dirname, "..", "..", "goldens");
const preview = (name: string): string =>
  readFileSync(path.join(GOLDENS, "previews", `${name}.json`), "utf8");
const shown = (name: string): string =>
  readFileSync(path.join(GOLDENS, "shown", `${name}.txt`), "utf8").trim();

const IMAGE = ["sourceRevisionConfig.imageUri"];
const SCALE = ["sourceConfig.resourceSpec.minScale"];

test("a plan of every verdict is what the test expects, whether the preview is text or parsed", () => {
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
    "does something else",
    (plan) => plan.inPlace("revised", SCALE),
    "expected revised: in place (sourceConfig.resourceSpec.minScale), but found revised: new revision (sourceRevisionConfig.imageUri)",
  ],
  [
    "does it because of another argument",
    (plan) => plan.newRevision("revised", ["sourceRevisionConfig.repoRef"]),
    "expected revised: new revision (sourceRevisionConfig.repoRef), but found revised: new revision (sourceRevisionConfig.imageUri)",
  ],
  [
    "does it because of one argument of two",
    (plan) => plan.newRevision("revised", [...IMAGE, "revisionSource"]),
    "expected revised: new revision (sourceRevisionConfig.imageUri, revisionSource), but found revised: new revision (sourceRevisionConfig.imageUri)",
  ],
  [
    "has no such resource",
    (plan) => plan.create("chat"),
    "expected chat: create, but no deployment or listener has this name",
  ],
  [
    "does more than that",
    (plan) => plan.newRevision("revised").inPlace("scaled").create("fresh").delete("gone").nothingElse(),
    "expected nothing else, but found renamed: replace (name); keyed: may create revision (secrets.MODEL_API_KEY)",
  ],
])("the error shows the report if the plan %s", (_, expectation, words) => {
  const failing = () => expectation(expectPlan(preview("mixed")));
  expect(failing).toThrow(words);
  expect(failing).toThrow(shown("mixed"));
});

test("a preview that failed, or whose update would fail, meets no expectation", () => {
  const failed = { ...JSON.parse(preview("mixed")), diagnostics: [{ message: "boom", severity: "error" }] };
  expect(() => expectPlan(failed)).toThrow("the plan fails: boom");
  expect(() => expectPlan("{}")).toThrow("the preview");
});
