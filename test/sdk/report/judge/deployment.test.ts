import { UNKNOWN } from "../../../../provider/fields/value";
import { offencesIn } from "../../../../sdk/report/judge/gates";
import { judge } from "../../../../sdk/report/judge/judge";
import type { Report } from "../../../../sdk/report/model";
import { previewIn } from "../../../../sdk/report/read/preview";
import { FORMATS } from "../../../../sdk/report/show/formats";
import { changed, deploymentIn, type Loose, NAMES, reportOf, stepOf } from "../../../support/goldens";
import { UNSEEN } from "../../../support/report/hostileTexts";

const judged = (name: string, change: (document: Loose) => unknown): Report =>
  judge(previewIn(changed(name, change), name));

/** The plan with a further message about a resource. */
const saying = (name: string, resource: string, message: string): Report =>
  judged(name, (document) => {
    const { urn } = stepOf(document, resource);
    document.diagnostics = [...(document.diagnostics ?? []), { urn, message, severity: "info" }];
  });

const offences = (report: Report) =>
  offencesIn([report], { failOn: ["new-revision", "may"], allow: [] }).join("\n");

test("every line of the provider in the recorded plans is understood", () => {
  for (const name of NAMES)
    for (const { notUnderstood } of [...reportOf(name).deployments, ...reportOf(name).listeners])
      expect([name, notUnderstood]).toEqual([name, undefined]);
});

test.each([
  ["in place, in other words", "inPlace", 'deployment "chat": changes in place alone (minScale 1 -> 2)'],
  ["with words after those that are known", "inPlace", 'deployment "chat": updates in place, or not (x)'],
  ["a line of the program's own", "inPlace", "hello"],
  ["known words with the label of another", "inPlace", 'deployment "other": has no changes'],
])("a line that is not understood counts as one that may create a revision: %s", (_, name, line) => {
  const report = judged(name, (document) => {
    document.diagnostics[0].message = `${line}\n`;
  });
  const chat = deploymentIn(report, "chat");
  const words = line.replace(/^deployment "chat": /, "");
  expect(chat).toMatchObject({ verdict: "may-create-revision", notUnderstood: [words] });
  expect(chat.warnings[0]).toContain(`not understood, so it may create a revision: "${words}"`);
  expect(report.summary).toMatchObject({ mayCreateRevision: 1, inPlace: 0 });
  expect(offences(report)).toContain(words);
  expect(report.digest).not.toBe(reportOf(name).digest);
});

test.each([
  ["stays", "unchanged", "may-create-revision"],
  ["fresh", "create", "may-create-revision"],
  ["scaled", "in-place", "may-create-revision"],
  ["keyed", "may-create-revision", "may-create-revision"],
  ["revised", "new-revision", "new-revision"],
  ["gone", "delete", "delete"],
  ["renamed", "replace", "replace"],
])("%s, which is %s: a line that is not understood makes the verdict %s", (name, before, after) => {
  expect(deploymentIn(reportOf("mixed"), name).verdict).toBe(before);
  const report = saying("mixed", name, "hello");
  expect(deploymentIn(report, name)).toMatchObject({ verdict: after, notUnderstood: ["hello"] });
  expect(report.digest).not.toBe(reportOf("mixed").digest);
});

test("the engine's own line about an ignored argument that is not there decides nothing", () => {
  const line =
    'cannot ignore changes in added or removed elements of the path: "sourceRevisionConfig.imageUri"';
  const stays = deploymentIn(saying("mixed", "stays", line), "stays");
  expect(stays).toMatchObject({ verdict: "unchanged", warnings: [] });
  expect(stays.notUnderstood).toBeUndefined();
});

test("an unchanged deployment that the preview omits is listed if its line is not understood", () => {
  const report = judged("nothingShown", (document) => {
    const { urn } = stepOf(document, "chat");
    document.steps = document.steps.filter((step: Loose) => step.urn !== urn);
    document.diagnostics = [{ urn, message: "hello", severity: "info" }];
  });
  expect(deploymentIn(report, "chat")).toMatchObject({ verdict: "may-create-revision" });
  expect(offences(report)).toContain('deployment "chat"');
});

