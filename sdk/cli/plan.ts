/** `deployment-control plan`: reports previews, checks gates, and compares plans with their results. */
import { escapeControls } from "../../provider/schema/words";
import { evaluate } from "../report/evaluate/evaluate";
import { differencesBetween, digestMismatches, reportsIn } from "../report/evaluate/expect";
import { offencesIn } from "../report/evaluate/gates";
import { resultOf } from "../report/evaluate/result";
import type { Outcome, Report, Result } from "../report/model";
import { eventsIn } from "../report/read/events";
import { kindOf } from "../report/read/lines";
import { type Preview, previewIn } from "../report/read/preview";
import { reportJson } from "../report/render/escape";
import { FORMATS, terminalOptions } from "../report/render/formats";
import { complain, nameOf, textIn, writeOutput } from "./input";
import { type PlanOptions, readPlanFlags } from "./planFlags";

/** Exit codes: 2 if a gate fails; 1 if the input is bad, the preview failed, or the update would fail. */
export async function runPlan(args: readonly string[]): Promise<void> {
  const options = readPlanFlags(args, process.env);
  if (options === undefined) return;
  const previews = await previewsOf(options);
  const reports = previews.map((preview) => reportOf(preview, options.profile));
  refuseDuplicates(reports);
  const { expect } = options;
  const reviewed = expect === undefined ? undefined : reportsIn(await pipedText(expect), nameOf(expect));
  const differences =
    reviewed === undefined ? [] : [...digestMismatches(reviewed), ...differencesBetween(reviewed, reports)];
  const results =
    options.results.length === 0 ? undefined : await resultsOf(reports, previews, options.results);
  writeOutput(render(options, reports, results), options.out);
  const failures = [
    ...offencesIn(reports, options),
    ...(differences.length > 0 ? ["--expect: the plan is no longer the one that was reviewed"] : []),
    ...differences,
    ...wrongPredictions(results ?? []),
  ];
  fail(2, failures);
  // A failed plan is handled last, because its exit code 1 replaces the gates' exit code 2.
  fail(1, reports.flatMap(planFailures));
}

function fail(code: number, lines: readonly string[]): void {
  if (lines.length === 0) return;
  lines.forEach(complain);
  process.exitCode = code;
}

const planFailures = ({ stack, failure, refusals = [] }: Report): string[] => [
  ...(failure === null ? [] : [`${stack}: the preview failed: ${failure}`]),
  ...refusals.map((refusal) => `${stack}: the update would fail: ${refusal}`),
];

/** Replaces an empty preview. `pulumi preview` prints nothing if, for example, a passphrase is missing. */
const SILENT = JSON.stringify({
  diagnostics: [{ severity: "error", message: "it printed nothing: the error message is on standard error" }],
});

async function previewsOf({ files }: PlanOptions): Promise<Preview[]> {
  const previews: Preview[] = [];
  for (const file of files) {
    const text = await pipedText(file);
    // With several stacks, an empty preview counts as failed, so the report still covers all other stacks.
    const isSilent = files.length > 1 && text.trim() === "";
    previews.push(previewIn(isSilent ? SILENT : text, nameOf(file)));
  }
  return previews;
}

function refuseDuplicates(reports: readonly Report[]): void {
  const duplicate = reports.find(
    ({ stack }, index) => reports.findIndex((sibling) => sibling.stack === stack) !== index,
  );
  if (duplicate !== undefined)
    throw new Error(`two previews are of the same stack, ${escapeControls(duplicate.stack)}`);
}

function reportOf(preview: Preview, profile: string | undefined): Report {
  try {
    return evaluate(preview, profile);
  } catch (error) {
    throw new Error(`${preview.source}: ${(error as Error).message}`);
  }
}

async function resultsOf(
  reports: readonly Report[],
  previews: readonly Preview[],
  files: readonly string[],
): Promise<Result[]> {
  const results: Result[] = [];
  for (const file of files) {
    const events = eventsIn(await pipedText(file), nameOf(file));
    if (events.hasDebug) complain(debugWarning(file));
    const isOnly = events.stack === undefined && reports.length === 1;
    const index = reports.findIndex(({ stack }) => isOnly || stack === events.stack);
    const [report, preview] = [reports[index], previews[index]];
    if (report === undefined || preview === undefined)
      throw new Error(`${nameOf(file)}: is of the stack ${events.stack}, but its preview is missing`);
    results.push(resultOf(report, events, preview));
  }
  return results;
}

const debugWarning = (file: string): string =>
  `${nameOf(file)}: holds events at debug level, in which the engine writes the values of secrets in plaintext: let nobody else read it, and delete it now`;

function render(
  { format, out }: PlanOptions,
  reports: readonly Report[],
  results: readonly Result[] | undefined,
): string {
  if (format === "json") return reportJson(results ?? reports);
  const options = out === undefined ? terminalOptions(process.stdout, process.env) : {};
  return results === undefined
    ? FORMATS[format].plan(reports, options)
    : FORMATS[format].result(results, options);
}

function wrongPredictions(results: readonly Result[]): string[] {
  return results.flatMap(({ stack, outcomes }) =>
    outcomes
      .filter(({ right }) => right === false)
      .flatMap((outcome) =>
        (outcome.differences ?? [wrongVerdict(outcome)]).map(
          (words) => `${stack}: ${kindOf(outcome.urn)} "${outcome.name}": ${words}`,
        ),
      ),
  );
}

const wrongVerdict = ({ predicted, happened }: Outcome): string => `planned ${predicted}, but: ${happened}`;

/** The contents of a file, or of standard input. Throws an Error for a terminal, because nobody types a preview. */
function pipedText(file: string): Promise<string> {
  if (file !== "-" || !process.stdin.isTTY) return textIn(file);
  throw new Error(
    "pass a file, or pipe the output of `pulumi preview --json` into this; see deployment-control plan --help",
  );
}
