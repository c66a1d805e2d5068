/** The facts about one resource, and the evaluation made from them. */
import { type RecordedPlan, UNKNOWN_VALUE } from "../../../provider/diff/recorded";
import type { Properties } from "../../../provider/schema/value";
import { escapeControls } from "../../../provider/schema/words";
import type { Dependent, DeploymentReport, Reason, ReportVerdict } from "../model";
import type { ProviderLines } from "../read/lines";
import type { PlannedResource } from "../read/resources";
import type { EndingProfiles } from "./service";

export interface Subject {
  readonly resource: PlannedResource;
  /** The recorded properties (`olds`) and the new inputs (`news`). Each object may be empty. */
  readonly olds: Properties;
  readonly news: Properties;
  /** The plan that the provider's `check` has recorded in this preview; undefined if there is none. */
  readonly plan: RecordedPlan | undefined;
  readonly endingProfilesOf: EndingProfiles;
  readonly provider: ProviderLines;
  readonly dependents: readonly Dependent[];
  /** URNs of the resources that the engine deletes at the end of the update. */
  readonly deletions: ReadonlySet<string>;
  /** The resource that takes over the deployment with that id, if any. */
  readonly adopterOf: (id: string | undefined) => PlannedResource | undefined;
  /** True if the stack's configuration forbids new revisions but the resource's provider does not know this. */
  readonly mayNotRevise: boolean;
  readonly hasFailed: boolean;
  /** Ids of the failed revisions that Rollouts have recorded. */
  readonly failedRevisions: ReadonlySet<unknown>;
}

/** The report on a resource. `refusal`: why `pulumi up` fails on the resource although the preview passed. */
export interface Evaluated<R> {
  readonly report: R;
  readonly refusal: string | undefined;
}

export interface Evaluation {
  readonly verdict: ReportVerdict;
  readonly reasons: readonly Reason[];
  /** The verdict if the unknown values turn out unchanged. Set only if the deployment may be replaced. */
  readonly otherwise?: ReportVerdict | undefined;
}

const UNPLANNED =
  'settings of its provider are not known before the update, so nobody has planned it: it may create a revision, even where newRevisions is "forbid", and changes of its secrets are not shown';
const UNSAID =
  "the provider has recorded no plan for it that is understood here, so it may create a revision. Check that the report's command and the program's provider have the same version";

/** Whether the provider has announced the effect: an update in a line, or a creation in the recorded plan. */
function isDecided({ resource: { fate, imports }, plan, provider }: Subject): boolean {
  if (fate === "create") return plan !== undefined;
  return fate !== "update" || provider.verdict !== undefined || imports !== undefined;
}

/** Doubts about a resource: nobody planned it, its operation is unknown, or lines about it are not understood. */
export function doubtsOf(subject: Subject) {
  const { provider, resource } = subject;
  const { isUnplanned, unknownOperation: op } = resource;
  const doubts = isUnplanned
    ? [UNPLANNED]
    : op !== undefined
      ? [`the engine's operation "${op}" for it is not known here, so it may create a revision`]
      : provider.notUnderstood.length === 0 && !subject.hasFailed && !isDecided(subject)
        ? [UNSAID]
        : [];
  const notUnderstood = [...doubts, ...provider.notUnderstood];
  const lineWarnings = provider.notUnderstood.map(
    (line) => `this line about it is not understood, so it may create a revision: "${line}"`,
  );
  return {
    isOpen: notUnderstood.length > 0,
    warnings: [...doubts, ...lineWarnings],
    /** The report's field `notUnderstood`. If everything is understood, the report lacks this field. */
    member: notUnderstood.length === 0 ? {} : { notUnderstood },
  };
}

/**
 * The configuration never forbids a replacement, because a replacement makes no revision of the existing deployment.
 */
export function isForbidden(
  { mayNotRevise }: Subject,
  { verdict, otherwise = verdict }: Evaluation,
): boolean {
  return mayNotRevise && (otherwise === "new-revision" || otherwise === "may-create-revision");
}

/** Whether the plan is a creation that adopts a deployment if the update finds one. */
export const mayAdopt = ({ verdict, id, deploymentName }: Partial<DeploymentReport>): boolean =>
  verdict === "may-create-revision" && id === null && typeof deploymentName === "string";

/** The id of the existing resource that the plan takes over; undefined if there is none, or the id is unknown. */
export const adoptedBy = ({ plan }: Pick<Subject, "plan">): string | undefined =>
  plan?.adopts === UNKNOWN_VALUE ? undefined : plan?.adopts;

/** The warning about the option `import`, which the engine applies before the resource's other steps. */
export function importWarnings({ resource: { imports, fate } }: Subject): string[] {
  if (imports === undefined) return [];
  const consequence = fate === "import" ? "; nothing on the service changes" : ", and this update changes it";
  return [`its option import takes ${escapeControls(imports)} into the state${consequence}`];
}
