/** The recorded plans and results, and their reports. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { evaluate } from "../../sdk/report/evaluate/evaluate";
import { resultOf } from "../../sdk/report/evaluate/result";
import type { DeploymentReport, Report, Result } from "../../sdk/report/model";
import { eventsIn } from "../../sdk/report/read/events";
import { type Preview, previewIn } from "../../sdk/report/read/preview";

const GOLDENS = path.join(__dirname, "..", "goldens");

export const NAMES = readdirSync(path.join(GOLDENS, "previews"))
  .filter((file) => file.endsWith(".json"))
  .map((file) => file.replace(/\.json$/, ""));

export function fileOf(folder: "previews" | "reports" | "results", file: string): string {
  return path.join(GOLDENS, folder, file);
}

export function textOf(name: string): string {
  return readFileSync(fileOf("previews", `${name}.json`), "utf8");
}

const previews = new Map<string, Preview>();

/** The recorded plan of that name. */
export function previewOf(name: string): Preview {
  const preview = previews.get(name) ?? previewIn(textOf(name), `${name}.json`);
  previews.set(name, preview);
  return preview;
}

const reports = new Map<string, Report>();

/** The report on the recorded plan of that name. Tests share the report, so no test may change it. */
export function reportOf(name: string): Report {
  const report = reports.get(name) ?? evaluate(previewOf(name));
  reports.set(name, report);
  return report;
}

/** The events of the recorded `pulumi up` with that name, as the CLI prints them or as it logs them. */
export const eventsOf = (name: string, kind: "up" | "events" = "up"): string =>
  readFileSync(fileOf("results", `${name}.${kind}.jsonl`), "utf8");

/** The result of the recorded `pulumi up` with that name. `events` may replace the recorded events. */
export const resultOfRecorded = (name: string, events = eventsOf(name)): Result =>
  resultOf(reportOf(name), eventsIn(events, name), previewOf(name));

/** The JSON text of a preview that changes nothing, and lists no resource. */
export const nothing = (): string =>
  changed("inPlace", (document) => {
    document.steps.length = 1;
    document.diagnostics = [];
    document.changeSummary = { same: 3 };
  });

export function deploymentIn(report: Report, name: string): DeploymentReport {
  const deployment = report.deployments.find((each) => each.name === name);
  if (deployment === undefined) throw new Error(`the report has no deployment ${name}`);
  return deployment;
}

// biome-ignore lint/suspicious/noExplicitAny: tests change any field.
export type Loose = any;

/** The JSON text of the recorded preview after `change` has edited the document. */
export function changed(name: string, change: (document: Loose) => unknown): string {
  const document = JSON.parse(textOf(name));
  change(document);
  return JSON.stringify(document);
}

/** The report on the recorded preview after `change` has edited the document. */
export const reportAfter = (name: string, change: (document: Loose) => unknown, profile?: string): Report =>
  evaluate(previewIn(changed(name, change), name), profile);

/** The changes in the step's recorded plan. A test may edit these changes. */
export const plannedIn = (document: Loose, name: string): Loose[] =>
  stepOf(document, name).newState.inputs.__plan.changes;

/** The preview's step for the resource with that name. */
export function stepOf(document: Loose, name: string): Loose {
  return document.steps.find((step: { urn: string }) => step.urn.endsWith(`::${name}`));
}
