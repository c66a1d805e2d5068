/** The verdict on one listener: by the function with which the provider itself plans. */
import { listenerRows } from "../../../provider/fields/listener";
import { planTable } from "../../../provider/table/plan";
import type { ListenerReport, Reason } from "../model";
import { notUnderstoodOf, notUnderstoodWarnings, type Subject } from "./case";
import { withMarks } from "./masks";
import { reasonsOf, shownValue } from "./reasons";

export function judgeListener(subject: Subject): ListenerReport {
  const { resource, olds, news, heard } = subject;
  const computeId = shownValue(news.computeId ?? olds.computeId);
  return {
    urn: resource.urn,
    name: resource.name,
    id: resource.before?.id ?? null,
    computeId: typeof computeId === "string" ? computeId : null,
    verdict: VERDICTS[resource.fate],
    reasons: reasonsFor(subject),
    warnings: [...notUnderstoodWarnings(subject), ...destroyed(subject), ...heard.warnings],
    ...notUnderstoodOf(subject),
  };
}

const VERDICTS: { readonly [fate in Subject["resource"]["fate"]]: ListenerReport["verdict"] } = {
  create: "create",
  update: "in-place",
  replace: "replace",
  delete: "delete",
  leftover: "delete",
  same: "unchanged",
  read: "unchanged",
};

function reasonsFor({ resource, olds, news, profile, heard }: Subject): Reason[] {
  if (resource.fate !== "update" && resource.fate !== "replace") return [];
  const marked = withMarks(olds, news, heard.line);
  const { changes } = planTable({ rows: listenerRows }, marked.olds, marked.news, profile);
  return reasonsOf(changes, olds, news);
}

function destroyed({ resource, olds, profile }: Subject): string[] {
  if (!["delete", "leftover", "replace"].includes(resource.fate)) return [];
  if (olds.onDestroy === "fail") return ['onDestroy is "fail": the up will refuse this'];
  const deletes = olds.onDestroy === "delete" && profile.capabilities.deleteListener;
  const old = `the listener ${resource.before?.id ?? ""}`.trim();
  return [deletes ? `${old} is deleted on the service` : `${old} stays on the service`];
}
