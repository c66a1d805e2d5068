/** What the verdict on one resource is made of, and the verdict. */
import { onDestroyOf, type Plan } from "../../../provider/deployment/plan";
import type { Properties } from "../../../provider/fields/value";
import { isRetained } from "../../../provider/host/carried";
import type { Profile } from "../../../provider/profiles/profiles";
import type { Dependent, DeploymentReport, Reason, ReportVerdict } from "../model";
import type { HeardLines } from "../read/heard";
import type { PlannedResource } from "../read/resources";

export interface Subject {
  readonly resource: PlannedResource;
  /** What is recorded of it, and its new inputs; empty where there is none. */
  readonly olds: Properties;
  readonly news: Properties;
  readonly profile: Profile;
  readonly heard: HeardLines;
  readonly dependents: readonly Dependent[];
}

/** The verdict on one deployment, and what it rests on. */
export interface Judgement {
  readonly verdict: ReportVerdict;
  readonly reasons: readonly Reason[];
  /** The provider's own verdict, where it differs. */
  readonly said: ReportVerdict | undefined;
  readonly plan: Plan | undefined;
  /** Whether a secret value changes and the preview does not tell which. */
  readonly inTheDark: boolean;
}

/** What becomes of the one on the service; null where it stays in use. */
export function fateOf({ olds, profile }: Subject, { verdict }: Judgement): DeploymentReport["fate"] {
  if (verdict !== "delete" && verdict !== "replace") return null;
  const policy = onDestroyOf(olds, profile, isRetained(olds));
  if (policy === "fail") return "refused";
  return policy === "delete" && profile.capabilities.deleteDeployment ? "deleted" : "retained";
}

/** A warning for each line that is not understood. */
export function notUnderstoodWarnings({ heard }: Subject): string[] {
  return heard.notUnderstood.map(
    (line) => `this line about it is not understood, so it may create a revision: "${line}"`,
  );
}

/** As the report holds them: no member where every line is understood. */
export function notUnderstoodOf({ heard }: Subject): { notUnderstood?: string[] } {
  return heard.notUnderstood.length === 0 ? {} : { notUnderstood: [...heard.notUnderstood] };
}
