import { resultOf } from "../../../../sdk/report/evaluate/result";
import type { DeploymentReport, Report, ReportVerdict, Result } from "../../../../sdk/report/model";
import { eventsIn } from "../../../../sdk/report/read/events";
import { FORMATS } from "../../../../sdk/report/render/formats";
import {
  deploymentIn,
  eventsOf,
  type Loose,
  previewOf,
  reportOf,
  resultOfRecorded,
  textOf,
} from "../../../support/goldens";

const KINDS = ["up", "events"] as const;
const result = resultOfRecorded;
const happened = ({ outcomes }: Result) =>
  Object.fromEntries(outcomes.map(({ name, happened: what, right }) => [name, [what, right]]));

/** The deployment's outcome in the recorded `pulumi up`, after `planned` has replaced members of its planned report. */
function happenedTo(name: string, planned: Partial<DeploymentReport>, events = eventsOf("mixed")) {
  const report = reportOf("mixed");
  const deployments = report.deployments.map((each) => (each.name === name ? { ...each, ...planned } : each));
  return happened(resultOf({ ...report, deployments }, eventsIn(events, "up"), previewOf("mixed")))[name];
}

test.each(KINDS)("the result compares the plan with the recorded events in mixed.%s.jsonl", (kind) => {
  const mixed = result("mixed", eventsOf("mixed", kind));
  expect(happened(mixed)).toEqual({
    revised: ["new-revision", true],
    scaled: ["in-place", true],
    keyed: ["new-revision", true],
    renamed: ["replaced", true],
    gone: ["deleted", true],
    fresh: ["created", true],
    stays: ["unchanged", true],
  });
  expect(mixed).toMatchObject({ right: 7, wrong: 0, undecided: 0, warnings: [] });
  const revised = mixed.outcomes.find(({ name }) => name === "revised");
  expect(revised).toMatchObject({
    revisionStatus: "DEPLOYED",
    revisionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test("if the service does not do what was planned, the outcome is wrong and comes first in the result", () => {
  const surprising = result("langsmith");
  expect(surprising).toMatchObject({ wrong: 1, undecided: 0 });
  expect(surprising.outcomes[0]).toMatchObject({ name: "titled", happened: "new-revision", right: false });
  expect(surprising.outcomes[0]?.messages.join()).toContain("NOT as planned");
});

test('an update in place fulfills the plan "may be replaced, otherwise unchanged"', () => {
  const planned = { verdict: "may-create-revision", otherwise: "unchanged" } as const;
  expect(happenedTo("scaled", planned)).toEqual(["in-place", true]);
  expect(happenedTo("revised", planned)).toEqual(["new-revision", false]);
});

test("a creation fulfills a plan that may create or adopt a deployment; without a creation, the plan counts as not applied", () => {
  const verdict = "may-create-revision";
  expect(happenedTo("fresh", { verdict })).toEqual(["created", true]);
  const otherLines = eventsOf("mixed")
    .split("\n")
    .filter((line) => !line.includes('::fresh"'));
  expect(happenedTo("fresh", { verdict }, otherLines.join("\n"))).toEqual(["not-applied", null]);
  expect(happenedTo("fresh", { verdict, id: "an existing one" })).toEqual(["created", false]);
});

test("a failed rollout does not make the plan wrong, and later steps count as not applied", () => {
  const failed = result("failed");
  expect(happened(failed)).toEqual({
    second: ["not-applied", null],
    restored: ["failed", true],
    first: ["new-revision", true],
  });
  const restored = failed.outcomes.find(({ name }) => name === "restored");
  expect(restored?.messages.join()).toMatch(/ended BUILD_FAILED .* were restored: deployed as revision/);
  expect(failed.warnings).toEqual(["the update failed"]);
});

test("if the events end early, the outcome is unknown", () => {
  const lines = eventsOf("mixed").trim().split("\n");
  const begun = lines.findIndex((line) => line.includes("resourcePreEvent") && line.includes('::revised"'));
  const unfinished = result("mixed", lines.slice(0, begun + 1).join("\n"));
  expect(happened(unfinished)).toMatchObject({ revised: ["unknown", null], gone: ["unknown", null] });
  expect(unfinished.wrong).toBe(0);
  expect(unfinished.warnings).toEqual(["the events end before the update does"]);
});

test("without the provider's lines, the revisions in the outputs decide the outcome", () => {
  const silent = eventsOf("mixed")
    .split("\n")
    .filter((line) => !line.includes("diagnosticEvent"))
    .join("\n");
  expect(result("mixed", silent)).toMatchObject({ right: 7, wrong: 0 });
});

test("the output `__proof` decides whether the update made a revision, unless that output is from an earlier update", () => {
  const edited = (edit: (outputs: Loose, before: Loose) => void) => {
    const lines = eventsOf("mixed").trim().split("\n");
    const text = lines.map((line) => {
      const event = JSON.parse(line);
      const { metadata } = event.resOutputsEvent ?? {};
      if (metadata?.urn.endsWith("::revised") && metadata.op === "update")
        edit(metadata.new.outputs, metadata.old.outputs);
      return JSON.stringify(event);
    });
    return happened(result("mixed", text.join("\n"))).revised;
  };
  // A push, not the update, made the revision.
  expect(edited((outputs) => (outputs.__proof = false))).toEqual(["in-place", false]);
  const unsent = (outputs: Loose, before: Loose) => {
    Object.assign(outputs, { __proof: true, latestRevisionId: before.latestRevisionId });
  };
  expect(edited(unsent)).toEqual(["in-place", false]);
  // The update may have made a revision anyway, or may have ended before it requested a revision.
  const unfinished = (outputs: Loose, before: Loose) => {
    Object.assign(outputs, { __incomplete: true, latestRevisionId: before.latestRevisionId });
  };
  expect(edited(unfinished)).toEqual(["unknown", null]);
});

test("an unchanged deployment fulfills a plan that may create a revision", () => {
  expect(happenedTo("stays", { verdict: "may-create-revision" })).toEqual(["unchanged", true]);
});

test.each<readonly [after: unknown, what: string, right: boolean | null]>([
  ["[unknown]", "unchanged", true],
  [{ labels: { team: "[unknown]" } }, "unchanged", true],
  ["npm ci", "not-applied", null],
])(
  "if the plan sets an argument to %j in place, but the deployment does not change, the outcome is %s and right is %s",
  (after, what, right) => {
    const reason = {
      path: "sourceConfig.installCommand",
      effect: "in-place" as const,
      before: "npm i",
      after,
    };
    expect(happenedTo("stays", { verdict: "in-place", reasons: [reason] })).toEqual([what, right]);
  },
);

test("if the engine drops the update after an import because another resource failed, the update counts as not applied", () => {
  const events = eventsOf("mixed").replaceAll('"op":"same"', '"op":"import"');
  expect(happenedTo("stays", { verdict: "new-revision" }, events)).toEqual(["not-applied", null]);
  expect(happenedTo("stays", { verdict: "unchanged" }, events)).toEqual(["unchanged", true]);
});

test("a change outside the update's targets counts as not applied, and is neither right nor wrong", () => {
  const report = reportOf("mixed");
  const [replaced, changed, deleted, certain] = [
    "replace",
    "new-revision",
    "delete",
    "may-create-revision",
  ].map((verdict) => ({
    ...deploymentIn(report, "stays"),
    name: verdict,
    verdict: verdict as ReportVerdict,
  }));
  const reasons = [{ path: "secrets.A", effect: "may-revise" as const, before: "a", after: "b" }];
  const deployments = [replaced, changed, deleted, { ...certain, reasons }] as Report["deployments"];
  const events = eventsIn(eventsOf("mixed"), "up");
  const partialResult = resultOf({ ...report, deployments }, events, previewOf("mixed"));
  expect(partialResult).toMatchObject({ right: 0, undecided: 4 });
  expect(happened(partialResult)).toMatchObject({
    replace: ["not-applied", null],
    "new-revision": ["not-applied", null],
    delete: ["not-applied", null],
    "may-create-revision": ["not-applied", null],
  });
});

test("a change that a failed preview did not reach is neither right nor wrong", () => {
  const failed = { ...reportOf("failed"), failure: "the program failed" };
  const other = resultOf(failed, eventsIn(eventsOf("mixed"), "up"), previewOf("failed"));
  expect(happened(other)).toMatchObject({ fresh: ["created", null], gone: ["deleted", null] });
  expect(other.warnings.join()).toContain("the preview had failed: the program failed");
});

test("a creation that takes over a deployment and changes nothing fulfills the plan `unchanged`", () => {
  const adopted = eventsOf("mixed")
    .split("\n")
    .map((line) =>
      line.includes('::fresh"')
        ? line.replaceAll('"verdict":"create"', '"verdict":"unchanged","adopts":"7f3c"')
        : line,
    );
  expect(happenedTo("fresh", { verdict: "unchanged" }, adopted.join("\n"))).toEqual(["unchanged", true]);
});

test("if an alias causes a replaced deployment to be deleted under its old name, the deletion does not count as unplanned", () => {
  const lines = eventsOf("mixed").split("\n");
  const renamed = lines.map((line) =>
    line.includes('"op":"delete-replaced"') ? line.replaceAll("::renamed", "::before") : line,
  );
  expect(renamed).not.toEqual(lines);
  expect(result("mixed", renamed.join("\n"))).toMatchObject({ right: 7, undecided: 0, warnings: [] });
});

test("a deployment that the engine deletes along with a replaced dependency counts as deleted, as the plan said", () => {
  const ends = (line: string) => line.includes("resOutputsEvent") && line.includes('::gone"');
  const along = eventsOf("mixed")
    .split("\n")
    .map((line) =>
      line.includes('::gone"') ? line.replaceAll('"op":"delete"', '"op":"delete-replaced"') : line,
    )
    .flatMap((line) =>
      ends(line)
        ? [line, line.replaceAll('"op":"delete-replaced"', '"op":"remove-pending-replace"')]
        : [line],
    );
  expect(along.join()).toContain('"op":"remove-pending-replace"');
  expect(happened(result("mixed", along.join("\n")))).toMatchObject({ gone: ["deleted", true] });
});

test("the result ignores the events of a preview, with or without the events of an update after them", () => {
  const both = `${textOf("mixed")}\n${eventsOf("mixed")}`;
  expect(result("mixed", both)).toMatchObject({ right: 7, wrong: 0 });
  const previewed = eventsOf("mixed").replace('"isPreview":false', '"isPreview":true');
  expect(result("mixed", previewed).outcomes.every(({ happened: what }) => what === "unknown")).toBe(true);
});

test("the result stays the same if the update also deletes a Rollout", () => {
  const text = eventsOf("mixed");
  const deleted = text.split("\n").filter((line) => line.includes("::gone"));
  const ofRollout = deleted.map((line) => line.replaceAll(":Deployment::gone", ":Rollout::all"));
  expect(ofRollout.join()).toContain('"new":null');
  expect(result("mixed", [text.trim(), ...ofRollout].join("\n"))).toMatchObject({ right: 7, wrong: 0 });
});

test("the result names each policy that stopped the update, and says what the policy forbids", () => {
  const event = (policy: object) =>
    JSON.stringify({
      sequence: 1,
      timestamp: 1,
      policyEvent: {
        policyName: "fixed\u202e",
        enforcementLevel: "mandatory",
        ...policy,
      },
    });
  const urn = reportOf("mixed").deployments.find(({ name }) => name === "fresh")?.urn;
  const events = [
    event({ resourceUrn: urn, message: "Fixed revisions only.\nimageUri: is a tag\n" }),
    event({ resourceUrn: urn?.replace(/[^:]*::fresh$/, "random:index:RandomId::other"), message: "No." }),
    event({ message: "Too many." }),
    event({ message: "Advice.", enforcementLevel: "advisory" }),
  ];
  const stopped = result("mixed", `${events.join("\n")}\n${eventsOf("mixed")}`);
  const policy = "the policy fixed\u202e forbids";
  expect(stopped.warnings).toEqual([
    `${policy} fresh: Fixed revisions only. imageUri: is a tag`,
    `${policy} other: No.`,
    `${policy} this stack: Too many.`,
  ]);
  for (const { result: shown } of Object.values(FORMATS))
    expect(shown([stopped], {})).not.toContain("\u202e");
});
