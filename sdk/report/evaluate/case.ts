/** The facts about one resource, and the evaluation made from them. */
import type { Plan } from "../../../provider/deployment/plan";
import type { Profile } from "../../../provider/profiles/profiles";
import type { Properties } from "../../../provider/schema/value";
import { escapeControls } from "../../../provider/schema/words";
import type { Dependent, DeploymentReport, Reason, ReportVerdict } from "../model";
import type { ProviderLines } from "../read/heard";
import type { PlannedResource } from "../read/resources";
import type { Sides } from "./masks";

export interface Subject extends Sides {
  readonly resource: PlannedResource;
  /** The recorded properties, with the newer statuses that a Rollout has seen and the provider does not know. */
  readonly current: Properties;
  readonly profile: Profile;
  readonly provider: ProviderLines;
  readonly dependents: readonly Dependent[];
  /** URNs of the resources that the engine deletes at the end of the up. */
  readonly deletions: ReadonlySet<string>;
  /** The resource that takes over the deployment with that id; undefined if no resource takes it over. */
  readonly adopterOf: (id: string | undefined) => PlannedResource | undefined;
  /** Whether the plan replaces the listener with that id. */
  readonly leaves: (listenerId: unknown) => boolean;
  /** True if the stack's configuration forbids new revisions but the resource's provider does not know that. */
  readonly mayNotRevise: boolean;
  /** Whether the preview failed on the resource. */
  readonly hasFailed: boolean;
}

/**
 * The report on a resource. `refusal`: the reason why the up fails on the resource although the preview passed;
 * undefined if there is no such reason.
 */
export interface Evaluated<R> {
  readonly report: R;
  readonly refusal: string | undefined;
}

/** The verdict on one deployment, and its reasons. */
export interface Evaluation {
  readonly verdict: ReportVerdict;
  readonly reasons: readonly Reason[];
  /** The provider's verdict, if it differs from the report's verdict. */
  readonly providerVerdict?: ReportVerdict | undefined;
  /** The verdict if the unknown values turn out unchanged; set only if the deployment may be replaced. */
  readonly otherwise?: ReportVerdict | undefined;
  readonly plan?: Plan;
  /** True if a secret changes but the preview does not name the secret. */
  readonly hasUnnamedSecret?: boolean;
}

const UNPLANNED =
  'settings of its provider are not known before the update, so nobody has planned it: it may create a revision, even where newRevisions is "forbid", and changes of its secrets are not shown';

/** Doubts about a resource: no provider planned it, its operation is unknown, or lines about it are not understood. */
export function doubtsOf({ provider, resource }: Subject) {
  const { isUnplanned, unknownOperation: op } = resource;
  const doubts = [
    ...(isUnplanned ? [UNPLANNED] : []),
    ...(op === undefined
      ? []
      : [`the engine's operation "${op}" for it is not known here, so it may create a revision`]),
  ];
  const notUnderstood = [...doubts, ...provider.notUnderstood];
  const lineWarnings = provider.notUnderstood.map(
    (line) => `this line about it is not understood, so it may create a revision: "${line}"`,
  );
  return {
    warnings: [...doubts, ...lineWarnings],
    /** The report's field `notUnderstood`; no field if every line is understood. */
    member: notUnderstood.length === 0 ? {} : { notUnderstood },
  };
}

/**
 * Whether the stack's configuration forbids the planned revision. A replacement makes no revision of the existing
 * deployment, so the configuration never forbids a replacement.
 */
export function isForbidden(
  { mayNotRevise }: Subject,
  { verdict, otherwise = verdict }: Evaluation,
): boolean {
  return mayNotRevise && (otherwise === "new-revision" || otherwise === "may-create-revision");
}

/**
 * Whether the plan is a creation that adopts a deployment if the up finds one, and otherwise makes one. The report on a
 * deployment that the preview left out has no name.
 */
export const mayAdopt = ({ verdict, id, deploymentName }: Partial<DeploymentReport>): boolean =>
  verdict === "may-create-revision" && id === null && typeof deploymentName === "string";

/** Whether the replacement is certain even if arguments are unknown, because the engine, not a provider, decided it. */
export const isCertainlyReplaced = ({ resource, provider }: Subject): boolean =>
  resource.isReplacedAnyway && provider.verdict === undefined;

/** The warning about the option `import`, which the engine applies before the resource's other steps. */
export function importWarnings({ resource: { imports, fate } }: Subject): string[] {
  if (imports === undefined) return [];
  const consequence = fate === "import" ? "; nothing on the service changes" : ", and this update changes it";
  return [`its option import takes ${escapeControls(imports)} into the state${consequence}`];
}
