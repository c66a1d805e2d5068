/** The digest of a plan: plans with equal digests do the same things, as far as their previews show. */
import { createHash } from "node:crypto";
import { isProperties } from "../../../provider/schema/value";
import type { Report, ResourceReport } from "../model";
import { recordedOf } from "../read/hidden";
import type { PlannedResource } from "../read/resources";
import { leftoversOf } from "./gates";

/**
 * `sha256:…` of everything that a report says about changes, including its `operations`. Anyone can compute the digest
 * again from the report, so an edited report no longer matches its digest.
 */
export function digestOf(stack: string, report: Omit<Report, "schemaVersion" | "stack" | "digest">): string {
  const { operations, deployments, listeners, others, summary, failure, refusals = null } = report;
  const resources = [...deployments, ...listeners]
    .filter((each) => each.verdict !== "unchanged" || leftoversOf(each).length > 0 || each.notUnderstood)
    .sort((a, b) => (a.urn < b.urn ? -1 : 1))
    .map((each) => DECISIVE.map((field) => (each as { [field: string]: unknown })[field] ?? null));
  const counts = { ...summary, unchanged: 0 };
  return sha256([stack, operations, resources, movingIn(others), counts, failure, refusals]);
}

/** The fields that depend only on the state and the arguments, and so are equal in every preview of one plan. */
const DECISIVE = [
  "urn",
  "name",
  "deploymentName",
  "computeId",
  "id",
  "verdict",
  "otherwise",
  "reasons",
  "fate",
  "leftovers",
  "notUnderstood",
  "secrets",
  "generation",
  "builtFrom",
  "listenerId",
  "connection",
  "service",
];

/** The counts in `others`, except those of unchanged resources, because only some previews list them. */
export function movingIn(otherTypes: Report["others"]): unknown[] {
  return otherTypes
    .map(({ unchanged: _listed, changing: _names, ...counts }) => counts)
    .filter(({ type: _type, ...counts }) => Object.values(counts).some((count) => count > 0));
}

/** `sha256:…` of every operation in a canonical form, without times, warnings, step order and unchanged resources. */
export function operationsOf(
  stack: string,
  reported: readonly ResourceReport[],
  resources: readonly PlannedResource[],
): string {
  const reports = new Map(reported.map((report) => [report.urn, report]));
  const entries = resources
    .filter(
      ({ urn, fate, leftovers }) =>
        leftovers.length > 0 ||
        (fate !== "same" && fate !== "read") ||
        reports.get(urn)?.notUnderstood !== undefined,
    )
    .sort((a, b) => (a.urn < b.urn ? -1 : 1))
    .map((resource) => [resource.urn, resource.fate, digestEntry(resource, reports.get(resource.urn))]);
  return sha256([stack, entries]);
}

/** The resource's part of the digest. If the report only counts the resource, only its service and profile count. */
function digestEntry(resource: PlannedResource, report: ResourceReport | undefined): unknown {
  const { service: planned = null, profile = null } = resource.plans.after ?? {};
  if (report === undefined) return [planned, profile];
  const { id, verdict, reasons, fate, service, notUnderstood } = report;
  const generations = [recordedOf(resource.before), resource.after?.inputs ?? {}].map(
    ({ revisionGeneration = null, secretGenerations = null }) => [revisionGeneration, secretGenerations],
  );
  // A creation has no reasons, so the digest covers its arguments.
  const creationArgs =
    resource.fate === "create" || resource.fate === "replace" ? argumentsIn(resource) : null;
  const leftoverIds = resource.leftovers.map((state) => state.id);
  const extras = [
    ...(leftoverIds.length === 0 ? [] : [leftoverIds]),
    ...(fate ? [fate] : []),
    ...(notUnderstood ?? []),
  ];
  return [id, verdict, reasons, generations, creationArgs, service, profile, ...extras];
}

function argumentsIn({ after }: PlannedResource): unknown {
  return Object.fromEntries(Object.entries(after?.inputs ?? {}).filter(([name]) => !name.startsWith("__")));
}

const sha256 = (value: unknown): string =>
  `sha256:${createHash("sha256").update(canonical(value)).digest("hex")}`;

/** JSON in which the names of every object are sorted. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member) =>
    isProperties(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
