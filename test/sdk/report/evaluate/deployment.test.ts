import { OWED } from "../../../../provider/diff/sentences";
import { UNKNOWN } from "../../../../provider/schema/value";
import { differencesBetween } from "../../../../sdk/report/evaluate/expect";
import { offencesIn } from "../../../../sdk/report/evaluate/gates";
import type { Report } from "../../../../sdk/report/model";
import { deploymentIn, type Loose, reportAfter, reportOf, stepOf, textOf } from "../../../support/goldens";

/** The report on the plan with one more message about a resource. */
const reportWithLine = (name: string, resource: string, message: string): Report =>
  reportAfter(name, (document) => {
    const { urn } = stepOf(document, resource);
    document.diagnostics = [...(document.diagnostics ?? []), { urn, message, severity: "info" }];
  });

const offences = (report: Report) =>
  offencesIn([report], { failOn: ["new-revision", "may"], allow: [] }).join("\n");

test.each([
  ["an update in place, in unknown words", "inPlace", "changes in place alone (minScale 1 -> 2)"],
  ["a line from the program itself", "inPlace", "hello"],
  ["known words with another resource's label", "inPlace", 'deployment "other": has no changes'],
])("a line that is not understood makes the verdict may-create-revision: %s", (_, name, line) => {
  const report = reportAfter(name, (document) => {
    document.diagnostics[0].message = `${line}\n`;
  });
  const chat = deploymentIn(report, "chat");
  expect(chat).toMatchObject({ verdict: "may-create-revision", notUnderstood: [line] });
  expect(chat.warnings[0]).toContain(`not understood, so it may create a revision: "${line}"`);
  expect(report.summary).toMatchObject({ mayCreateRevision: 1, inPlace: 0 });
  expect(offences(report)).toContain(line);
  expect(report.digest).not.toBe(reportOf(name).digest);
});

test("if only the journal knows that the last update is in doubt, the report warns of this update and marks the update as a previous failure", () => {
  const report = reportAfter("inPlace", (document) => {
    document.diagnostics[0].message = `may create a new revision (${OWED.doubt}; in place: x 1 -> 2)\n`;
  });
  const { verdict, warnings, previousFailure } = deploymentIn(report, "chat");
  expect([verdict, previousFailure]).toEqual(["may-create-revision", true]);
  expect(warnings).toEqual([expect.stringContaining(OWED.doubt)]);
  expect(offencesIn([report], { failOn: ["may", "previous-failure"], allow: [] })).toHaveLength(4);
});

test.each([
  ["new-revision", "creates a new revision (sourceRevisionConfig.imageUri chat:2 -> chat:1)"],
  ["in-place", "updates in place, no new revision (sourceConfig.customUrl https://b -> https://a)"],
])(
  "if the program is reverted after a failed update, the report shows the provider's line, because only this line names the deciding argument: %s",
  (expected, line) => {
    const report = reportAfter("failed", (document) => {
      const { urn } = stepOf(document, "first");
      document.diagnostics = [{ urn, message: line, severity: "info" }];
    });
    const { verdict, reasons, warnings } = deploymentIn(report, "first");
    expect([verdict, reasons]).toEqual([expected, []]);
    expect(warnings).toEqual([expect.stringContaining("its last update failed"), line]);
    // A repeated revision needs no second warning, because the failure explains the revision.
    expect(deploymentIn(reportOf("failed"), "first").warnings).toHaveLength(1);
  },
);

test.each([
  ["stays", "unchanged", "may-create-revision"],
  ["fresh", "create", "may-create-revision"],
  ["scaled", "in-place", "may-create-revision"],
  ["keyed", "may-create-revision", "may-create-revision"],
  ["revised", "new-revision", "new-revision"],
  ["gone", "delete", "delete"],
  ["renamed", "replace", "replace"],
])(
  "deployment %s has the verdict %s, and has the verdict %s after a line that is not understood",
  (name, before, after) => {
    expect(deploymentIn(reportOf("mixed"), name).verdict).toBe(before);
    const report = reportWithLine("mixed", name, "hello");
    expect(deploymentIn(report, name)).toMatchObject({ verdict: after, notUnderstood: ["hello"] });
    expect(report.digest).not.toBe(reportOf("mixed").digest);
  },
);

