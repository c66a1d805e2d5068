/** Shows a deployment's revisions as a table or as JSON. Callers mask the secrets that a service may quote. */

import { labelOf } from "../../provider/diff/describe";
import type { Difference } from "../../provider/schema/compare";
import { isAbsent, type Properties, UNKNOWN } from "../../provider/schema/value";
import { SECRET, UNKNOWN_VALUE } from "../report/model";
import { reportJson, visible } from "../report/render/escape";
import { aligned } from "../report/render/terminal";
import { valueText } from "../report/valueText";
import type { History, Revision } from "./history";

export const REVISION_FORMATS: {
  readonly [F in "text" | "json"]: (history: History) => string;
} = { text, json };

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

const durationOr = (seconds: number | undefined): string => (seconds === undefined ? "-" : duration(seconds));

function cellsOf(revision: Revision, back: number, { now }: History): string[] {
  const { id, createdAt, status, seconds, serves, provedItself } = revision;
  const age = createdAt === undefined ? undefined : Math.max(0, now - createdAt) / 1000;
  const notes = [...(serves ? ["serves"] : []), ...(provedItself ? ["last good"] : [])];
  return [String(back), id, durationOr(age), status, durationOr(seconds), notes.join(", ")];
}

const SAME = "no other settings; variables, other arguments and a repetition are not shown by a revision";

const titleOf = ({ name, deployment: { id } }: History): string => `${labelOf("deployment", name)} (${id})`;

function text(history: History): string {
  const { revisions } = history;
  const cells = revisions.map((revision, back) => cellsOf(revision, back, history).map(visible));
  const [heading = "", ...lines] = aligned([[...HEADINGS], ...cells]);
  const body = revisions.flatMap((revision, index) => [
    lines[index] as string,
    ...revision.changes.map((change) => `      ${visible(changeLine(change, history))}`),
    ...(revision.changes.length > 0 ? [] : [`      ${revision.isFirst ? "the first revision" : SAME}`]),
    ...(revision.reason === undefined ? [] : [`      the service says: ${visible(revision.reason)}`]),
  ]);
  return `${[visible(titleOf(history)), "", heading, ...body].join("\n")}\n`;
}

/** Times are in ISO 8601. Durations are in seconds. A time or duration that the service does not show is null. */
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
