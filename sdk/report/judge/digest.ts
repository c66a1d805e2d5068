/** The digest of a plan: equal digests mean that the apply would do the same, as far as a preview tells. */
import { createHash } from "node:crypto";
import { isProperties } from "../../../provider/fields/value";
import type { ResourceReport } from "../model";
import { recordedOf } from "../read/hidden";
import type { PlannedResource } from "../read/resources";

/** `sha256:…` over a canonical form, without times, warnings, the order of steps and unchanged resources. */
export function digestOf(
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
  return `sha256:${createHash("sha256")
    .update(canonical([stack, entries]))
    .digest("hex")}`;
}

/** Null for a resource of another package, of which only the operation counts. */
function digestEntry(resource: PlannedResource, report: ResourceReport | undefined): unknown {
  if (report === undefined) return null;
  const { id, verdict, reasons, fate, notUnderstood } = report;
  const generations = [recordedOf(resource.before), resource.after?.inputs ?? {}].map(
    ({ revisionGeneration = null, secretGenerations = null }) => [revisionGeneration, secretGenerations],
  );
  // A creation has no reasons, so its arguments count.
  const creationArgs =
    resource.fate === "create" || resource.fate === "replace" ? argumentsIn(resource) : null;
  const leftoverIds = resource.leftovers.map((state) => state.id);
  const extras = [
    ...(leftoverIds.length === 0 ? [] : [leftoverIds]),
    ...(fate ? [fate] : []),
    ...(notUnderstood ?? []),
  ];
  return [id, verdict, reasons, generations, creationArgs, ...extras];
}

function argumentsIn({ after }: PlannedResource): unknown {
  return Object.fromEntries(Object.entries(after?.inputs ?? {}).filter(([name]) => !name.startsWith("__")));
}

/** JSON with the names of every object sorted. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member) =>
    isProperties(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