test("a take-over that changes nothing does not count as one whose words are not understood", () => {
  const adopting = (words: string) =>
    judged("adopted", (document) => {
      const said = document.diagnostics.find(({ severity }: Loose) => severity === "info");
      said.message = said.message.replace(/(deployment \S+);.*$/s, `$1${words}`);
    }).deployments[0];
  const id = "00000000-0000-4000-8000-000000000002";
  expect(adopting("; nothing in it changes")).toMatchObject({ verdict: "unchanged", id });
  for (const words of ["; nothing in it is changed", "; it takes a new revision (x)", ""])
    expect(adopting(words)).toMatchObject({ verdict: "may-create-revision" });
  expect(adopting("; it takes a new revision (x)")).toMatchObject({ id });
});

test("the strictest of the provider's verdicts counts", () => {
  const line = 'deployment "scaled": may create a new revision (something)';
  expect(deploymentIn(saying("mixed", "scaled", line), "scaled").verdict).toBe("may-create-revision");
});

test("a listener's line that is not understood is a warning on which the gate fails", () => {
  const report = saying("create", "cluster", "hello");
  const [cluster] = report.listeners;
  expect(cluster).toMatchObject({ verdict: "create", notUnderstood: ["hello"] });
  expect(cluster?.warnings[0]).toContain('"hello"');
  expect(offences(report)).toContain('listener "cluster": this line about it is not understood');
  expect(offences(reportOf("create"))).toBe("");
});

test.each([
  ["delete", true],
  ["retain", false],
])(
  "with onDestroy %s, whether the deletion of a listener that deployments name gets a warning: %s",
  (onDestroy, isTold) => {
    const report = judged("dependents", (document) => {
      const step = stepOf(document, "cluster");
      const { newState: _new, ...gone } = { ...step, op: "delete" };
      for (const values of [gone.oldState.inputs, gone.oldState.outputs])
        Object.assign(values, { __profile: "langsmith", onDestroy });
      document.steps.splice(document.steps.indexOf(step), 1, gone);
    });
    expect(report.warnings).toEqual(
      isTold
        ? [
            'listener "cluster": 00000000-0000-4000-8000-000000000002 is deleted on the service, and is still the sourceConfig.listenerId of deployment "chat", deployment "research". Give another one there, or keep the listener',
          ]
        : [],
    );
    expect(reportOf("dependents").warnings).toEqual([]);
  },
);

test("an import under a provider whose settings are not known yet may create a revision, and claims no changes", () => {
  const report = judged("pluginDependents", (document) => {
    const step = stepOf(document, "chat");
    const provider = "urn:pulumi:dev::agents::pulumi:providers:deployment-control::unset";
    const newState = { ...step.newState, provider: `${provider}::id` };
    const oldState = { ...step.oldState, inputs: {}, outputs: {}, importID: step.oldState.id };
    document.steps = [
      { op: "create", urn: provider, newState: { inputs: { baseUrl: UNKNOWN } } },
      { op: "import", urn: step.urn, newState: { ...newState, importID: step.oldState.id } },
      { ...step, op: "update", oldState, newState },
    ];
    document.diagnostics = [];
  });
  const { verdict, reasons, fate, warnings } = deploymentIn(report, "chat");
  expect({ verdict, reasons, fate }).toEqual({ verdict: "may-create-revision", reasons: [], fate: null });
  expect(warnings[0]).toContain("settings of its provider are not known before the up");
  expect(warnings[0]).toContain("changes of its secrets are not shown");
});

test("a line about another resource, or about none, is ignored", () => {
  const report = judged("mixed", (document) => {
    const { urn } = stepOf(document, "announced");
    document.diagnostics.push({ urn, message: "hello", severity: "info" });
    document.diagnostics.push({ message: "hello", severity: "info" });
    document.diagnostics.push({ urn: stepOf(document, "stays").urn, message: "hello", severity: "debug" });
  });
  expect(report).toEqual(reportOf("mixed"));
});

