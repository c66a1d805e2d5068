import { differencesBetween } from "../../../../sdk/report/evaluate/expect";
import { offencesIn } from "../../../../sdk/report/evaluate/gates";
import type { Report } from "../../../../sdk/report/model";
import { deploymentIn, type Loose, reportAfter, reportOf, stepOf, textOf } from "../../../support/goldens";

const OLD = "11111111-2222-4333-8444-555555555555";

/** The report on a plan that lists all steps, with an old deployment that an earlier replacement could not delete. */
function withLeftover(name: string): Report {
  return reportAfter("mixed", (document) => {
    const { urn, oldState } = stepOf(document, name);
    document.steps.push({ op: "delete-replaced", urn, oldState: { ...structuredClone(oldState), id: OLD } });
  });
}

const onlyDelete = { failOn: ["delete" as const], allow: [] };

test.each(["scaled", "revised"])(
  "for the changed deployment %s, the report also names the leftover of an earlier replacement as a deletion",
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

test("the report on an unchanged deployment still names its leftover", () => {
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

test("the old deployment of the plan's own replacement does not count as a leftover", () => {
  for (const name of ["mixed", "langsmith"]) {
    expect(reportOf(name).deployments.flatMap(({ leftovers = [] }) => leftovers)).toEqual([]);
  }
});

test("the report does not call a deployment deleted if the engine retains it", () => {
  const gone = (retainOnDelete: boolean): Loose => {
    const report = reportAfter("langsmith", (document) => {
      stepOf(document, "gone").oldState.retainOnDelete = retainOnDelete;
    });
    const { fate, warnings } = deploymentIn(report, "gone");
    return [fate, warnings.join()];
  };
  expect(textOf("langsmith")).not.toContain("retainOnDelete");
  expect(gone(false)).toEqual(["deleted", expect.stringContaining("is deleted on the service")]);
  expect(gone(true)).toEqual(["retained", expect.stringContaining("stays on the service and keeps running")]);
});
