/** Compares a plan with the reviewed plan. */

import { z } from "zod";
import { escapeControls } from "../../../provider/schema/words";
import { type Report, type ResourceReport, reportSchema, resourcesIn } from "../model";
import { checkDocument, documentsIn } from "../read/documents";
import { labelIn } from "../read/lines";
import { decisiveIn, digestOf } from "./digest";
import { reasonText } from "./gates";

const REPORT = "a report as `deployment-control plan --format json` makes it";

/** Reads the output of `--format json`. If the report is faulty, throws an Error that names the path of the fault. */
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

/** One line per difference from the reviewed plans. No lines if the digests are the same. */
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
  const [reviewed, current] = [before, after].map(
    (report) => new Map(resourcesIn(report).map((each) => [each.urn, each])),
  );
  const lines = [...new Set([...resourcesIn(before), ...resourcesIn(after)].map(({ urn }) => urn))].flatMap(
    (urn) => resourceDifferences(reviewed?.get(urn), current?.get(urn)),
  );
  return lines.length > 0 ? lines : ["other resources: not the reviewed operations, services or values"];
}

/** One line with the facts about the resource that are new or no longer true; no line if nothing changed. */
function resourceDifferences(
  before: ResourceReport | undefined,
  after: ResourceReport | undefined,
): string[] {
  // A preview may leave out an unchanged resource.
  const areBoth = before !== undefined && after !== undefined;
  const [was, is] = [before, after].map((report) => factsOf(report, areBoth));
  const words = [
    ...(was ?? []).filter((fact) => !is?.includes(fact)).map((fact) => `no longer ${fact}`),
    ...(is ?? []).filter((fact) => !was?.includes(fact)).map((fact) => `now ${fact}`),
  ];
  return words.length === 0 ? [] : [`${labelIn((before ?? after)?.urn ?? "")}: ${words.join("; ")}`];
}

/** The facts on which the digest depends, in words. */
function factsOf(report: ResourceReport | undefined, areAll: boolean): string[] {
  if (report === undefined) return ["unchanged"];
  const { urn, name, verdict, reasons, ...more } = decisiveIn(report);
  return [
    verdict,
    ...reasons.map(reasonText),
    ...Object.entries(areAll ? more : {}).map(
      ([field, value]) => `${field} ${escapeControls(textOf(value))}`,
    ),
  ];
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
