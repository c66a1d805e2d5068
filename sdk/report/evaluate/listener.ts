/** Evaluates one listener. */

import { shownValue } from "../../../provider/diff/recorded";
import type { ListenerReport } from "../model";
import type { Evaluated, Subject } from "./case";
import { endOfListener } from "./ending";
import { reasonOf } from "./reasons";
import { commonOf } from "./warnings";

export function evaluateListener(subject: Subject): Evaluated<ListenerReport> {
  const { resource, olds, news, plan, provider } = subject;
  const computeId = shownValue(news.computeId ?? olds.computeId);
  const otherwise =
    resource.isReplacedAnyway || provider.otherwise === undefined
      ? undefined
      : provider.otherwise === "unchanged"
        ? "unchanged"
        : "in-place";
  const ending = endOfListener(subject, otherwise);
  const verdict = verdictOn(subject);
  const reasons = (plan?.changes ?? []).map(reasonOf);
  const report = {
    ...commonOf(subject, { verdict, reasons, otherwise }, ending),
    computeId: typeof computeId === "string" ? computeId : null,
    verdict,
    ...(otherwise === undefined ? {} : { otherwise }),
    reasons,
  } satisfies ListenerReport;
  return { report, refusal: ending?.refusal };
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

/** Whether the creation takes over an existing listener, so that nothing is created. */
const isTakenOver = ({ resource, plan }: Subject): boolean =>
  resource.fate === "create" && plan?.adopts !== undefined;

function verdictOn(subject: Subject): ListenerReport["verdict"] {
  if (!isTakenOver(subject)) return VERDICTS[subject.resource.fate];
  return subject.plan?.verdict === "unchanged" ? "unchanged" : "in-place";
}
