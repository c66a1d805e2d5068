/** What every format says alike: the headline, and the verdicts in words. */
import {
  COUNTED_AS,
  type DeploymentReport,
  type Report,
  type ReportVerdict,
  type Summary,
  summaryOf,
} from "../model";

/** Options of the formats; each takes what concerns it. */
export interface FormatOptions {
  /** Colours for a terminal; none unless set. Of the text format only. */
  readonly colour?: boolean;
  /** Columns of the terminal; lines are not cut unless set. Of the text format only. */
  readonly width?: number;
  /** Most bytes of the Markdown format: 65,535 unless set, which is what fits a comment on GitHub. */
  readonly limit?: number;
}

/** `sign` says the verdict where colour does not. */
export const VERDICT_WORDS: { readonly [V in ReportVerdict]: { sign: string; label: string } } = {
  replace: { sign: "±", label: "replaced" },
  // Whether the service deletes it too is said of each one.
  delete: { sign: "−", label: "removed" },
  "new-revision": { sign: "▲", label: "new revision" },
  "may-create-revision": { sign: "△", label: "may create a revision" },
  create: { sign: "+", label: "created" },
  "in-place": { sign: "~", label: "in place" },
  unchanged: { sign: "=", label: "unchanged" },
};

/** The verdict after a number: in `2 new revisions, 1 may create one`. */
export function countedAs(verdict: ReportVerdict, count: number): string {
  if (verdict === "may-create-revision") return "may create one";
  return verdict === "new-revision" && count !== 1 ? "new revisions" : VERDICT_WORDS[verdict].label;
}

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
    return `${count} ${countedAs(verdict, count)}`;
  });
  return parts.length > 0 ? parts.join(", ") : "no deployments";
}

/** Answers whether users' traffic will be moved to a newly built revision. */
export function answer(reports: readonly Report[]): string {
  if (reports.length === 0) return "No stacks";
  const summary = total(reports);
  const failed = reports.some(({ failure }) => failure !== null);
  // What a failed preview did not come to could still move traffic.
  if (failed) return `The preview failed. As far as it came: ${moved(summary)}`;
  const isRefused = reports.some(({ refusals }) => refusals !== undefined);
  return isRefused ? `The up would fail. As far as it comes: ${moved(summary)}` : moved(summary);
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

/** What becomes on the service of one that the program no longer declares. */
const GIVEN_UP: { readonly [F in NonNullable<DeploymentReport["fate"]>]: string } = {
  retained: "removed, goes on running",
  deleted: "deleted",
  refused: "removal refused",
};

/** The verdict on one deployment in words: what a program no longer declares may go on running all the same. */
export const labelOf = ({ verdict, fate }: Pick<DeploymentReport, "verdict" | "fate">): string =>
  verdict === "delete" && fate !== null ? GIVEN_UP[fate] : VERDICT_WORDS[verdict].label;

/** The last part of a type token: `Deployment` of `pulumi-nodejs:dynamic/deployment-control:Deployment`. */
export const shortType = (type: string): string => type.slice(type.lastIndexOf(":") + 1);

/** `1 deployment`, `2 deployments`. */
export const numberOf = (count: number, thing: string): string =>
  `${count} ${thing}${count === 1 ? "" : "s"}`;
