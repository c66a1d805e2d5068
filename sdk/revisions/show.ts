/** Shows a deployment's revisions as a table, in each format. Callers mask the secrets that a service may quote. */

import { labelOf } from "../../provider/diff/describe";
import type { Difference } from "../../provider/schema/compare";
import { isAbsent, type Properties, UNKNOWN } from "../../provider/schema/value";
import { SECRET, UNKNOWN_VALUE } from "../report/model";
import { cellCode, prose, reportJson, visible } from "../report/render/escape";
import { aligned } from "../report/render/terminal";
import { valueText } from "../report/valueText";
import type { History, Revision } from "./history";

export const REVISION_FORMATS: {
  readonly [F in "text" | "markdown" | "json"]: (history: History) => string;
} = { text, markdown, json };

const HEADINGS = ["back", "revision", "age", "status", "took", "notes"] as const;

/** A change in one line, such as `sourceRevisionConfig.imageUri: a:1 -> a:2`, with secret values masked. */
export function changeLine(change: Difference, history: History): string {
  const { path, before, after } = shownChange(change, history);
  return `${path}: ${valueText(before)} -> ${valueText(after)}`;
}

export function shownChange({ path, before, after }: Difference, history: History) {
  return { path, before: shownAt(path, before, history), after: shownAt(path, after, history) };
}

function shownAt(path: string, value: unknown, { hidden }: History): unknown {
  if (isAbsent(value)) return null;
  return hidden(path) ? SECRET : value === UNKNOWN ? UNKNOWN_VALUE : value;
}

function shownSettings({ settings = {} }: Revision, history: History): Properties {
  const members = Object.entries(settings).map(([name, value]) => [
    name,
    shownAt(`sourceRevisionConfig.${name}`, value, history),
  ]);
  return Object.fromEntries(members);
}

const UNITS = [
  [86_400, "days"],
  [3600, "h"],
  [60, "min"],
] as const;

/** A duration in words, such as `90 s`, `4 min`, `3 h` or `12 days`. */
export function duration(seconds: number): string {
  const [size, unit] = UNITS.find(([size]) => seconds >= 2 * size) ?? [1, "s"];
  return `${Math.round(seconds / size)} ${unit}`;
}

const tookOf = ({ seconds }: Revision): string => (seconds === undefined ? "-" : duration(seconds));

const ageOf = ({ createdAt }: Revision, { now }: History): string =>
  createdAt === undefined ? "-" : duration(Math.max(0, now - createdAt) / 1000);

const marksOf = ({ serves, provedItself }: Revision): string =>
  [...(serves ? ["serves"] : []), ...(provedItself ? ["last good"] : [])].join(", ");

const cellsOf = (revision: Revision, back: number, history: History): string[] => [
  String(back),
  revision.id,
  ageOf(revision, history),
  revision.status,
  tookOf(revision),
  marksOf(revision),
];

const titleOf = ({ name, deployment: { id } }: History): string => `${labelOf("deployment", name)} (${id})`;

const detailsOf = ({ changes, reason }: Revision, history: History): string[] => [
  ...changes.map((change) => changeLine(change, history)),
  ...(reason === undefined ? [] : [`the service says: ${reason}`]),
];

function text(history: History): string {
  const { revisions } = history;
  const cells = revisions.map((revision, back) => cellsOf(revision, back, history).map(visible));
  const [heading = "", ...lines] = aligned([[...HEADINGS], ...cells]);
  const body = revisions.flatMap((revision, index) => [
    lines[index] as string,
    ...detailsOf(revision, history).map((line) => `      ${visible(line)}`),
  ]);
  return `${[visible(titleOf(history)), "", heading, ...body].join("\n")}\n`;
}

function markdown(history: History): string {
  const cells = [...HEADINGS, "changed from the one before"];
  const rows = history.revisions.map((revision, back) => {
    const [number = "", id = "", age, status = "", took, notes] = cellsOf(revision, back, history);
    const details = detailsOf(revision, history).map(cellCode).join("<br>");
    return `| ${[number, cellCode(id), age, cellCode(status), took, notes, details].join(" | ")} |`;
  });
  return `${[prose(titleOf(history)), "", `| ${cells.join(" | ")} |`, `|${" --- |".repeat(cells.length)}`, ...rows].join("\n")}\n`;
}

/** The history as JSON: times in ISO 8601, durations in seconds; null if the service does not show them. */
function json(history: History): string {
  const { deployment, name, revisions } = history;
  const document = {
    schemaVersion: 1,
    urn: deployment.urn,
    name,
    id: deployment.id,
    revisions: revisions.map((revision) => ({
      id: revision.id,
      status: revision.status,
      createdAt: revision.createdAt === undefined ? null : new Date(revision.createdAt).toISOString(),
      seconds: revision.seconds ?? null,
      reason: revision.reason ?? null,
      serves: revision.serves,
      provedItself: revision.provedItself,
      sourceRevisionConfig: shownSettings(revision, history),
      changes: revision.changes.map((change) => shownChange(change, history)),
    })),
  };
  return reportJson([document]);
}
