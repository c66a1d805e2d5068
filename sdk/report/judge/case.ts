/** What the verdict on one resource is made of, and the verdict. */
import { onDestroyOf, type Plan } from "../../../provider/deployment/plan";
import type { Profile } from "../../../provider/profiles/profiles";
import type { Dependent, Reason, ReportVerdict } from "../model";
import type { HeardLines } from "../read/heard";
import { isToldToRetain, recordedOf } from "../read/hidden";
import type { State } from "../read/preview";
import type { PlannedResource } from "../read/resources";
import { type Ending, endingOf } from "./ending";
import type { Sides } from "./masks";

export interface Subject extends Sides {
  readonly resource: PlannedResource;
  readonly profile: Profile;
  readonly heard: HeardLines;
  readonly dependents: readonly Dependent[];
  /** URNs of what the engine deletes at the end of the up. */
  readonly deletions: ReadonlySet<string>;
  /** Whether the plan replaces the listener with that id. */
  readonly leaves: (listenerId: unknown) => boolean;
  /** Whether the preview failed on it. */
  readonly hasFailed: boolean;
}

/** The verdict on one deployment, and what it rests on. */
export interface Judgement {
  readonly verdict: ReportVerdict;
  readonly reasons: readonly Reason[];
  /** The provider's own verdict, where it differs. */
  readonly said: ReportVerdict | undefined;
  /** Where it may be replaced: the verdict where what is unknown turns out to be as it was. */
  readonly otherwise: ReportVerdict | undefined;
  readonly plan: Plan | undefined;
  /** Whether a secret value changes and the preview does not tell which. */
  readonly inTheDark: boolean;
}

/** What becomes of the one on the service; undefined where it stays in use. */
export function endOf(subject: Subject, { verdict, otherwise }: Judgement): Ending | undefined {
  const { resource } = subject;
  if (verdict !== "delete" && verdict !== "replace" && otherwise === undefined) return undefined;
  return endOfState(subject, resource.before, resource.fate === "replace");
}

/** The same of the old one of an earlier replacement. */
export const endOfLeftover = (subject: Subject, state: State): Ending =>
  endOfState(subject, { ...state, delete: true, protect: false }, true);

function endOfState(
  { resource, profile, deletions }: Subject,
  before: State | undefined,
  isReplaced: boolean,
): Ending {
  return endingOf({
    before,
    after: resource.after,
    isReplaced,
    policy: onDestroyOf(recordedOf(before), profile, isToldToRetain(before)),
    canDelete: profile.capabilities.deleteDeployment,
    deletions,
  });
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
