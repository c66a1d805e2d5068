/** The report of a preview: made from its JSON alone, with no request, no program and no provider process. */
import { labelled } from "../../../provider/verdict/sentences";
import { byUrgency, type OtherResources, type Report, SCHEMA_VERSION, summaryOf } from "../model";
import { type HeardLines, heardIn, kindOf, labelIn, NOTHING_HEARD, wordsOf } from "../read/heard";
import { recordedOf, secretPathsOf } from "../read/hidden";
import type { Diagnostic, Preview } from "../read/preview";
import { newInputsOf, type PlannedResource, resourceOf, resourcesOf, stackIn } from "../read/resources";
import type { Subject } from "./case";
import { dependentsIn } from "./dependents";
import { judgeDeployment, refusalOf } from "./deployment";
import { digestOf } from "./digest";
import { deletionsIn } from "./ending";
import { judgeListener, stillNamed } from "./listener";
import { profileOf } from "./profile";
import { renamingRefusals, renamingWarnings } from "./renamed";

interface JudgeOptions {
  /** Name of the profile for what the preview does not tell; that of its configuration, else `contract`, unless given. */
  readonly profile?: string | undefined;
}

/** Throws an Error for a profile that there is not. */
export function judge(preview: Preview, options: JudgeOptions = {}): Report {
  const heard = heardIn(preview);
  const resources = [...resourcesOf(preview), ...unlistedOf(preview, heard)];
  const dependents = dependentsIn(resources);
  const deletions = deletionsIn(resources);
  const failed = new Set(errorsIn(preview).map(({ urn }) => urn));
  /** Ids of the listeners that the plan replaces. */
  const left = new Set<unknown>();
  const subjectOf = (resource: PlannedResource): Subject => ({
    resource,
    olds: recordedOf(resource.before),
    news: newInputsOf(resource),
    secretPaths: [...new Set([resource.before, { inputs: resource.after?.inputs }].flatMap(secretPathsOf))],
    profile: profileOf(resource, preview.config, options.profile),
    heard: heard.get(resource.urn) ?? NOTHING_HEARD,
    dependents: dependents.get(resource.urn) ?? [],
    deletions,
    leaves: (listenerId) => left.has(listenerId),
    hasFailed: failed.has(resource.urn),
  });
  const managed = (kind: string): Subject[] =>
    resources.filter((resource) => managedKind(resource) === kind).map(subjectOf);
  const listenerSubjects = managed("listener");
  const listeners = byUrgency(listenerSubjects.map(judgeListener));
  const replaced = new Set(listeners.filter(({ verdict }) => verdict === "replace").map(({ urn }) => urn));
  for (const { resource } of listenerSubjects) if (replaced.has(resource.urn)) left.add(resource.before?.id);
  const subjects = managed("deployment");
  const deployments = byUrgency(subjects.map(judgeDeployment));
  const refusals = [...renamingRefusals(subjects), ...subjects.flatMap(ownRefusal)];
  const others = resources.filter((resource) => managedKind(resource) === undefined);
  const same = resources.filter(({ fate }) => fate === "same");
  const stack = stackIn(preview) ?? "(unknown)";
  return {
    schemaVersion: SCHEMA_VERSION,
    stack,
    digest: digestOf(stack, [...deployments, ...listeners], resources),
    summary: summaryOf(deployments),
    failure: failureOf(preview),
    ...(refusals.length === 0 ? {} : { refusals }),
    warnings: [
      ...warningsOf(preview),
      ...renamingWarnings(listenerSubjects),
      ...stillNamed(listeners, deployments),
    ],
    deployments,
    listeners,
    others: countsOf(others.filter(isCounted)),
    unlisted: Math.max(0, (preview.counts.same ?? 0) - same.length),
  };
}

/** Unchanged ones that the preview leaves out, although something that is not understood was said about them. */
function unlistedOf({ steps }: Preview, heard: ReadonlyMap<string, HeardLines>): PlannedResource[] {
  const listed = new Set(steps.map(({ urn }) => urn));
  return [...heard]
    .filter(([urn, { notUnderstood }]) => notUnderstood.length > 0 && !listed.has(urn))
    .map(([urn]) => resourceOf({ urn, op: "same" }));
}

/** What is only read belongs to somebody else. */
function managedKind({ urn, fate }: PlannedResource): "deployment" | "listener" | undefined {
  return fate === "read" ? undefined : kindOf(urn);
}

/** The stack itself and the engine's own entries for providers are no resources to anybody. */
function isCounted({ type }: PlannedResource): boolean {
  return type !== "pulumi:pulumi:Stack" && !type.startsWith("pulumi:providers:");
}

const COLUMNS = {
  create: "create",
  update: "update",
  replace: "replace",
  delete: "delete",
  leftover: "delete",
  same: "unchanged",
  read: "unchanged",
} as const;

function countsOf(resources: readonly PlannedResource[]): OtherResources[] {
  const counts = new Map<string, OtherResources>();
  for (const { type, fate } of resources) {
    const known = counts.get(type) ?? { type, create: 0, update: 0, replace: 0, delete: 0, unchanged: 0 };
    known[COLUMNS[fate]] += 1;
    counts.set(type, known);
  }
  return [...counts.values()].sort((a, b) => (a.type < b.type ? -1 : 1));
}

const errorsIn = ({ diagnostics }: Preview): readonly Diagnostic[] =>
  diagnostics.filter(({ severity }) => severity === "error");

/** Why the preview failed, in the words of its first error, without a stack. */
function failureOf(preview: Preview): string | null {
  const errors = errorsIn(preview);
  if (errors.length > 0)
    return (errors[0]?.message ?? "")
      .trim()
      .replace(/^error: /, "")
      .split("\n")
      .slice(0, 2)
      .join(" ");
  return preview.steps.length === 0 ? "it holds no steps at all, not even of the stack" : null;
}

/** Warnings about deployments and listeners stand with these. */
function warningsOf(preview: Preview): string[] {
  return preview.diagnostics
    .filter(({ severity, urn = "" }) => severity === "warning" && kindOf(urn) === undefined)
    .map(({ urn = "", message = "" }) => wordsOf(urn, message));
}

/** Why every up would fail at the deployment; nothing where none would. */
function ownRefusal(subject: Subject): string[] {
  const refusal = refusalOf(subject);
  return refusal === undefined ? [] : [String(labelled(labelIn(subject.resource.urn), refusal))];
}
