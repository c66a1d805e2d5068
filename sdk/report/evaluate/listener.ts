/** Judges one listener with the provider's own planning function. */

import { planTable } from "../../../provider/crud/definition";
import { unlessReplaced, verdictOf } from "../../../provider/diff/changes";
import { listenerRows } from "../../../provider/schema/listener";
import type { DeploymentReport, ListenerReport } from "../model";
import { labelIn } from "../read/heard";
import { doubtsOf, type Evaluated, importWarnings, isCertainlyReplaced, type Subject } from "./case";
import { endOfListener } from "./ending";
import { withHiddenChanges } from "./masks";
import { serviceOf } from "./profile";
import { reasonsOf, shownValue } from "./reasons";

export function evaluateListener(subject: Subject): Evaluated<ListenerReport> {
  const { resource, olds, news, provider } = subject;
  const computeId = shownValue(news.computeId ?? olds.computeId);
  const { reasons, otherwise } = changesOf(subject);
  const ending = endOfListener(subject, otherwise);
  const doubts = doubtsOf(subject);
  const report = {
    urn: resource.urn,
    name: resource.name,
    id: resource.before?.id ?? provider.adopts ?? resource.imports ?? null,
    computeId: typeof computeId === "string" ? computeId : null,
    service: serviceOf(resource),
    verdict: verdictOn(subject),
    fate: ending?.fate ?? null,
    ...(otherwise === undefined ? {} : { otherwise }),
    reasons,
    warnings: [
      ...doubts.warnings,
      ...importWarnings(subject),
      ...(ending === undefined ? [] : [ending.warning]),
      ...(isTakenOver(subject) && provider.line !== undefined ? [provider.line] : []),
      ...provider.warnings,
    ],
    ...doubts.member,
  };
  return { report, refusal: ending?.refusal };
}

/**
 * Warns about deleted listeners that deployments still use. The provider cannot warn, because it never sees a listener
 * and a deployment at once.
 */
export function warnOfListenersInUse(
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
      `${labelIn(urn)}: ${id} is deleted on the service, and is still the sourceConfig.listenerId of ${names}. Set another one there, or keep the listener`,
    ];
  });
}

const VERDICTS: { readonly [fate in Subject["resource"]["fate"]]: ListenerReport["verdict"] } = {
  create: "create",
  import: "unchanged",
  update: "in-place",
  replace: "replace",
  delete: "delete",
  leftover: "delete",
  same: "unchanged",
  read: "unchanged",
};

/** A creation that takes over a listener creates nothing. */
const isTakenOver = ({ resource, provider }: Subject): boolean =>
  resource.fate === "create" && provider.adopts !== undefined;

function verdictOn(subject: Subject): ListenerReport["verdict"] {
  if (!isTakenOver(subject)) return VERDICTS[subject.resource.fate];
  return subject.provider.verdict === "unchanged" ? "unchanged" : "in-place";
}

/** The reasons for the listener's verdict. `otherwise`: the verdict if the possible replacement does not happen. */
function changesOf(subject: Subject): Pick<ListenerReport, "reasons" | "otherwise"> {
  const { resource, profile, provider } = subject;
  if (resource.fate !== "update" && resource.fate !== "replace") return { reasons: [] };
  const sides = withHiddenChanges(subject, { line: provider.line, details: resource.details });
  const { changes, verdict } = planTable({ rows: listenerRows }, sides.olds, sides.news, profile);
  const reasons = reasonsOf(changes, subject);
  if (verdict !== "mayReplace" || isCertainlyReplaced(subject)) return { reasons };
  const isChanged = verdictOf(unlessReplaced(changes)) !== "unchanged";
  return { reasons, otherwise: isChanged ? "in-place" : "unchanged" };
}
