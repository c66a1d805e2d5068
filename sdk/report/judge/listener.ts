/** The verdict on one listener: by the function with which the provider itself plans. */
import { listenerRows } from "../../../provider/fields/listener";
import { planTable } from "../../../provider/table/plan";
import { unlessReplaced, verdictOf } from "../../../provider/verdict/changes";
import type { DeploymentReport, ListenerReport } from "../model";
import { labelIn } from "../read/heard";
import { notUnderstoodOf, notUnderstoodWarnings, type Subject } from "./case";
import { type Ending, endingOf, endingWords } from "./ending";
import { withMarks } from "./masks";
import { reasonsOf, shownValue } from "./reasons";

export function judgeListener(subject: Subject): ListenerReport {
  const { resource, olds, news, heard } = subject;
  const computeId = shownValue(news.computeId ?? olds.computeId);
  const { reasons, otherwise } = changesOf(subject);
  const ending = endOf(subject);
  const perhaps = otherwise === undefined ? "" : "if it is replaced: ";
  const old = `the listener ${resource.before?.id ?? ""}`.trim();
  const destroyed = ending === undefined ? [] : [`${perhaps}${endingWords(ending, old, STAYS)}`];
  return {
    urn: resource.urn,
    name: resource.name,
    id: resource.before?.id ?? null,
    computeId: typeof computeId === "string" ? computeId : null,
    verdict: VERDICTS[resource.fate],
    fate: ending?.fate ?? null,
    ...(otherwise === undefined ? {} : { otherwise }),
    reasons,
    warnings: [...notUnderstoodWarnings(subject), ...destroyed, ...heard.warnings],
    ...notUnderstoodOf(subject),
  };
}

/** A warning for each listener that is deleted while deployments of the plan go on naming it: no provider sees both. */
export function stillNamed(
  listeners: readonly ListenerReport[],
  deployments: readonly DeploymentReport[],
): string[] {
  return listeners.flatMap(({ urn, id, fate }) => {
    const staying = deployments.filter(
      ({ listenerId, verdict }) => listenerId === id && verdict !== "delete",
    );
    if (fate !== "deleted" || id === null || staying.length === 0) return [];
    const names = staying.map((each) => labelIn(each.urn)).join(", ");
    return [
      `${labelIn(urn)}: ${id} is deleted on the service, and is still the sourceConfig.listenerId of ${names}. Give another one there, or keep the listener`,
    ];
  });
}

const STAYS = "stays on the service";

const VERDICTS: { readonly [fate in Subject["resource"]["fate"]]: ListenerReport["verdict"] } = {
  create: "create",
  update: "in-place",
  replace: "replace",
  delete: "delete",
  leftover: "delete",
  same: "unchanged",
  read: "unchanged",
};

/** `otherwise`: where it may be replaced, what is done if it is not. */
function changesOf(subject: Subject): Pick<ListenerReport, "reasons" | "otherwise"> {
  const { resource, profile, heard } = subject;
  if (resource.fate !== "update" && resource.fate !== "replace") return { reasons: [] };
  const marked = withMarks(subject, { line: heard.line, details: resource.details });
  const { changes, verdict } = planTable({ rows: listenerRows }, marked.olds, marked.news, profile);
  const reasons = reasonsOf(changes, subject);
  if (verdict !== "mayReplace") return { reasons };
  const isChanged = verdictOf(unlessReplaced(changes)) !== "unchanged";
  return { reasons, otherwise: isChanged ? "in-place" : "unchanged" };
}

/** What becomes of the one on the service; undefined where it stays in use. */
function endOf({ resource, olds, profile, deletions }: Subject): Ending | undefined {
  if (!["delete", "leftover", "replace"].includes(resource.fate)) return undefined;
  const { onDestroy } = olds;
  return endingOf({
    before: resource.fate === "leftover" ? { ...resource.before, delete: true } : resource.before,
    after: resource.after,
    isReplaced: resource.fate !== "delete",
    policy: onDestroy === "fail" || onDestroy === "delete" ? onDestroy : "retain",
    canDelete: profile.capabilities.deleteListener,
    deletions,
  });
}
