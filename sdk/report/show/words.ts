/** What every format says alike: the headline, the verdicts in words, which changes make a revision, values in a line. */

import {
  byUrgency,
  COUNTED_AS,
  type DeploymentReport,
  type OtherResources,
  type Reason,
  type Report,
  type ReportVerdict,
  SECRET,
  type Summary,
  summaryOf,
  UNKNOWN_VALUE,
} from "../model";
import { cut } from "./escape";

/** Options of the formats; each takes what concerns it. */
export interface FormatOptions {
  /** Colours for a terminal; none unless set. Of the text format only. */
  readonly colour?: boolean;
  /** Columns of the terminal; lines are not cut unless set. Of the text format only. */
  readonly width?: number;
  /** Most bytes of the Markdown format: 65,535 unless set, which is what fits a comment on GitHub. */
  readonly limit?: number;
}

export interface VerdictWords {
  /** Says the verdict where colour does not. */
  readonly sign: string;
  readonly label: string;
  /** In the headline, after the number. */
  readonly counted: (count: number) => string;
}

const same = (words: string) => () => words;

export const VERDICT_WORDS: { readonly [V in ReportVerdict]: VerdictWords } = {
  replace: { sign: "±", label: "replaced", counted: same("replaced") },
  // Whether the service deletes it too is said of each one.
  delete: { sign: "−", label: "removed", counted: same("removed") },
  "new-revision": {
    sign: "▲",
    label: "new revision",
    counted: (count) => (count === 1 ? "new revision" : "new revisions"),
  },
  "may-create-revision": {
    sign: "△",
    label: "may create a revision",
    counted: same("may create one"),
  },
  create: { sign: "+", label: "created", counted: same("created") },
  "in-place": { sign: "~", label: "in place", counted: same("in place") },
  unchanged: { sign: "=", label: "unchanged", counted: same("unchanged") },
};

/** In the headline revisions come first: they are what the report is asked about. */
const COUNT_ORDER: readonly ReportVerdict[] = [
  "new-revision",
  "may-create-revision",
  "replace",
  "delete",
  "create",
  "in-place",
  "unchanged",
];

export function total(reports: readonly Report[]): Summary {
  const sum = summaryOf([]);
  for (const { summary } of reports)
    for (const key of Object.keys(sum) as (keyof Summary)[]) sum[key] += summary[key];
  return sum;
}

/** `2 new revisions, 1 may create one, 3 in place, 12 unchanged`. */
export function counts(summary: Summary): string {
  const parts = COUNT_ORDER.filter((verdict) => summary[COUNTED_AS[verdict]] > 0).map((verdict) => {
    const count = summary[COUNTED_AS[verdict]];
    return `${count} ${VERDICT_WORDS[verdict].counted(count)}`;
  });
  return parts.length > 0 ? parts.join(", ") : "no deployments";
}

/** Answers whether users' traffic will be moved to a newly built revision. */
export function answer(reports: readonly Report[]): string {
  if (reports.length === 0) return "No stacks";
  const summary = total(reports);
  const failed = reports.some(({ failure }) => failure !== null);
  // What a failed preview did not come to could still move traffic.
  return failed ? `The preview failed. As far as it came: ${moved(summary)}` : moved(summary);
}

function moved(summary: Summary): string {
  if (summary.newRevision + summary.replace > 0) return "Traffic moves to newly built revisions";
  if (summary.mayCreateRevision > 0) return "Traffic may move to newly built revisions";
  if (summary.delete > 0) return "No traffic moves to a new revision, but deployments leave the stack";
  if (summary.create > 0) return "No running traffic moves";
  if (summary.inPlace > 0) return "No traffic moves, every change is made in place";
  return "Nothing changes";
}

/** The first line of every format. */
export const headline = (reports: readonly Report[]): string =>
  `${answer(reports)}: ${counts(total(reports))}`;

export const isChanged = ({ verdict }: { readonly verdict: ReportVerdict }): boolean =>
  verdict !== "unchanged";

/** What the up changes, the most urgent first. */
export const changedIn = ({ deployments, listeners }: Report) => ({
  changed: byUrgency(deployments).filter(isChanged),
  listeners: listeners.filter(isChanged),
});

const REVISING: readonly Reason["effect"][] = ["replace", "new-revision", "may-create-revision"];
const weight = ({ effect }: Reason): number => (REVISING.indexOf(effect) + REVISING.length) % REVISING.length;

/** The changes that make, or may make, a revision, and those that do not. */
export function parts(reasons: readonly Reason[]): { makes: Reason[]; not: Reason[] } {
  const makes = reasons.filter(({ effect }) => REVISING.includes(effect));
  return {
    makes: makes.sort((one, other) => weight(one) - weight(other)),
    not: reasons.filter(({ effect }) => !REVISING.includes(effect)),
  };
}

/** Those that decided the verdict; all of them where none stands out. */
export function deciding({ reasons }: Pick<DeploymentReport, "reasons">): Reason[] {
  const { makes, not } = parts(reasons);
  return makes.length > 0 ? makes : not;
}

export const EFFECTS: { readonly [E in Reason["effect"]]: string } = {
  replace: "replaces",
  "new-revision": "new revision",
  "may-create-revision": "may create a revision",
  "in-place": "in place",
  kept: "kept by the service",
};

