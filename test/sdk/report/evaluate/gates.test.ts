import { evaluate } from "../../../../sdk/report/evaluate/evaluate";
import { GATES, type Gate, offencesIn } from "../../../../sdk/report/evaluate/gates";
import type { Report } from "../../../../sdk/report/model";
import { previewIn } from "../../../../sdk/report/read/preview";
import { deploymentIn, NAMES, nothing, reportAfter, reportOf, stepOf } from "../../../support/goldens";

const offences = (reports: readonly Report[], failOn: readonly Gate[], allow: readonly string[] = []) =>
  offencesIn(reports, { failOn, allow });

test.each([
  [
    "mixed",
    "new-revision",
    [
      'deployment "revised": sourceRevisionConfig.imageUri registry.example.com/revised:1.0.0 -> registry.example.com/revised:1.1.0',
    ],
  ],
  ["mixed", "replace", ['deployment "renamed": name agents-renamed-0 -> agents-renamed-1']],
  ["mixed", "may", ['deployment "keyed": secrets.MODEL_API_KEY changed']],
  ["failed", "previous-failure", ['deployment "first": its last update failed: revision']],
] as const)("in the plan %s, the gate %s names the offender and the reason", (name, gate, expected) => {
  const [head, ...lines] = offences([reportOf(name)], [gate]);
  expect(head).toBe(`--fail-on ${gate}: 1 offender`);
  expect(lines).toHaveLength(expected.length);
  for (const [index, words] of expected.entries()) expect(lines[index]).toContain(words);
});

test("the gate `previous-failure` names a deployment whose revision failed according to a Rollout's state", () => {
  const report = reportAfter("mixed", (document) => {
    const stays = stepOf(document, "stays");
    const outputs = {
      revisions: { stays: stays.oldState.outputs.latestRevisionId },
      statuses: { stays: "BUILD_FAILED" },
    };
    const urn = stays.urn.replace(":Deployment::stays", ":Rollout::all");
    document.steps.push({
      op: "same",
      urn,
      oldState: { urn, inputs: {}, outputs },
      newState: { urn, inputs: {}, outputs },
    });
  });
  expect(offences([report], ["previous-failure"])[1]).toContain('deployment "stays"');
});

test("the gate `delete` names each deleted deployment, and says what happens to the deployment on the service", () => {
  const gone = (onDestroy?: string) =>
    reportAfter("mixed", (document) => {
      const { oldState } = stepOf(document, "gone");
      for (const side of [oldState.inputs, oldState.outputs]) side.onDestroy = onDestroy;
    });
  expect(offences([gone()], ["delete"])).toEqual([
    "--fail-on delete: 1 offender",
    expect.stringMatching(/deployment "gone": the deployment \S+ stays on the service/),
  ]);
  expect(offences([gone("fail")], ["delete"])).toEqual([
    "--fail-on delete: 1 offender",
    expect.stringContaining('deployment "gone": onDestroy is "fail"'),
  ]);
});

test("--allow exempts a resource by its name in the program, not by its name on the service", () => {
  expect(offences([reportOf("mixed")], [...GATES], ["revised", "renamed", "keyed", "gone"])).toEqual([]);
  expect(offences([reportOf("mixed")], ["new-revision"], ["agents-revised"])).toHaveLength(2);
});

test("with --allow, a name that two resources share exempts neither resource, but a URN exempts its resource", () => {
  const report = reportOf("mixed");
  const revised = deploymentIn(report, "revised");
  const urn = revised.urn.replace("::pulumi-nodejs:", "::app:index:Team$pulumi-nodejs:");
  const twins = { ...report, deployments: [...report.deployments, { ...revised, urn }] };
  expect(offences([twins], ["new-revision"], ["revised"])).toEqual([
    "--fail-on new-revision: 2 offenders",
    expect.stringContaining('deployment "revised": '),
    expect.stringContaining('deployment "revised": '),
  ]);
  expect(offences([twins], ["new-revision"], [urn])).toEqual([
    "--fail-on new-revision: 1 offender",
    expect.stringContaining('deployment "revised": '),
  ]);
});

test("a plan that changes nothing, or only creates, passes every gate; without gates, every plan passes", () => {
  const unchanged = evaluate(previewIn(nothing(), "nothing"));
  expect(offences([unchanged, reportOf("create")], GATES)).toEqual([]);
  for (const name of NAMES) expect(offences([reportOf(name)], [])).toEqual([]);
});
