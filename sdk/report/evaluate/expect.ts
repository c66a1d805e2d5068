/** Compares a plan with the plan that was reviewed. */

import { z } from "zod";
import { sameValue } from "../../../provider/schema/compare";
import { escapeControls } from "../../../provider/schema/words";
import { isDeployment, type Report, type ResourceReport, reportSchema } from "../model";
import { checkDocument, documentsIn } from "../read/documents";
import { digestOf, movingIn } from "./digest";
import { leftoversOf, reasonText } from "./gates";

const REPORT = "a report as `deployment-control plan --format json` makes it";

/** Reads the output of `--format json`. Throws an Error that names the path of the fault. */
export function reportsIn(text: string, source: string): Report[] {
  const documents = documentsIn(text, source, REPORT);
  const document = documents.length === 1 ? documents[0] : documents;
  const reports = Array.isArray(document) ? document : [document];
  return checkDocument(z.array(reportSchema), reports, `${source}: expected ${REPORT}; `);
}

/** One line for each report whose content does not match its digest. */
export function digestMismatches(reports: readonly Report[]): string[] {
  return reports
    .filter((report) => digestOf(report.stack, report) !== report.digest)
    .map(
      ({ stack }) =>
        `stack ${escapeControls(stack)}: the reviewed report does not match its own digest: it was changed, or another version made it. Make it again from the reviewed preview`,
    );
}

/** One line per difference from the reviewed plans; no lines if the digests are the same. */
export function differencesBetween(reviewed: readonly Report[], current: readonly Report[]): string[] {
  const stacks = [...new Set([...reviewed, ...current].map(({ stack }) => stack))].sort();
  return stacks.flatMap((stack) => {
    const [before, after] = [reviewed, current].map((reports) =>
      reports.find((each) => each.stack === stack),
    );
    if (before?.digest === after?.digest) return [];
    return [`stack ${escapeControls(stack)}:`, ...stackDifferences(before, after).map((line) => `  ${line}`)];
  });
}

function stackDifferences(before: Report | undefined, after: Report | undefined): string[] {
  if (before === undefined) return ["is planned, but was not reviewed"];
  if (after === undefined) return ["was reviewed, but is not planned"];
  const lines = [
    ...pairs(before.deployments, after.deployments).flatMap((pair) => linesOf("deployment", pair)),
    ...pairs(before.listeners, after.listeners).flatMap((pair) => linesOf("listener", pair)),
    ...(sameValue(movingIn(before.others), movingIn(after.others))
      ? []
      : ["other resources: other operations than reviewed"]),
  ];
  return lines.length > 0 ? lines : ["the counts are the same, but not the resources or the values"];
}

/** A resource in the reviewed plan and in the current one. */
type Pair = [before: ResourceReport | undefined, after: ResourceReport | undefined];

function pairs(before: readonly ResourceReport[], after: readonly ResourceReport[]): Pair[] {
  const [beforeByUrn, afterByUrn] = [before, after].map(
    (all) => new Map(all.map((each) => [each.urn, each])),
  );
  const urns = [...new Set([...before, ...after].map(({ urn }) => urn))];
  return urns.map((urn) => [beforeByUrn?.get(urn), afterByUrn?.get(urn)]);
}

function linesOf(kind: string, [before, after]: Pair): string[] {
  const label = `${kind} "${escapeControls((before ?? after)?.name ?? "")}"`;
  return [...otherService(before, after), ...otherChanges(before, after)].map(
    (words) => `${label}: ${words}`,
  );
}

function otherService(...[before, after]: Pair): string[] {
  if (before === undefined || after === undefined || before.service === after.service) return [];
  const services = [before, after].map(({ service }) => escapeControls(service ?? "unknown"));
  return [`its service reviewed as ${services.join(", now ")}`];
}

function otherChanges(...[before, after]: Pair): string[] {
  const [was, is] = [before?.verdict ?? "unchanged", after?.verdict ?? "unchanged"];
  const why = reasonTexts(after).join("; ");
  if (was !== is) return [`reviewed as ${was}, now ${is}${why === "" ? "" : ` (${why})`}`];
  if (was === "unchanged" && sameValue(leftIn(before), leftIn(after))) return [];
  const oldReasons = reasonTexts(before);
  const newReasons = reasonTexts(after);
  const lines = [
    ...oldReasons.filter((reason) => !newReasons.includes(reason)).map((reason) => `no longer ${reason}`),
    ...newReasons.filter((reason) => !oldReasons.includes(reason)).map((reason) => `now ${reason}`),
  ];
  const fates = [before, after].map((report) => report?.fate ?? "in use");
  if (fates[0] !== fates[1]) lines.push(`the one on the service reviewed as ${fates.join(", now ")}`);
  if (lines.length > 0) return [`still ${is}, but ${lines.join("; ")}`];
  return sameValue(identity(before), identity(after)) ? [] : [`still ${is}, but of another state`];
}

/**
 * The parts of a report that may differ between two plans with the same reasons: the deployment's id, generation,
 * secrets and leftovers.
 */
function identity(report: ResourceReport | undefined): unknown {
  if (report === undefined) return [];
  const counts = isDeployment(report) ? [report.generation, report.secrets] : null;
  return [report.id, counts, leftIn(report)];
}

const leftIn = (report: ResourceReport | undefined): readonly string[] =>
  report === undefined ? [] : leftoversOf(report);

const reasonTexts = (report: ResourceReport | undefined): string[] => report?.reasons.map(reasonText) ?? [];
