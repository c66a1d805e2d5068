/** The digest of a plan. Plans with equal digests do the same things, as far as previews show. */
import { createHash } from "node:crypto";
import { REMOVES_FOREIGN } from "../../../provider/diff/sentences";
import { resourceOfType } from "../../../provider/schema/naming";
import { isProperties } from "../../../provider/schema/value";
import type { Report, ResourceReport } from "../model";
import { recordedOf } from "../read/hidden";
import { kindOf } from "../read/lines";
import type { PlannedResource } from "../read/resources";
import { leftoversOf } from "./gates";

/** `sha256:…` of everything that a report says about changes. An edited report no longer matches its digest. */
export function digestOf(stack: string, report: Omit<Report, "schemaVersion" | "stack" | "digest">): string {
  const { operations, deployments, listeners, others, summary, failure, refusals = null } = report;
  const resources = [...deployments, ...listeners]
    .filter((each) => each.verdict !== "unchanged" || leftoversOf(each).length > 0 || each.notUnderstood)
    .map(decisiveIn)
    .sort(byUrn);
  const counts = { ...summary, unchanged: 0 };
  return sha256([stack, operations, resources, movingIn(others), counts, failure, refusals]);
}

/** The fields that are the same in every preview of one plan. */
export function decisiveIn(report: ResourceReport) {
  const { warnings, ...shownFields } = report;
  const losses = warnings.filter((words) => words.includes(REMOVES_FOREIGN));
  const fields = losses.length === 0 ? shownFields : { ...shownFields, losses };
  if (!("dependents" in fields)) return fields;
  const { dependents, previousFailure, ...decisive } = fields;
  return decisive;
}

/** The counts in `others`. Leaves out unchanged resources, because only some previews list them. */
function movingIn(otherTypes: Report["others"]): unknown[] {
  return otherTypes
    .map(({ unchanged: _listed, ...counts }) => counts)
    .filter(({ type: _type, ...counts }) => Object.values(counts).some((count) => count > 0));
}

/** `sha256:…` of every operation in a canonical form, without times, warnings, step order or unchanged resources. */
export function operationsOf(resources: readonly PlannedResource[]): string {
  const entries = resources
    .filter(({ fate, leftovers }) => leftovers.length > 0 || (fate !== "same" && fate !== "read"))
    .map((resource) => {
      const { service, profile } = resource.plans.after ?? {};
      const details = resourceOfType(resource.type) === undefined ? null : detailsOf(resource);
      return { urn: resource.urn, fate: resource.fate, service, profile, details };
    });
  return sha256(entries.sort(byUrn));
}

/** Facts about one of our resources that influence the update but are not in the report. */
function detailsOf({ urn, fate, before, after, leftovers }: PlannedResource): unknown {
  const inputs = after?.inputs ?? {};
  const generations = [recordedOf(before), inputs].map(({ revisionGeneration, secretGenerations }) => ({
    revisionGeneration,
    secretGenerations,
  }));
  // The report gives no reasons for a creation or for a resource of another kind, so the digest covers the arguments.
  const hasReasons = kindOf(urn) !== undefined && fate !== "create" && fate !== "replace";
  const args = hasReasons
    ? null
    : Object.fromEntries(Object.entries(inputs).filter(([name]) => !name.startsWith("__")));
  return { generations, args, leftovers: leftovers.map(({ id }) => id) };
}

const byUrn = (first: { readonly urn: string }, second: { readonly urn: string }): number =>
  first.urn < second.urn ? -1 : 1;

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
