/** What a preview proves of an adopted project: that every adoption leaves its deployment as it is, or which one does not. */
import type { DeploymentReport, Report } from "../../report/model";

export interface Proof {
  /** Deployments that the preview takes over. */
  readonly adopted: number;
  /** A line for each that the up would change, and for each that it would create. */
  readonly changes: readonly string[];
  /** Why the preview failed, or the up would; empty where neither. */
  readonly failures: readonly string[];
}

export function proofOf({ deployments, failure, refusals = [] }: Report): Proof {
  const changed = deployments.filter(
    ({ verdict, notUnderstood = [] }) => verdict !== "unchanged" || notUnderstood.length > 0,
  );
  const none = deployments.length === 0 && failure === null ? ["it shows no deployment"] : [];
  return {
    adopted: deployments.filter(({ id }) => id !== null).length,
    changes: changed.map(changeOf),
    failures: [...(failure === null ? [] : [failure]), ...refusals, ...none],
  };
}

/** What the provider said of it names the fields. */
function changeOf({ name, verdict, warnings, reasons }: DeploymentReport): string {
  const said = [...warnings, ...reasons.map(({ path }) => path)].join("; ");
  return `deployment "${name}": ${said === "" ? verdict : said}`;
}
