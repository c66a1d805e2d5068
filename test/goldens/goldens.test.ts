import { readFileSync } from "node:fs";
import path from "node:path";
import Ajv from "ajv/dist/2020";
import { evaluate } from "../../sdk/report/evaluate/evaluate";
import { VERDICTS } from "../../sdk/report/model";
import { previewIn } from "../../sdk/report/read/preview";
import {
  changed,
  deploymentIn,
  fileOf,
  type Loose,
  NAMES,
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

test("every report and result is valid by the JSON Schema", () => {
  const valid = new Ajv({ strict: false }).compile(schema());
  const reports = NAMES.map(reportOf);
  for (const report of [...reports, reports]) {
    expect([valid(report), valid.errors]).toEqual([true, null]);
  }
  expect(valid(resultOfRecorded("mixed"))).toBe(true);
  expect(valid({ ...reports[0], deployments: [{ name: "incomplete" }] })).toBe(false);
});

test("no report of any plan shows the value of a secret", () => {
  for (const name of NAMES) {
    expect(textOf(name)).not.toContain("golden secret");
    expect(JSON.stringify(reportOf(name))).not.toContain("golden secret");
  }
});

test("deployments are sorted by urgency, then by name", () => {
  for (const name of ["fleet", "mixed", "langsmith"]) {
    const order = reportOf(name).deployments.map((each) => `${VERDICTS.indexOf(each.verdict)} ${each.name}`);
    expect(order).toEqual([...order].sort());
  }
});

test("every deployment has the verdict of the provider's line", () => {
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

test("if the plan hides no value, the report has the same verdicts with and without the provider's lines", () => {
  for (const name of NAMES.filter((each) => !["pluginMarked", "adopted"].includes(each))) {
    const silent = changed(name, (document) => {
      document.diagnostics = (document.diagnostics ?? []).filter(
        (each: { severity: string }) => each.severity !== "info",
      );
    });
    const verdicts = (report: ReturnType<typeof evaluate>) =>
      report.deployments.map((each) => [each.name, each.verdict]);
    const silentReport = evaluate(previewIn(silent, name));
    expect([name, verdicts(silentReport)]).toEqual([name, verdicts(reportOf(name))]);
  }
});

test("an unexplained hidden change gets the strictest possible verdict, with a warning", () => {
  const silent = changed("pluginMarked", (document) => {
    document.diagnostics = [];
    for (const step of document.steps) delete step.detailedDiff;
  });
  const report = evaluate(previewIn(silent, "marked"));
  const image = deploymentIn(report, "image");
  expect(image).toMatchObject({
    verdict: "new-revision",
    reasons: [{ path: "sourceRevisionConfig.imageUri" }],
  });
  expect(image.warnings.join()).toContain("does not tell which");
  expect(deploymentIn(report, "same").verdict).toBe("unchanged");
});

test("if the provider and the report differ, the stricter verdict counts, with a warning", () => {
  const reportOn = (sentence: string) =>
    evaluate(
      previewIn(
        changed("inPlace", (document) => {
          document.diagnostics[0].message = `${sentence} (something)\n`;
        }),
        "changed",
      ),
    );
  const stricter = deploymentIn(reportOn("creates a new revision"), "chat");
  expect(stricter.verdict).toBe("new-revision");
  expect(stricter.warnings.join()).toContain("the provider said otherwise");
  const laxer = changed("mixed", (document) => {
    const line = document.diagnostics.find(({ urn }: Loose) => urn.endsWith("::revised"));
    line.message = "updates in place, no new revision (something)\n";
  });
  const report = deploymentIn(evaluate(previewIn(laxer, "changed")), "revised");
  expect(report.verdict).toBe("new-revision");
  expect(report.warnings.join()).toContain("the provider said otherwise");
});

test("neither the order of steps nor the listing of unchanged resources changes a plan's digest", () => {
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
  ["a value", (document: Loose) => setImage(document, "registry.example.com/other:1")],
  ["the deployment's id", (document: Loose) => (stepOf(document, "revised").oldState.id = "another")],
  [
    "a secret's generation",
    (document: Loose) => (stepOf(document, "keyed").newState.inputs.secretGenerations.MODEL_API_KEY = 9),
  ],
  ["an operation of another resource", (document: Loose) => (stepOf(document, "announced").op = "delete")],
  [
    "an argument of a creation",
    (document: Loose) => (stepOf(document, "fresh").newState.inputs.name = "other"),
  ],
])("the digest changes with %s", (_what, change) => {
  const other = evaluate(previewIn(changed("mixed", change), "other"));
  expect(other.digest).not.toBe(reportOf("mixed").digest);
});

function setImage(document: Loose, image: string): void {
  stepOf(document, "revised").newState.inputs.sourceRevisionConfig.imageUri = image;
}

test("a deployment or a secret may have the name of a prototype member, such as __proto__", () => {
  const report = reportOf("hostile");
  for (const name of ["__proto__", "constructor", "toString"]) {
    expect(deploymentIn(report, name)).toMatchObject({ name, verdict: "new-revision" });
  }
  const named = textOf("mixed")
    .replaceAll('"MODEL_API_KEY"', '"__proto__"')
    .replaceAll(" MODEL_API_KEY ", " __proto__ ");
  const keyed = deploymentIn(evaluate(previewIn(named, "named")), "keyed");
  expect(keyed.secrets).toEqual({ added: [], changed: ["__proto__"], removed: [] });
  expect(keyed.reasons.map(({ path }) => path)).toEqual(["secrets.__proto__"]);
});
