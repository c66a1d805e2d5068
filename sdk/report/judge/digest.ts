/** The digest of a plan: the same exactly when the apply would do the same, as far as a preview tells. */
import { createHash } from "node:crypto";
import { isProperties } from "../../../provider/fields/value";
import type { ResourceReport } from "../model";
import { recordedOf } from "../read/hidden";
import type { PlannedResource } from "../read/resources";

/** `sha256:…` over a canonical form. Neither times nor warnings nor the order of steps are in it, nor what is unchanged. */
export function digestOf(
  stack: string,
  reported: readonly ResourceReport[],
  resources: readonly PlannedResource[],
): string {
  const reports = new Map(reported.map((report) => [report.urn, report]));
  const deciding = resources
    .filter(
      ({ urn, fate, leftovers }) =>
        leftovers.length > 0 ||
        (fate !== "same" && fate !== "read") ||
        reports.get(urn)?.notUnderstood !== undefined,
    )
    .sort((a, b) => (a.urn < b.urn ? -1 : 1))
    .map((resource) => [resource.urn, resource.fate, decidingOf(resource, reports.get(resource.urn))]);
  return `sha256:${createHash("sha256")
    .update(canonical([stack, deciding]))
    .digest("hex")}`;
}

/** Of a resource of another package, its operation alone. */
function decidingOf(resource: PlannedResource, report: ResourceReport | undefined): unknown {
  if (report === undefined) return null;
  const { id, verdict, reasons, fate, notUnderstood } = report;
  const generations = [recordedOf(resource.before), resource.after?.inputs ?? {}].map(
    ({ revisionGeneration = null, secretGenerations = null }) => [revisionGeneration, secretGenerations],
  );
  // What a creation is made of has no reasons to show it by.
  const made = resource.fate === "create" || resource.fate === "replace" ? argumentsIn(resource) : null;
  const left = resource.leftovers.map((state) => state.id);
  const further = [...(left.length === 0 ? [] : [left]), ...(fate ? [fate] : []), ...(notUnderstood ?? [])];
  return [id, verdict, reasons, generations, made, ...further];
}

function argumentsIn({ after }: PlannedResource): unknown {
  return Object.fromEntries(Object.entries(after?.inputs ?? {}).filter(([name]) => !name.startsWith("__")));
}

/** JSON with the names of every object in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member) =>
    isProperties(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
