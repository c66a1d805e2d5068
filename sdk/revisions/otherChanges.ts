/** The changes in the plan of a rollback that are not part of the rollback. */
import { sameValue } from "../../provider/schema/compare";
import { isCounted } from "../report/evaluate/evaluate";
import { reasonText } from "../report/evaluate/gates";
import { type Reason, type Report, resourcesIn } from "../report/model";
import { unpacked } from "../report/read/hidden";
import type { PlannedResource } from "../report/read/resources";
import { shortType } from "../report/render/words";

/** The arguments that a rollback brings back. */
const ROLLED_BACK = ["sourceRevisionConfig", "revisionSource"];

/**
 * One line for each resource that the plan changes, with secret values masked. The rollback of the deployment `urn` is
 * left out, and so are its effects on inputs that come from that deployment. `resources`: the plan's resources, in the
 * engine's order.
 */
export function otherChangesIn(report: Report, resources: readonly PlannedResource[], urn: string): string[] {
  const reasons = new Map(resourcesIn(report).map((each) => [each.urn, each.reasons]));
  const affectedUrns = new Set<string>();
  return resources.filter(isChanged).flatMap((resource) => {
    const { name, type, fate, leftovers } = resource;
    const isTarget = resource.urn === urn;
    const sources = resource.after?.propertyDependencies ?? {};
    const changes = changesOf(resource, reasons.get(resource.urn));
    const otherChanges = changes.filter(({ input }) =>
      isTarget ? !ROLLED_BACK.includes(input) : !sources[input]?.some((each) => affectedUrns.has(each)),
    );
    const isUpdated = fate === "update" || fate === "replace";
    const isAffected = isTarget || (isUpdated && otherChanges.length < changes.length);
    if (isAffected) affectedUrns.add(resource.urn);
    const isReplacedTarget = isTarget && fate !== "update";
    if (isAffected && otherChanges.length === 0 && leftovers.length === 0 && !isReplacedTarget) return [];
    const details = isUpdated ? otherChanges.map(({ words }) => words).join("; ") : "";
    return [`${fate} ${name} (${shortType(type)})${details && `: ${details}`}`];
  });
}

const isChanged = (resource: PlannedResource): boolean =>
  isCounted(resource) && (!["same", "read"].includes(resource.fate) || resource.leftovers.length > 0);

interface InputChange {
  readonly input: string;
  readonly words: string;
}

/** The changes that the report shows, or the changed inputs of a resource that the report only counts. */
function changesOf(resource: PlannedResource, reasons: readonly Reason[] | undefined): InputChange[] {
  if (reasons !== undefined)
    return reasons.map((reason) => ({ input: reason.path.split(".")[0] ?? "", words: reasonText(reason) }));
  const before = unpacked(resource.before?.inputs ?? {});
  const after = unpacked(resource.after?.inputs ?? {});
  return Object.keys({ ...before, ...after })
    .filter((name) => !sameValue(before[name], after[name]))
    .map((input) => ({ input, words: input }));
}
