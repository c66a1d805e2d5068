/** `deployment-control plan`: the report of previews, its gates, and what became of it. */
import { writeFileSync } from "node:fs";
import { plain } from "../../provider/fields/words";
import { differencesBetween, reportsIn } from "../report/judge/expect";
import { offencesIn, strangersIn } from "../report/judge/gates";
import { judge } from "../report/judge/judge";
import { resultOf } from "../report/judge/result";
import type { Report, Result } from "../report/model";
import { type Events, eventsIn } from "../report/read/events";
import { type Preview, previewsIn } from "../report/read/preview";
import { FORMATS, terminalOptions } from "../report/show/formats";
import { BadInput, type Command } from "./command";
import { PLAN_USAGE, type PlanOptions, readPlanFlags } from "./planFlags";
import { nameOf, textIn } from "./planInput";

export const planCommand: Command = {
  run: runPlan,
};

/** Exit codes: 2 when a gate fails; 1 (as for bad input) when the preview itself had failed. */
async function runPlan(args: readonly string[]): Promise<void> {
  const options = readPlanFlags(args, process.env);
  if (options === "help") {
    process.stdout.write(PLAN_USAGE);
    return;
  }
  const reports = await reportsOf(options);
  const reviewed =
    options.expect === undefined
      ? undefined
      : reportsIn(await textIn(options.expect), nameOf(options.expect));
  const results = options.results.length === 0 ? undefined : await resultsOf(reports, options.results);
  write(options, results === undefined ? shownReports(options, reports) : shownResults(options, results));
  const unknown = strangersIn(reports, options.allow);
  if (unknown.length > 0) complain([`--allow: no plan has ${unknown.map(plain).join(", ")}`]);
  const failures = [
    ...offencesIn(reports, options),
    ...(reviewed === undefined ? [] : unlikeReviewed(reviewed, reports)),
    ...wrongIn(results ?? []),
  ];
  if (failures.length > 0) fail(2, failures);
  const failed = reports.filter(({ failure }) => failure !== null);
  if (failed.length > 0)
    fail(
      1,
      failed.map(({ stack, failure }) => `${plain(stack)}: the preview failed: ${plain(failure ?? "")}`),
    );
}

function complain(lines: readonly string[]): void {
  process.stderr.write(lines.map((line) => `${line}\n`).join(""));
}

function fail(code: number, lines: readonly string[]): void {
  complain(lines);
  process.exitCode = code;
}

async function reportsOf({ files, profile }: PlanOptions): Promise<Report[]> {
  const reports: Report[] = [];
  for (const file of files.length === 0 ? ["-"] : files) {
    for (const preview of previewsIn(await textIn(file), nameOf(file)))
      reports.push(reportOf(preview, profile));
  }
  const twice = reports.find(
    ({ stack }, index) => reports.findIndex((other) => other.stack === stack) !== index,
  );
  if (twice !== undefined)
    throw new BadInput(`two of the previews are of the same stack, ${plain(twice.stack)}`);
  return reports;
}

function reportOf(preview: Preview, profile: string | undefined): Report {
  try {
    return judge(preview, { profile });
  } catch (error) {
    throw new BadInput(`${preview.source}: ${(error as Error).message}`);
  }
}

async function resultsOf(reports: readonly Report[], files: readonly string[]): Promise<Result[]> {
  const ups: { file: string; events: Events }[] = [];
  for (const file of files) ups.push({ file, events: eventsIn(await textIn(file), nameOf(file)) });
  const stray = ups.find(({ events }) => eventsFor(reports, events) === undefined);
  if (stray !== undefined) {
    throw new BadInput(
      `${nameOf(stray.file)}: is of the stack ${stray.events.stack}, of which no preview is given`,
    );
  }
  return ups.map(({ events }) => resultOf(eventsFor(reports, events) as Report, events));
}

function eventsFor(reports: readonly Report[], { stack }: Events): Report | undefined {
  return stack === undefined && reports.length === 1
    ? reports[0]
    : reports.find((report) => report.stack === stack);
}

/** One stack is one object, several are an array. */
function json(values: readonly unknown[]): string {
  return `${JSON.stringify(values.length === 1 ? values[0] : values, null, 2)}\n`;
}

function shownReports({ format, out }: PlanOptions, reports: readonly Report[]): string {
  return format === "json" ? json(reports) : FORMATS[format].plan(reports, terminal(out));
}

function shownResults({ format, out }: PlanOptions, results: readonly Result[]): string {
  return format === "json" ? json(results) : FORMATS[format].result(results, terminal(out));
}

function terminal(out: string | undefined) {
  return out === undefined ? terminalOptions(process.stdout, process.env) : {};
}

function write({ out }: PlanOptions, text: string): void {
  if (out === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    writeFileSync(out, text);
  } catch (error) {
    throw new BadInput(`--out ${out}: cannot be written: ${(error as Error).message}`);
  }
}

function unlikeReviewed(reviewed: readonly Report[], reports: readonly Report[]): string[] {
  const differences = differencesBetween(reviewed, reports);
  return differences.length === 0
    ? []
    : ["--expect: the plan is no longer the one that was reviewed", ...differences];
}

function wrongIn(results: readonly Result[]): string[] {
  return results.flatMap(({ stack, outcomes }) =>
    outcomes
      .filter(({ right }) => right === false)
      .map(
        ({ name, predicted, happened }) =>
          `${plain(stack)}: deployment "${plain(name)}": planned ${predicted}, but: ${happened}`,
      ),
  );
}
