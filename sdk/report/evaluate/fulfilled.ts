/** Decides whether an outcome fulfills a plan. */
import type { DeploymentReport, Outcome, ReportVerdict } from "../model";
import { mayAdopt } from "./case";

export type Prediction = Pick<DeploymentReport, "urn" | "name" | "verdict" | "reasons"> &
  Partial<Pick<DeploymentReport, "id" | "deploymentName" | "fate" | "otherwise" | "notUnderstood">>;

const FULFILLED: { readonly [verdict in ReportVerdict]: readonly Outcome["happened"][] } = {
  create: ["created"],
  replace: ["replaced"],
  "new-revision": ["new-revision"],
  // A value that is unknown in the preview may turn out unchanged.
  "may-create-revision": ["new-revision", "in-place", "unchanged"],
  "in-place": ["in-place"],
  delete: ["deleted"],
  unchanged: ["unchanged"],
};

/**
 * The outcomes that fulfill a plan. A plan with a possible replacement is fulfilled with or without the replacement.
 */
function fulfilling({ verdict, otherwise }: Prediction): readonly Outcome["happened"][] {
  if (otherwise === undefined) return FULFILLED[verdict];
  // The engine may record a changed option even if no argument changes.
  const instead = otherwise === "unchanged" ? "in-place" : otherwise;
  return [...FULFILLED.replace, ...FULFILLED[otherwise], ...FULFILLED[instead]];
}

/** Null if the events do not show whether the plan was fulfilled. A failed rollout does not make a prediction wrong. */
export function isFulfilled(
  plan: Prediction,
  happened: Outcome["happened"],
  madeRevision: boolean | undefined,
): boolean | null {
  if (happened === "unknown" || happened === "not-applied") return null;
  // The engine may fail on a different resource before it reaches the refused resource.
  if (plan.fate === "refused") return happened === "failed" || (happened === "replaced" ? false : null);
  // Only `pulumi up` could find out whether there was a deployment to adopt.
  if (happened === "created" && mayAdopt(plan)) return true;
  // The plan for this resource was not understood, so no prediction was wrong.
  if (plan.notUnderstood !== undefined && !fulfilling(plan).includes(happened)) return null;
  if (happened !== "failed") return fulfilling(plan).includes(happened);
  return madeRevision === undefined
    ? null
    : fulfilling(plan).includes(madeRevision ? "new-revision" : "in-place");
}
