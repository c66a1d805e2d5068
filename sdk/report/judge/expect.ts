/** Whether a plan is still the one that was reviewed, and what is different where it is not. */
import { z } from "zod";
import { sameValue } from "../../../provider/fields/value";
import { escapeControls } from "../../../provider/fields/words";
import { isDeployment, type Report, type ResourceReport, reportSchema } from "../model";
import { checked, documentsIn } from "../read/documents";
import { leftoversOf, shownReason } from "./gates";

const REPORT = "a report as `deployment-control plan --format json` makes it";

/** The reports in a text that `--format json` made. Throws an Error with the path of the fault. */
export function reportsIn(text: string, source: string): Report[] {
  const documents = documentsIn(text, source, REPORT);
  const document = documents.length === 1 ? documents[0] : documents;
  const reports = Array.isArray(document) ? document : [document];
  return checked(z.array(reportSchema), reports, `${source}: expected ${REPORT}; `);
}

/** What is no longer as it was reviewed, a line each; none where the digests are the same. */
export function differencesBetween(reviewed: readonly Report[], planned: readonly Report[]): string[] {
  const stacks = [...new Set([...reviewed, ...planned].map(({ stack }) => stack))].sort();
  return stacks.flatMap((stack) => {
    const [before, after] = [reviewed, planned].map((reports) =>
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
    ...pairs(before.deployments, after.deployments).flatMap((pair) => lineOf("deployment", ...pair)),
    ...pairs(before.listeners, after.listeners).flatMap((pair) => lineOf("listener", ...pair)),
    ...(sameValue(moving(before), moving(after)) ? [] : ["other resources: other operations than reviewed"]),
  ];
  return lines.length > 0
    ? lines
    : ["what it does is the same in counts, but not for the same resources or values"];
}

/** Unchanged resources are listed or not, as the preview was called. */
function moving({ others }: Report): unknown {
  return others
    .map(({ unchanged: _listed, ...counts }) => counts)
    .filter(({ type: _type, ...counts }) => Object.values(counts).some((count) => count > 0));
}

function pairs<T extends ResourceReport>(
  before: readonly T[],
  after: readonly T[],
): [T | undefined, T | undefined][] {
  const reviewed = new Map(before.map((each) => [each.urn, each]));
  const planned = new Map(after.map((each) => [each.urn, each]));
  const urns = [...new Set([...reviewed.keys(), ...planned.keys()])];
  return urns.map((urn) => [reviewed.get(urn), planned.get(urn)]);
}

function lineOf(
  kind: string,
  before: ResourceReport | undefined,
  after: ResourceReport | undefined,
): string[] {
  const label = `${kind} "${escapeControls((before ?? after)?.name ?? "")}"`;
  const [was, is] = [before?.verdict ?? "unchanged", after?.verdict ?? "unchanged"];
  if (was !== is) return [`${label}: reviewed as ${was}, now ${is}${whyNow(after)}`];
  if (was === "unchanged" && sameValue(leftIn(before), leftIn(after))) return [];
  const sides = [before, after].map((each) => each?.reasons.map(shownReason) ?? []) as [string[], string[]];
  const [gone, come] = [without(sides[0], sides[1]), without(sides[1], sides[0])];
  const lines = [...gone.map((reason) => `no longer ${reason}`), ...come.map((reason) => `now ${reason}`)];
  const fates = [before, after].map((report) => report?.fate ?? "in use");
  if (fates[0] !== fates[1]) lines.push(`the one on the service reviewed as ${fates.join(", now ")}`);
  if (lines.length > 0) return [`${label}: still ${is}, but ${lines.join("; ")}`];
  return sameValue(identity(before), identity(after)) ? [] : [`${label}: still ${is}, but of another state`];
}

/** The same reasons may start from another deployment or another count. */
function identity(report: ResourceReport | undefined): unknown {
  if (report === undefined) return [];
  const counted = isDeployment(report) ? [report.generation, report.secrets] : null;
  return [report.id, counted, leftIn(report)];
}

const leftIn = (report: ResourceReport | undefined): readonly string[] =>
  report === undefined ? [] : leftoversOf(report);

function whyNow(after: ResourceReport | undefined): string {
  const reasons = after?.reasons.map(shownReason).join("; ") ?? "";
  return reasons === "" ? "" : ` (${reasons})`;
}

const without = (reasons: readonly string[], others: readonly string[]): string[] =>
  reasons.filter((reason) => !others.includes(reason));
