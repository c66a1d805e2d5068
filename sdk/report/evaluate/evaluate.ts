/** Makes the report from a preview's JSON alone. Sends no request, and runs no program and no provider process. */

import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { labeled } from "../../../provider/diff/describe";
import { settingName } from "../../../provider/schema/naming";
import { compareTexts } from "../../../provider/schema/words";
import type { ProcessRun } from "../../processes";
import { byUrgency, type OtherResources, type Report, SCHEMA_VERSION, summaryOf } from "../model";
import { recordedOf, unpacked } from "../read/hidden";
import { kindOf, labelIn, linesIn, NO_LINES, type ProviderLines, wordsOf } from "../read/lines";
import { newPlanOf } from "../read/plan";
import { type Diagnostic, type Preview, previewIn } from "../read/preview";
import { dependentsIn, failuresIn, type PlannedResource, resourcesOf, stackIn } from "../read/resources";
import type { Evaluated, Subject } from "./case";
import { evaluateDeployment } from "./deployment";
import { digestOf, operationsOf } from "./digest";
import { deletionsIn } from "./ending";
import { evaluateListener } from "./listener";
import { endingProfilesIn, hasOwnProvider } from "./service";

/** The preview in a command's output, and the preview's report. Throws an Error if the preview could not start. */
export function evaluateOutput({ isDone, output, errors }: ProcessRun) {
  const why = errors.trim() || "it printed nothing";
  // A preview that cannot start prints an empty object on standard output, and the reason on standard error.
  if (["", "{}"].includes(output.trim())) throw new Error(`pulumi preview: ${why}`);
  const preview = previewIn(output, "pulumi preview --json");
  const report = evaluate(preview);
  return { preview, report: isDone || report.failure !== null ? report : { ...report, failure: why } };
}

/**
 * Returns every resource of a plan, and the facts about the plan's deployments and listeners. `profile` is the profile
 * that the environment sets. Throws an Error for an unknown profile.
 */
export function subjectsIn(preview: Preview, profile?: string) {
  const lines = linesIn(preview);
  const listedResources = resourcesOf(preview);
  const resources = [...listedResources, ...unlistedOf(listedResources, lines)];
  const dependents = dependentsIn(resources);
  const deletions = deletionsIn(resources);
  const failedUrns = new Set(errorsIn(preview).map(({ urn }) => urn));
  const failedRevisions = new Set(resources.flatMap(failuresIn).map(({ revision }) => revision));
  const forbidsRevisions = preview.config[settingName("newRevisions")] === "forbid";
  const endingProfilesOf = endingProfilesIn(resources, preview.config, profile);
  const subjectOf = (resource: PlannedResource): Subject => ({
    resource,
    olds: recordedOf(resource.before),
    news: unpacked(resource.after?.inputs ?? {}),
    plan: newPlanOf(resource.fate, resource.plans),
    endingProfilesOf,
    provider: lines.get(resource.urn) ?? NO_LINES,
    dependents: dependents.get(resource.urn) ?? [],
    deletions,
    adopterOf: (id) => resources.find((taker) => taker !== resource && isTakenBy(taker, id)),
    mayNotRevise: forbidsRevisions && hasOwnProvider(resource),
    hasFailed: failedUrns.has(resource.urn),
    failedRevisions,
  });
  const subjectsOf = (kind: string): Subject[] =>
    resources.filter((resource) => managedKind(resource) === kind).map(subjectOf);
  return { resources, deployments: subjectsOf("deployment"), listeners: subjectsOf("listener") };
}

/**
 * The report on a preview. `profile` is the profile that the environment sets. Throws an Error for an unknown profile.
 */
export function evaluate(preview: Preview, profile?: string): Report {
  const { resources, deployments: subjects, listeners: listenerSubjects } = subjectsIn(preview, profile);
  const evaluatedListeners = listenerSubjects.map(evaluateListener);
  const listeners = byUrgency(evaluatedListeners.map(({ report }) => report));
  const evaluatedDeployments = subjects.map(evaluateDeployment);
  const deployments = byUrgency(evaluatedDeployments.map(({ report }) => report));
  const refusals = [...evaluatedDeployments, ...evaluatedListeners].flatMap(labeledRefusal);
  const otherResources = resources.filter((resource) => managedKind(resource) === undefined);
  const unchanged = resources.filter(({ fate }) => fate === "same");
  const stack = stackIn(preview) ?? `(unknown, ${path.basename(preview.source)})`;
  const report = {
    operations: operationsOf(resources),
    summary: summaryOf(deployments),
    failure: failureOf(preview),
    ...(refusals.length === 0 ? {} : { refusals }),
    warnings: [...warningsOf(preview), ...resources.flatMap(failuresIn).map(({ words }) => words)],
    deployments,
    listeners,
    others: countsOf(otherResources.filter(isCounted)),
    unlisted: Math.max(0, (preview.counts.same ?? 0) - unchanged.length),
  };
  return { schemaVersion: SCHEMA_VERSION, stack, digest: digestOf(stack, report), ...report };
}

