import { allowanceFaults, GATES, type Gate, offencesIn } from "../../../../sdk/report/judge/gates";
import type { Report } from "../../../../sdk/report/model";
import { deploymentIn, NAMES, reportOf } from "../../../support/goldens";

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
  ["failed", "previous-failure", ['deployment "chat": its last update failed: revision']],
  ["unfinished", "previous-failure", ['deployment "chat": its last update was cut short: revision']],
] as const)("in the plan %s, the gate %s names the offender and the reason", (name, gate, expected) => {
  const [head, ...lines] = offences([reportOf(name)], [gate]);
  expect(head).toBe(`--fail-on ${gate}: 1 offender`);
  expect(lines).toHaveLength(expected.length);
  for (const [index, words] of expected.entries()) expect(lines[index]).toContain(words);
});

test("a gate names all offenders in all stacks", () => {
  const fleet = { ...reportOf("fleet"), stack: "agents/other" };
  const lines = offences([reportOf("mixed"), fleet], ["new-revision"]);
  expect(lines[0]).toBe("--fail-on new-revision: 81 offenders");
  expect(lines).toHaveLength(82);
  expect(lines[1]).toContain('agents/dev: deployment "revised"');
  expect(lines.at(-1)).toContain("agents/other: deployment");
});

test("the gate on deletions names each deleted deployment and its fate on the service", () => {
  expect(offences([reportOf("delete")], ["delete"])).toEqual([
    "--fail-on delete: 2 offenders",
    expect.stringContaining('deployment "kept": onDestroy is "fail"'),
    expect.stringMatching(/deployment "old": the deployment \S+ stays on the service/),
  ]);
});

test("--allow exempts a resource by its name in the program, not by its name on the service", () => {
  expect(offences([reportOf("mixed")], [...GATES], ["revised", "renamed", "keyed", "gone"])).toEqual([]);
  expect(offences([reportOf("mixed")], ["new-revision"], ["agents-revised"])).toHaveLength(2);
  expect(allowanceFaults([reportOf("mixed")], ["revised", "agents-revised", "stays"])).toEqual([
    "--allow: no plan has agents-revised",
  ]);
});

test("a name that two resources share exempts neither resource, but a URN exempts its resource", () => {
  const report = reportOf("mixed");
  const revised = deploymentIn(report, "revised");
  const urn = revised.urn.replace("::pulumi-nodejs:", "::app:index:Team$pulumi-nodejs:");
  const twins = { ...report, deployments: [...report.deployments, { ...revised, urn }] };
  expect(offences([twins], ["new-revision"], ["revised"])).toEqual([
    "--fail-on new-revision: 2 offenders",
    expect.stringContaining('deployment "revised (no parent)": '),
    expect.stringContaining('deployment "revised (Team)": '),
  ]);
  expect(allowanceFaults([twins], ["revised"])).toEqual([
    `--allow: revised is the name of several resources; give a URN: ${revised.urn}, ${urn}`,
  ]);
  expect(offences([twins], ["new-revision"], [urn])).toEqual([
    "--fail-on new-revision: 1 offender",
    expect.stringContaining('deployment "revised (no parent)": '),
  ]);
  expect(allowanceFaults([twins], [urn])).toEqual([]);
});

test("a plan that does nothing passes every gate, and without gates everything passes", () => {
  expect(offences([reportOf("nothing"), reportOf("nothingShown"), reportOf("create")], GATES)).toEqual([]);
  for (const name of NAMES) expect(offences([reportOf(name)], [])).toEqual([]);
});
