/** Proves from a preview that adopting changes no deployment, or names those that it would change. */
import type { DeploymentReport, Report } from "../../report/model";

export interface Proof {
  /** Deployments that the preview takes over. */
  readonly adopted: number;
  /** One line for each deployment that the up would change or create. */
  readonly changes: readonly string[];
  /** Why the preview failed, or why the up would fail. */
  readonly failures: readonly string[];
}

export function proofOf({ deployments, failure, refusals = [] }: Report): Proof {
  const none = deployments.length === 0 && failure === null ? ["it shows no deployment"] : [];
  return {
    adopted: deployments.filter(({ id }) => id !== null).length,
    changes: deployments
      .filter(({ verdict, notUnderstood = [] }) => verdict !== "unchanged" || notUnderstood.length > 0)
      .map(changeOf),
    failures: [...(failure === null ? [] : [failure]), ...refusals, ...none],
  };
}

/** The provider's warnings and reasons name the fields. */
function changeOf({ name, verdict, warnings, reasons }: DeploymentReport): string {
  const details = [...warnings, ...reasons.map(({ path }) => path)].join("; ");
  return `deployment "${name}": ${details === "" ? verdict : details}`;
}
