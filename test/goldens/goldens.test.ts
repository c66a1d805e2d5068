import { readFileSync } from "node:fs";
import path from "node:path";
import Ajv from "ajv/dist/2020";
import { evaluate } from "../../sdk/report/evaluate/evaluate";
import { previewIn } from "../../sdk/report/read/preview";
import {
  changed,
  deploymentIn,
  fileOf,
  type Loose,
  NAMES,
  plannedIn,
  reportOf,
  resultOfRecorded,
  stepOf,
  textOf,
} from "../support/goldens";

const schema = () =>
  JSON.parse(readFileSync(path.join(__dirname, "../../sdk/report/report.schema.json"), "utf8"));

test.each(NAMES)("the report on the recorded plan %s equals the checked-in report", (name) => {
  const checkedIn = JSON.parse(readFileSync(fileOf("reports", `${name}.report.json`), "utf8"));
  expect(JSON.parse(JSON.stringify(reportOf(name)))).toEqual(checkedIn);
});

test("every report and result conforms to the JSON Schema", () => {
  const valid = new Ajv({ strict: false }).compile(schema());
  const reports = NAMES.map(reportOf);
  for (const report of [...reports, reports]) {
    expect([valid(report), valid.errors]).toEqual([true, null]);
  }
  expect(valid(resultOfRecorded("mixed"))).toBe(true);
  expect(valid({ ...reports[0], deployments: [{ name: "incomplete" }] })).toBe(false);
});

test("no recorded plan and no report shows the value of a secret", () => {
  for (const name of NAMES) {
    expect(textOf(name)).not.toContain("golden secret");
    expect(JSON.stringify(reportOf(name))).not.toContain("golden secret");
  }
});

test("each deployment's verdict matches the provider's plan line", () => {
  const opening = {
    "new-revision": "creates a new revision",
    "may-create-revision": "may create a new revision",
    "in-place": "updates in place|resumes waiting",
    replace: "is replaced",
  } as const;
  let compared = 0;
  for (const name of NAMES) {
    const { diagnostics = [] } = JSON.parse(textOf(name));
    const { deployments } = reportOf(name);
    for (const { urn, message } of diagnostics as { urn?: string; message: string }[]) {
      const report = deployments.find((each) => each.urn === urn);
      const words = Object.entries(opening).find(([, start]) => new RegExp(`^(${start})`).test(message));
      if (report === undefined || words === undefined) continue;
      expect([name, report.name, report.verdict]).toEqual([name, report.name, words[0]]);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(190);
});

test("a plan's digest does not depend on the order of its steps, or on whether it lists unchanged resources", () => {
  const report = reportOf("mixed");
  const other = changed("mixed", (document) => {
    document.steps = document.steps.filter((each: { op: string }) => each.op !== "same").reverse();
    document.diagnostics.reverse();
    document.duration = 5;
  });
  expect(evaluate(previewIn(other, "other")).digest).toBe(report.digest);
  // With --show-replacement-steps, the engine shows three steps for a replacement.
  const steps = changed("mixed", (document) => {
    const replaced = stepOf(document, "renamed");
    const { newState: _none, ...deleted } = { ...replaced, op: "delete-replaced" };
    document.steps.splice(document.steps.indexOf(replaced), 0, { ...replaced, op: "create-replacement" });
    document.steps.push(deleted);
  });
  expect(evaluate(previewIn(steps, "steps")).digest).toBe(report.digest);
});

test.each([
  ["a planned value", (document: Loose) => setImage(document, "registry.example.com/other:1")],
  ["the deployment's id", (document: Loose) => (stepOf(document, "revised").oldState.id = "another")],
  [
    "a secret's generation",
    (document: Loose) => (stepOf(document, "keyed").newState.inputs.secretGenerations.MODEL_API_KEY = 9),
  ],
  ["an operation on another resource", (document: Loose) => (stepOf(document, "announced").op = "delete")],
  [
    "an argument of a creation",
    (document: Loose) => (stepOf(document, "fresh").newState.inputs.name = "other"),
  ],
  [
    "a resource's profile",
    (document: Loose) => (stepOf(document, "fresh").newState.inputs.__plan.profile = "langsmith"),
  ],
])("the digest changes if %s changes", (_what, change) => {
  const other = evaluate(previewIn(changed("mixed", change), "other"));
  expect(other.digest).not.toBe(reportOf("mixed").digest);
});

function setImage(document: Loose, image: string): void {
  Object.assign(plannedIn(document, "revised")[0], { after: image });
}

test("a deployment or a secret may have the name of a prototype member, such as __proto__", () => {
  const report = reportOf("hostile");
  for (const name of ["__proto__", "constructor", "toString"]) {
    expect(deploymentIn(report, name)).toMatchObject({ name, verdict: "new-revision" });
  }
  const named = textOf("mixed")
    .replaceAll('"MODEL_API_KEY"', '"__proto__"')
    .replaceAll('"secrets.MODEL_API_KEY"', '"secrets.__proto__"')
    .replaceAll(" MODEL_API_KEY ", " __proto__ ");
  const keyed = deploymentIn(evaluate(previewIn(named, "named")), "keyed");
  expect(keyed.secrets).toEqual({ added: [], changed: ["__proto__"], removed: [] });
  expect(keyed.reasons.map(({ path }) => path)).toEqual(["secrets.__proto__"]);
});
