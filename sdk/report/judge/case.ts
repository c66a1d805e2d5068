/** The facts about one resource, and the judgement made from them. */
import { onDestroyOf, type Plan } from "../../../provider/deployment/plan";
import type { Properties } from "../../../provider/fields/value";
import { escapeControls } from "../../../provider/fields/words";
import type { Profile } from "../../../provider/profiles/profiles";
import type { Dependent, Reason, ReportVerdict } from "../model";
import type { ProviderLines } from "../read/heard";
import { recordedOf, recordsRetainOnDelete } from "../read/hidden";
import type { EngineState } from "../read/preview";
import type { PlannedResource } from "../read/resources";
import { type Ending, endingOf, foreseen } from "./ending";
import type { Sides } from "./masks";

export interface Subject extends Sides {
  readonly resource: PlannedResource;
  /**
   * The recorded properties, updated with the statuses that a Rollout has seen since, which the provider does not know.
   */
  readonly current: Properties;
  readonly profile: Profile;
  readonly provider: ProviderLines;
  readonly dependents: readonly Dependent[];
  /** URNs of the resources that the engine deletes at the end of the up. */
  readonly deletions: ReadonlySet<string>;
  /** The resource that takes over the deployment with that id; undefined if there is none. */
  readonly takerOf: (id: string | undefined) => PlannedResource | undefined;
  /** Whether the plan replaces the listener with that id. */
  readonly leaves: (listenerId: unknown) => boolean;
  /** Whether the stack's configuration forbids new revisions, without the resource's own provider knowing it. */
  readonly mayNotRevise: boolean;
  /** Whether the preview failed on the resource. */
  readonly hasFailed: boolean;
}

/** The report on a resource. `refusal`: why the up fails on it although the preview passed, and what to do, if it does. */
export interface Judged<R> {
  readonly report: R;
  readonly refusal: string | undefined;
}

/** The verdict on one deployment, and its reasons. */
export interface Judgement {
  readonly verdict: ReportVerdict;
  readonly reasons: readonly Reason[];
  /** The provider's own verdict, if it differs. */
  readonly providerVerdict: ReportVerdict | undefined;
  /** Set if the deployment may be replaced: the verdict if the unknown values turn out unchanged. */
  readonly otherwise: ReportVerdict | undefined;
  readonly plan: Plan | undefined;
  /** Whether a secret changes and the preview does not tell which one. */
  readonly hasUnnamedSecret: boolean;
}

/** The fate of the deployment on the service; undefined if it stays in use. */
export function endOf(subject: Subject, { verdict, otherwise }: Judgement): Ending | undefined {
  const { resource } = subject;
  if (verdict !== "delete" && verdict !== "replace" && otherwise === undefined) return undefined;
  const ending = endOfState(subject, resource.before, verdict !== "delete");
  return foreseen(ending, resource, subject.provider.adopts);
}

/** The fate of the old deployment of an earlier replacement. */
export const endOfLeftover = (subject: Subject, state: EngineState): Ending =>
  endOfState(subject, { ...state, delete: true, protect: false }, true);

function endOfState(
  { resource, profile, deletions, takerOf }: Subject,
  before: EngineState | undefined,
  isReplaced: boolean,
): Ending {
  return endingOf({
    before,
    after: resource.after,
    isReplaced,
    policy: onDestroyOf(recordedOf(before), profile, recordsRetainOnDelete(before)),
    canDelete: profile.capabilities.deleteDeployment,
    deletions,
    taker: takerOf(before?.id),
  });
}

const UNPLANNED =
  'settings of its provider are not known before the up, so nobody has planned it: it may create a revision, even where newRevisions is "forbid", and changes of its secrets are not shown';

/** Warns if no provider has planned the resource, and if its operation is unknown. */
function openSteps({ isUnplanned, unknownOperation: op }: Subject["resource"]): string[] {
  const words = `the engine's operation "${op}" for it is not known here, so it may create a revision`;
  return [...(isUnplanned ? [UNPLANNED] : []), ...(op === undefined ? [] : [words])];
}

/** One warning per line that is not understood. They follow the warnings about the resource's steps. */
export function notUnderstoodWarnings({ provider, resource }: Subject): string[] {
  const lines = provider.notUnderstood.map(
    (line) => `this line about it is not understood, so it may create a revision: "${line}"`,
  );
  return [...openSteps(resource), ...lines];
}

/** The report's member `notUnderstood`, omitted if everything is understood. */
export function notUnderstoodOf({ provider, resource }: Subject): { notUnderstood?: string[] } {
  const notUnderstood = [...openSteps(resource), ...provider.notUnderstood];
  return notUnderstood.length === 0 ? {} : { notUnderstood };
}

/** Decides as the provider does: a replacement makes no revision of the existing deployment. */
export function isForbidden({ mayNotRevise }: Subject, { verdict, otherwise = verdict }: Judgement): boolean {
  return mayNotRevise && (otherwise === "new-revision" || otherwise === "may-create-revision");
}

/** The effect of the option `import`, which comes before the other steps. */
export function importWarnings({ resource: { imports, fate } }: Subject): string[] {
  if (imports === undefined) return [];
  const consequence = fate === "import" ? "; nothing on the service changes" : ", and this up changes it";
  return [`its option import takes ${escapeControls(imports)} into the state${consequence}`];
}