test("the engine's own line about a missing argument in ignoreChanges has no effect", () => {
  const line =
    'cannot ignore changes in added or removed elements of the path: "sourceRevisionConfig.imageUri"';
  const stays = deploymentIn(reportWithLine("mixed", "stays", line), "stays");
  expect(stays).toMatchObject({ verdict: "unchanged", warnings: [] });
  expect(stays.notUnderstood).toBeUndefined();
});

test("if a line about an unchanged deployment is not understood, the report lists the deployment, although the preview omits it", () => {
  const report = reportAfter("inPlace", (document) => {
    const { urn } = stepOf(document, "chat");
    document.steps = document.steps.filter((step: Loose) => step.urn !== urn);
    document.diagnostics = [{ urn, message: "hello", severity: "info" }];
  });
  expect(deploymentIn(report, "chat")).toMatchObject({ verdict: "may-create-revision" });
  expect(offences(report)).toContain('deployment "chat"');
});

test("the report takes an adoption's verdict and id from the recorded plan; without that plan, the creation may create a revision", () => {
  const adopting = (change: (inputs: Loose) => void) =>
    reportAfter("adopted", (document) => change(stepOf(document, "chat").newState.inputs)).deployments[0];
  const id = "00000000-0000-4000-8000-000000000002";
  expect(adopting(() => undefined)).toMatchObject({ verdict: "new-revision", id });
  expect(
    adopting(({ __plan }) => Object.assign(__plan, { verdict: "unchanged", changes: [] })),
  ).toMatchObject({
    verdict: "unchanged",
    id,
  });
  const lost: readonly ((inputs: Loose) => void)[] = [
    (inputs) => delete inputs.__plan,
    ({ __plan }) => Object.assign(__plan, { version: 2 }),
    ({ __plan }) => Object.assign(__plan, { verdict: "another" }),
  ];
  for (const change of lost)
    expect(adopting(change)).toMatchObject({
      verdict: "may-create-revision",
      warnings: expect.arrayContaining([expect.stringContaining("no plan for it that is understood here")]),
    });
});

test("if the provider says nothing about an update, the update may create a revision, and the gate fails", () => {
  const report = reportAfter("mixed", (document) => {
    document.diagnostics = [];
  });
  for (const name of ["scaled", "revised", "keyed"])
    expect(deploymentIn(report, name)).toMatchObject({ verdict: "may-create-revision" });
  expect(offences(report)).toContain('deployment "scaled"');
});

test("if the preview fails on an update before the provider says anything, the update may create a revision", () => {
  const report = reportAfter("mixed", (document) => {
    const { urn } = stepOf(document, "scaled");
    document.diagnostics = [{ urn, message: "refused", severity: "error" }];
  });
  expect(deploymentIn(report, "scaled")).toMatchObject({ verdict: "may-create-revision" });
});

test("the changes of an earlier update, which the inputs still record, are not shown again", () => {
  const report = reportAfter("mixed", (document) => {
    const { oldState, newState } = stepOf(document, "revised");
    oldState.inputs.__plan = newState.inputs.__plan;
  });
  expect(deploymentIn(report, "revised")).toMatchObject({ verdict: "new-revision", reasons: [] });
});

test("if the provider gives several verdicts, the strictest verdict counts", () => {
  const line = "may create a new revision (something)";
  expect(deploymentIn(reportWithLine("mixed", "scaled", line), "scaled").verdict).toBe("may-create-revision");
});