test("the text of a line that is not understood has no effect in any format", () => {
  const report = saying("mixed", "stays", "\u001b[31m<script>\u202e@everyone");
  for (const format of Object.values(FORMATS)) {
    const text = format.plan([report]);
    expect(text).toContain("\\u202e");
    expect(text).not.toMatch(UNSEEN);
  }
  expect(FORMATS.html.plan([report])).not.toContain("<script>");
  expect(offences(report)).not.toMatch(UNSEEN);
});

test("drift that is masked because it holds a secret's value is a change that the line shows", () => {
  const report = judged("revision", (document) => {
    const { oldState } = stepOf(document, "chat");
    for (const side of [oldState.inputs, oldState.outputs]) side.sourceRevisionConfig.imageUri = "[secret]";
    const [said] = document.diagnostics;
    said.message = said.message.replace(/imageUri \S+ ->/, "imageUri registry.example.com/[secret] ->");
  });
  const chat = deploymentIn(report, "chat");
  expect(chat.reasons[0]).toMatchObject({ path: "sourceRevisionConfig.imageUri", before: "[secret]" });
  expect([chat.verdict, chat.warnings]).toEqual([
    "new-revision",
    deploymentIn(reportOf("revision"), "chat").warnings,
  ]);
});

test.each([
  ["one", "two", true],
  ["one", "one", false],
  ["one", "[secret]", false],
  ["[secret]", "two", false],
])(
  "newest revision %s, serving revision %s: whether the report says that another one serves: %s",
  (latest, active, said) => {
    const report = judged("inPlace", (document) => {
      const { oldState } = stepOf(document, "chat");
      oldState.outputs = { ...oldState.outputs, latestRevisionId: latest, activeRevisionId: active };
    });
    const words = `its newest revision ${latest} is not the one that serves (${active})`;
    expect(deploymentIn(report, "chat").warnings.includes(words)).toBe(said);
  },
);

/** The plan with another operation of the engine for a resource. */
const planning = (name: string, resource: string, step: Loose): Report =>
  judged(name, (document) => {
    Object.assign(stepOf(document, resource), step);
    document.diagnostics = [];
  });

test.each([
  ["stays", {}],
  ["scaled", {}],
  ["gone", { newState: null }],
])("an unknown operation counts as one that may create a revision: %s", (name, states) => {
  const report = planning("mixed", name, { op: "migrate", ...states });
  const deployment = deploymentIn(report, name);
  expect(deployment).toMatchObject({
    verdict: "may-create-revision",
    notUnderstood: [expect.stringContaining(`operation "migrate" for it is not known here`)],
  });
  expect(deployment.warnings[0]).toContain(`operation "migrate" for it is not known here`);
  expect(offences(report)).toContain(`"${name}"`);
});

test("a program that stops reading a deployment does not change it", () => {
  const { deployments } = planning("mixed", "gone", { op: "discard", newState: null });
  expect(deployments.map(({ name }) => name)).not.toContain("gone");
});

test("a deployment that the program only read before is created, not replaced", () => {
  const report = judged("mixed", (document) => {
    const step = stepOf(document, "scaled");
    Object.assign(step, { op: "create-replacement", oldState: { ...step.oldState, external: true } });
    document.diagnostics = [];
  });
  expect(deploymentIn(report, "scaled")).toMatchObject({ verdict: "create", id: null });
});

test("a forced replacement under the same name is refused with the remedy", () => {
  const forced = { op: "create-replacement", replaceReasons: ["id"] };
  const { refusals } = planning("mixed", "scaled", forced);
  expect(refusals).toEqual([
    expect.stringMatching(
      /"scaled": keeps the name .*Change name too.*leave --replace out, or run: pulumi state untaint 'urn:.*::scaled'$/,
    ),
  ]);
  expect(deploymentIn(planning("mixed", "scaled", forced), "scaled")).toMatchObject({
    verdict: "replace",
    fate: "refused",
  });
});