/** Unchanged resources that the preview's steps leave out. Each has a line that the report does not understand. */
function unlistedOf(
  listedResources: readonly PlannedResource[],
  lines: ReadonlyMap<string, ProviderLines>,
): PlannedResource[] {
  const listedUrns = new Set(listedResources.map(({ urn }) => urn));
  return [...lines]
    .filter(([urn, { notUnderstood }]) => notUnderstood.length > 0 && !listedUrns.has(urn))
    .flatMap(([urn]) => resourcesOf({ steps: [{ urn, op: "same" }] }));
}

/** Also checks the argument `adopt`, because the preview of a replacement does not look for a deployment to adopt. */
const isTakenBy = ({ fate, plans, after }: PlannedResource, id: string | undefined): boolean =>
  id !== undefined && [newPlanOf(fate, plans)?.adopts, after?.inputs?.adopt].includes(id);

/** The kind of a deployment or listener; undefined for other resources, and if the program only reads the resource. */
function managedKind({ urn, fate }: PlannedResource): "deployment" | "listener" | undefined {
  return fate === "read" ? undefined : kindOf(urn);
}

/** The stack itself and the engine's entries for providers do not count. */
function isCounted({ type }: PlannedResource): boolean {
  return type !== "pulumi:pulumi:Stack" && !type.startsWith("pulumi:providers:");
}

const COLUMNS = {
  create: "create",
  import: "create",
  update: "update",
  replace: "replace",
  delete: "delete",
  leftover: "delete",
  same: "unchanged",
  read: "unchanged",
} as const;

const countsOf = (resources: readonly PlannedResource[]): OtherResources[] =>
  [...Map.groupBy(resources, ({ type }) => type)]
    .map(([type, ofType]) => {
      const count = { type, create: 0, update: 0, replace: 0, delete: 0, unchanged: 0 };
      for (const { fate } of ofType) count[COLUMNS[fate]] += 1;
      return count;
    })
    .sort((a, b) => compareTexts(a.type, b.type));

const errorsIn = ({ diagnostics }: Preview): readonly Diagnostic[] =>
  diagnostics.filter(({ severity }) => severity === "error");

/** If a policy forbids a change, the JSON of the preview has only this message. */
const BARE_FAILURE = "preview failed";

/** The message of the preview's first error, without a stack trace; null if there are no errors. */
function failureOf(preview: Preview): string | null {
  const [error] = errorsIn(preview);
  const printed = printedBy(preview);
  if (error === undefined) return yamlErrorIn(printed) ?? cutWords(preview);
  const lines = (error.message ?? "")
    .trim()
    .replace(/^error: /, "")
    .split("\n");
  // The last line of a Python traceback has the error message.
  const hasTraceback = lines.some((line) => line.includes("Traceback (most recent call last)"));
  const words = hasTraceback ? String(lines.at(-1)) : lines.slice(0, 2).join(" ");
  if (EXITED.test(words)) return [words, printed.trim().split("\n").at(-1)].filter(Boolean).join(": ");
  return words === BARE_FAILURE
    ? "its JSON does not say why: a policy may forbid a change. Run pulumi preview without --json, which names policy and resource"
    : words;
}

/** The engine's message if the program ends before it connects to the engine. */
const EXITED = /^program exited with non-zero exit code/;

/** Everything that the program and its language host printed on standard error. */
const printedBy = ({ diagnostics }: Preview): string =>
  stripVTControlCharacters(
    diagnostics
      .filter(({ severity }) => severity === "info#err")
      .map(({ message = "" }) => message)
      .join(""),
  );

/** Pulumi's YAML host only prints the errors of a program, so the preview's JSON does not mark them as errors. */
const YAML_ERROR = /^Error: (.+)\n+ +on (.+ line \d+)/m;

function yamlErrorIn(printed: string): string | undefined {
  const [, words, place] = YAML_ERROR.exec(printed) ?? [];
  return words && `${words} (${place})`;
}

/** A preview lists every step of these operations, regardless of its flags. */
const ALWAYS_LISTED = ["create", "update", "replace", "delete"];

/** Says which steps a truncated or filtered preview lacks; null if the preview is whole. */
function cutWords({ steps, counts }: Preview): string | null {
  const listed = (operation: string) => steps.filter(({ op }) => op === operation).length;
  const operation = ALWAYS_LISTED.find((each) => listed(each) < (counts[each] ?? 0));
  if (operation !== undefined)
    return `its changeSummary counts ${counts[operation]} ${operation}, but it holds ${listed(operation)} of these steps: it was cut or filtered. Pass the whole output of \`pulumi preview --json\``;
  return steps.length === 0 ? "it holds no steps at all, not even of the stack" : null;
}

/** Leaves out warnings about a deployment or listener, because the report on that resource contains them. */
function warningsOf(preview: Preview): string[] {
  return preview.diagnostics
    .filter(({ severity, urn = "" }) => severity === "warning" && kindOf(urn) === undefined)
    .map(({ message = "" }) => wordsOf(message))
    .filter((words) => !ABOUT_MACHINE.test(words));
}

/** The engine's warnings about the places and versions of plugins on the machine that runs the preview. */
const ABOUT_MACHINE = /^(using \S+ from \$PATH at |resource plugin \S+ is expected to have version )/;

const labeledRefusal = ({ report, refusal }: Evaluated<{ readonly urn: string }>): string[] =>
  refusal === undefined ? [] : [labeled(labelIn(report.urn), refusal)];