test("a listener's line that is not understood becomes a warning, and the gate fails", () => {
  const report = reportWithLine("create", "cluster", "hello");
  const [cluster] = report.listeners;
  expect(cluster).toMatchObject({ verdict: "unchanged", notUnderstood: ["hello"] });
  expect(cluster?.warnings[0]).toContain('"hello"');
  expect(offences(report)).toContain('listener "cluster": this line about it is not understood');
  expect(offences(reportOf("create"))).toBe("");
});

test("while the provider's settings are unknown, an import may create a revision, and the report gives no reasons", () => {
  const report = reportAfter("pluginMixed", (document) => {
    const step = stepOf(document, "revised");
    const provider = "urn:pulumi:dev::agents::pulumi:providers:deployment-control::unset";
    const { __plan: _plan, ...inputs } = step.newState.inputs;
    const newState = { ...step.newState, inputs, provider: `${provider}::id` };
    const oldState = { ...step.oldState, inputs: {}, outputs: {}, importID: step.oldState.id };
    document.steps = [
      { op: "create", urn: provider, newState: { inputs: { baseUrl: UNKNOWN } } },
      { op: "import", urn: step.urn, newState: { ...newState, importID: step.oldState.id } },
      { ...step, op: "update", oldState, newState },
    ];
    document.diagnostics = [];
  });
  const { verdict, reasons, fate, warnings } = deploymentIn(report, "revised");
  expect({ verdict, reasons, fate }).toEqual({ verdict: "may-create-revision", reasons: [], fate: null });
  expect(warnings[0]).toContain("settings of its provider are not known before the update");
  expect(warnings[0]).toContain("changes of its secrets are not shown");
});

test("if a refresh finds that a deployment is gone, the report still shows the plan to create the deployment", () => {
  const afterRefresh = reportAfter("mixed", (document) => {
    const { urn, newState } = stepOf(document, "fresh");
    const oldState = { ...newState, id: "old-id", outputs: {} };
    document.steps.unshift({ op: "refresh", urn, oldState, newState: null });
  });
  expect(deploymentIn(afterRefresh, "fresh")).toEqual(
    deploymentIn(
      reportAfter("mixed", () => undefined),
      "fresh",
    ),
  );
});

test("the report ignores lines about other resources, lines about no resource, and lines at debug level", () => {
  const report = reportAfter("mixed", (document) => {
    const { urn } = stepOf(document, "announced");
    document.diagnostics.push({ urn, message: "hello", severity: "info" });
    document.diagnostics.push({ message: "hello", severity: "info" });
    document.diagnostics.push({ urn: stepOf(document, "stays").urn, message: "hello", severity: "debug" });
  });
  expect(report).toEqual(reportOf("mixed"));
});

/** The report on the plan, after a change to the engine's step for a resource. */
const reportWithStep = (name: string, resource: string, step: Loose): Report =>
  reportAfter(name, (document) => {
    Object.assign(stepOf(document, resource), step);
    document.diagnostics = [];
  });

test.each([
  ["stays", {}],
  ["scaled", {}],
  ["gone", { newState: null }],
])("an unknown operation on %s may create a revision", (name, states) => {
  const report = reportWithStep("mixed", name, { op: "migrate", ...states });
  const deployment = deploymentIn(report, name);
  expect(deployment).toMatchObject({
    verdict: "may-create-revision",
    notUnderstood: [expect.stringContaining(`operation "migrate" for it is not known here`)],
  });
  expect(deployment.warnings[0]).toContain(`operation "migrate" for it is not known here`);
  expect(offences(report)).toContain(`"${name}"`);
});

test("a program that stops reading a deployment does not change the deployment", () => {
  const { deployments } = reportWithStep("mixed", "gone", { op: "discard", newState: null });
  expect(deployments.map(({ name }) => name)).not.toContain("gone");
});