const LONGEST = 2_000;

/** A value in one line: simple texts as they are, everything else as JSON. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return "(not set)";
  if (value === SECRET || value === UNKNOWN_VALUE) return value;
  const simple = typeof value === "string" && /^[^\s"'(){}[\];]+$/u.test(value);
  const line = simple ? value : (JSON.stringify(value) ?? String(value));
  return line.length > LONGEST ? `${cut(line, LONGEST)} (${line.length} characters)` : line;
}

/** `registry.example.com/chat:1.0.0 → registry.example.com/chat:1.1.0`, already in one line but not escaped. */
export const beforeAfter = ({ before, after, effect }: Reason): [string, string] => [
  valueText(before),
  effect === "kept" ? `${valueText(before)} (kept)` : valueText(after),
];

/** `+EXTRA`, `~OPENAI_API_KEY`, `−OLD`: names only, of those that no change tells of already. */
export function secretNames({ secrets, reasons }: Pick<DeploymentReport, "secrets" | "reasons">): string[] {
  const shown = new Set(reasons.map(({ path }) => path));
  const named = (sign: string, names: readonly string[]) =>
    names.filter((name) => !shown.has(`secrets.${name}`)).map((name) => `${sign}${name}`);
  return [...named("+", secrets.added), ...named("~", secrets.changed), ...named("−", secrets.removed)];
}

type Fate = NonNullable<DeploymentReport["fate"]>;

/** What becomes on the service of one that the program no longer declares. */
const GIVEN_UP: { readonly [F in Fate]: { readonly label: string; readonly remark: string } } = {
  retained: {
    label: "removed, goes on running",
    remark: "removed from the program, goes on running on the service, unmanaged",
  },
  deleted: { label: "deleted", remark: "deleted on the service" },
  refused: { label: "removal refused", remark: "onDestroy refuses it: the up will fail" },
};

/** What becomes of the one on the service that a replacement takes the place of. */
const REPLACED: { readonly [F in Fate]: string } = {
  retained: "the old one goes on running, unmanaged",
  deleted: "the old one is deleted on the service",
  refused: "onDestroy refuses it: the up will fail",
};

/** The verdict on one deployment in words: what a program no longer declares may go on running all the same. */
export const labelOf = ({ verdict, fate }: Pick<DeploymentReport, "verdict" | "fate">): string =>
  verdict === "delete" && fate !== null ? GIVEN_UP[fate].label : VERDICT_WORDS[verdict].label;

/** What there is to say beside the changes: what becomes of the old one, and a failure before. */
export const remarks = ({ verdict, fate, previousFailure }: DeploymentReport): string[] => [
  ...(fate === null ? [] : [verdict === "delete" ? GIVEN_UP[fate].remark : REPLACED[fate]]),
  ...(previousFailure ? ["its last update failed or was cut short"] : []),
];

/** The unchanged in one line, those among them that the preview does not list; null when there are none. */
export function unchangedText({ summary, unlisted }: Report): string | null {
  const known = summary.unchanged > 0 ? [`${numberOf(summary.unchanged, "deployment")} unchanged`] : [];
  const hidden = `${numberOf(unlisted, "unchanged resource")} not listed by the preview (--show-sames lists them)`;
  const all = unlisted > 0 ? [...known, hidden] : known;
  return all.length > 0 ? all.join("; ") : null;
}

/** `3 → 4`; null where the number says nothing more than the verdict. */
export function generationText({ verdict, generation: { before, after } }: DeploymentReport): string | null {
  if (before === null || before === after || verdict === "delete") return null;
  return `${before} → ${after ?? "unknown"}`;
}

/** The last part of a type token: `Deployment` of `pulumi-nodejs:dynamic/deployment-control:Deployment`. */
export const shortType = (type: string): string => type.slice(type.lastIndexOf(":") + 1);

const OPERATIONS = ["replace", "delete", "create", "update", "unchanged"] as const;

/** `aws:s3/bucket:Bucket: 1 create, 2 unchanged`, one per type; those with a change first. */
export function othersLines(others: readonly OtherResources[]): string[] {
  const moving = (other: OtherResources) => other.create + other.update + other.replace + other.delete;
  return [...others]
    .sort((one, other) => Number(moving(other) > 0) - Number(moving(one) > 0))
    .map((other) => {
      const found = OPERATIONS.filter((operation) => other[operation] > 0);
      return `${other.type}: ${found.map((operation) => `${other[operation]} ${operation}`).join(", ")}`;
    });
}

export interface PlacedWarning {
  /** Null: of the stack as a whole. */
  readonly of: string | null;
  readonly text: string;
}

/** The failure first, then those of the stack, then of each deployment and listener by urgency. */
export function allWarnings(report: Report): PlacedWarning[] {
  const placed = [...byUrgency(report.deployments), ...report.listeners].flatMap(({ name, warnings }) =>
    warnings.map((text) => ({ of: name, text })),
  );
  const failure =
    report.failure === null ? [] : [{ of: null, text: `the preview failed: ${report.failure}` }];
  return [...failure, ...report.warnings.map((text) => ({ of: null, text })), ...placed];
}

/** `1 deployment`, `2 deployments`. */
export const numberOf = (count: number, thing: string): string =>
  `${count} ${thing}${count === 1 ? "" : "s"}`;
