/** The verdict on one listener: by the function with which the provider itself plans. */

import { listenerRows } from "../../../provider/fields/listener";
import type { Properties } from "../../../provider/fields/value";
import { planTable } from "../../../provider/verdict/tablePlan";
import type { ListenerReport, Reason } from "../model";
import { recordedOf } from "../read/resources";
import type { Case } from "./judge";
import { withMarks } from "./masks";
import { reasonsOf, shownValue } from "./reasons";

export function judgeListener(subject: Case): ListenerReport {
  const { resource, told } = subject;
  const olds = recordedOf(resource.before);
  const news = resource.after?.inputs ?? {};
  const computeId = shownValue(news.computeId ?? olds.computeId);
  return {
    urn: resource.urn,
    name: resource.name,
    id: resource.before?.id ?? told?.adopts ?? null,
    computeId: typeof computeId === "string" ? computeId : null,
    verdict: VERDICTS[resource.fate],
    reasons: reasonsFor(subject, olds, news),
    warnings: [...destroyed(subject, olds), ...(told?.warnings ?? [])],
  };
}

const VERDICTS: { readonly [fate in Case["resource"]["fate"]]: ListenerReport["verdict"] } = {
  create: "create",
  update: "in-place",
  replace: "replace",
  delete: "delete",
  leftover: "delete",
  same: "unchanged",
  read: "unchanged",
};

function reasonsFor(subject: Case, olds: Properties, news: Properties): Reason[] {
  const { resource, told } = subject;
  if (resource.fate !== "update" && resource.fate !== "replace") return [];
  const marked = withMarks(olds, news, told?.line);
  const { changes } = planTable(
    { rows: listenerRows },
    marked.olds,
    marked.news,
    subject.profileOf(resource),
  );
  return reasonsOf(changes, olds, news);
}

function destroyed(subject: Case, olds: Properties): string[] {
  const { resource } = subject;
  if (!["delete", "leftover", "replace"].includes(resource.fate)) return [];
  if (olds.onDestroy === "fail") return ['onDestroy is "fail": the up will refuse this'];
  const deletes = olds.onDestroy === "delete" && subject.profileOf(resource).capabilities.deleteListener;
  const old = `the listener ${resource.before?.id ?? ""}`.trim();
  return [deletes ? `${old} is deleted on the service` : `${old} stays on the service`];
}