test("a deployment that the program previously only read is created, not replaced", () => {
  const report = reportAfter("mixed", (document) => {
    const step = stepOf(document, "scaled");
    Object.assign(step, { op: "create-replacement", oldState: { ...step.oldState, external: true } });
    Object.assign(step.newState.inputs.__plan, { verdict: "create", changes: [] });
    document.diagnostics = [];
  });
  expect(deploymentIn(report, "scaled")).toMatchObject({ verdict: "create", id: null });
});

test("the report refuses a forced replacement under the same name, and names the remedy", () => {
  const forced = { op: "create-replacement", replaceReasons: ["id"] };
  const { refusals } = reportWithStep("mixed", "scaled", forced);
  expect(refusals).toEqual([
    expect.stringMatching(
      /"scaled": keeps the name .*Change name too.*leave --replace out, or run: pulumi state untaint 'urn:.*::scaled'$/,
    ),
  ]);
  expect(deploymentIn(reportWithStep("mixed", "scaled", forced), "scaled")).toMatchObject({
    verdict: "replace",
    fate: "refused",
  });
});

const OLD = "11111111-2222-4333-8444-555555555555";

/** The report on a plan with one more step, which deletes a deployment that an earlier replacement could not delete. */
function withLeftover(name: string): Report {
  return reportAfter("mixed", (document) => {
    const { urn, oldState } = stepOf(document, name);
    document.steps.push({ op: "delete-replaced", urn, oldState: { ...structuredClone(oldState), id: OLD } });
  });
}

const onlyDelete = { failOn: ["delete" as const], allow: [] };

test.each(["scaled", "revised"])(
  "for the changed deployment %s, the report also lists the leftover of an earlier replacement as a deletion",
  (name) => {
    const report = withLeftover(name);
    const [before, after] = [reportOf("mixed"), report].map((each) => deploymentIn(each, name));
    expect(after).toMatchObject({ verdict: before?.verdict, id: before?.id, leftovers: [OLD] });
    const words = `the old one of an earlier replacement, ${OLD}, leaves the stack: onDestroy and its options decide whether the service deletes it`;
    expect(after?.warnings).toContain(words);
    expect(offencesIn([reportOf("mixed")], onlyDelete)).toHaveLength(2);
    expect(offencesIn([report], onlyDelete).join("\n")).toContain(`  deployment "${name}": ${words}`);
    expect(differencesBetween([reportOf("mixed")], [report]).join()).toContain(`leftovers ["${OLD}"]`);
  },
);

test("the report lists the leftover of an earlier replacement even if the deployment is unchanged", () => {
  const report = reportAfter("inPlace", (document) => {
    const step = stepOf(document, "chat");
    const leftover = { ...structuredClone(step.oldState), id: OLD };
    Object.assign(step, { op: "same", newState: step.oldState });
    document.steps.push({ op: "delete-replaced", urn: step.urn, oldState: leftover });
    document.diagnostics = [];
  });
  const chat = deploymentIn(report, "chat");
  expect(chat).toMatchObject({ verdict: "unchanged", leftovers: [OLD] });
  expect(chat.warnings).toContainEqual(
    expect.stringContaining(`the old one of an earlier replacement, ${OLD}, leaves the stack`),
  );
  expect(offencesIn([report], onlyDelete)).toHaveLength(2);
});

test("the report does not call a deployment deleted if the engine retains it", () => {
  const gone = (retainOnDelete: boolean): Loose => {
    const report = reportAfter("langsmith", (document) => {
      stepOf(document, "gone").oldState.retainOnDelete = retainOnDelete;
    });
    const { fate, warnings } = deploymentIn(report, "gone");
    return [fate, warnings.join()];
  };
  expect(textOf("langsmith")).not.toContain('"retainOnDelete":');
  expect(gone(false)).toEqual(["deleted", expect.stringContaining("is deleted on the service")]);
  expect(gone(true)).toEqual(["retained", expect.stringContaining("stays on the service and keeps running")]);
});
