/**
 * Finds deployments that one stack gives up and another stack creates. Only the previews of both stacks show such a
 * move.
 */
import { escapeControls } from "../../../provider/fields/words";
import { type DeploymentReport, type Report, SECRET, UNKNOWN_VALUE } from "../model";

/** The reports, each with a warning for every deployment that another stack gives up under the name that this one creates. */
export function movesBetween(reports: readonly Report[]): Report[] {
  return reports.map((report) => {
    const otherReports = reports.filter(({ stack }) => stack !== report.stack);
    const warnings = report.deployments
      .filter(({ verdict }) => verdict === "create")
      .flatMap((creation) => otherReports.flatMap((other) => warningsOf(report.stack, creation, other)));
    return warnings.length === 0 ? report : { ...report, warnings: [...report.warnings, ...warnings] };
  });
}

function warningsOf(stack: string, creation: DeploymentReport, other: Report): string[] {
  return other.deployments
    .filter((each) => each.verdict === "delete" && isSame(each, creation))
    .map(({ urn }) => {
      const [source, destination] = [other.stack, stack].map((name) => name.slice(name.indexOf("/") + 1));
      const words = `deployment "${creation.name}": ${other.stack} gives up a deployment of this name. If it moves here, run this before the up, and nothing is created or removed: pulumi state move --source ${source} --dest ${destination} '${urn}'`;
      return escapeControls(words);
    });
}

function isSame(one: DeploymentReport, other: DeploymentReport): boolean {
  const { deploymentName } = one;
  if (deploymentName === null || [SECRET, UNKNOWN_VALUE].includes(deploymentName)) return false;
  return deploymentName === other.deploymentName && one.connection === other.connection;
}
