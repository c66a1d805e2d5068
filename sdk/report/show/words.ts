/** What every format says alike: the headline, and the verdicts in words. */
import {
  byUrgency,
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
  const words = answered(reports);
  // What a failed preview did not come to could still move traffic.
  if (reports.some(({ failure }) => failure !== null))
    return `The preview failed. As far as it came: ${words}`;
  const isRefused = reports.some(({ refusals }) => refusals !== undefined);
  return isRefused ? `The up would fail. As far as it comes: ${words}` : words;
}

function answered(reports: readonly Report[]): string {
  const lost = lossesIn(reports).join(" and ");
  const { newRevision, replace, mayCreateRevision, ...calm } = total(reports);
  const then = (words: string, link: "and" | "but") => (lost === "" ? words : `${words}, ${link} ${lost}`);
  if (newRevision + replace > 0) return then("Traffic moves to newly built revisions", "and");
  if (mayCreateRevision > 0) return then("Traffic may move to newly built revisions", "and");
  if (calm.delete > 0)
    return then("No traffic moves to a new revision, but deployments leave the stack", "and");
  return then(unmoved(calm, reports), "but");
}

function unmoved(
  { create, inPlace }: Pick<Summary, "create" | "inPlace">,
  reports: readonly Report[],
): string {
  if (create > 0) return "No running traffic moves";
  const listeners = reports.flatMap((report) => report.listeners).filter(isChanged);
  if (inPlace > 0)
    return listeners.every(({ verdict }) => verdict === "in-place")
      ? "No traffic moves, every change is made in place"
      : "No traffic moves, deployments change in place";
  const others = reports.flatMap((report) => report.others);
  const moves = others.some((other) => other.create + other.update + other.replace + other.delete > 0);
  return listeners.length > 0 || moves ? "No deployment changes" : "Nothing changes";
}

/** What the service or the stack loses beside deployments that the program removes or replaces. */
function lossesIn(reports: readonly Report[]): string[] {
  const listeners = reports.flatMap((report) => report.listeners).filter(({ fate }) => fate === "deleted");
  const perhaps = listeners.every(({ otherwise }) => otherwise !== undefined) ? "may be" : "is";
  const leftovers = reports
    .flatMap(({ deployments }) => deployments)
    .reduce((count, { leftovers: own = [] }) => count + own.length, 0);
  const verb = listeners.length > 1 && perhaps === "is" ? "are" : perhaps;
  return [
    ...(listeners.length > 0 ? [`${numberOf(listeners.length, "listener")} ${verb} deleted`] : []),
    ...(leftovers > 0
      ? [`${numberOf(leftovers, "old deployment")} of earlier replacements ${leftovers > 1 ? "go" : "goes"}`]
      : []),
  ];
}

/** The first line of every format. */
export const headline = (reports: readonly Report[]): string =>
  `${answer(reports)}: ${[counts(total(reports)), ...listenerCounts(reports)].join("; ")}`;

/** `listeners: 1 replaced`, of those that change. */
function listenerCounts(reports: readonly Report[]): string[] {
  const labels = byUrgency(reports.flatMap(({ listeners }) => listeners).filter(isChanged)).map((listener) =>
    labelOf({ ...listener, fate: null }),
  );
  const parts = [...new Set(labels)].map(
    (label) => `${labels.filter((other) => other === label).length} ${label}`,
  );
  return parts.length === 0 ? [] : [`listeners: ${parts.join(", ")}`];
}

export const isChanged = ({ verdict }: { readonly verdict: ReportVerdict }): boolean =>
  verdict !== "unchanged";

/** What becomes on the service of one that the program no longer declares. */
const GIVEN_UP: { readonly [F in NonNullable<DeploymentReport["fate"]>]: string } = {
  retained: "removed, goes on running",
  deleted: "deleted",
  refused: "removal refused",
};

/** The verdict on one deployment in words: what a program no longer declares may go on running all the same. */
export function labelOf({
  verdict,
  fate,
  otherwise,
}: Pick<DeploymentReport, "verdict" | "fate" | "otherwise">): string {
  if (verdict === "delete" && fate !== null) return GIVEN_UP[fate];
  const { label } = VERDICT_WORDS[verdict];
  if (otherwise === undefined) return label;
  return verdict === "new-revision" ? `${label}, may be replaced` : "may be replaced";
}

const REMARKS = {
  /** On one that the program no longer declares. */
  delete: {
    retained: "removed from the program, goes on running on the service, unmanaged",
    deleted: "deleted on the service",
    refused: "refused: the up will fail",
  },
  /** On the one that a replacement takes the place of. */
  replace: {
    retained: "the old one goes on running, unmanaged",
    deleted: "the old one is deleted on the service",
    refused: "refused: the up will fail",
  },
} as const;

type GivenUp = Pick<DeploymentReport, "verdict" | "fate" | "otherwise">;

/** What becomes of the one on the service, beside the verdict. */
export function fateRemarks({ verdict, fate, otherwise }: GivenUp): string[] {
  if (fate === null) return [];
  const remark = REMARKS[verdict === "delete" ? "delete" : "replace"][fate];
  if (otherwise === undefined) return [remark];
  return [`if it is replaced: ${remark}`, `if not: ${VERDICT_WORDS[otherwise].label}`];
}

/** The last part of a type token: `Deployment` of `pulumi-nodejs:dynamic/deployment-control:Deployment`. */
export const shortType = (type: string): string => type.slice(type.lastIndexOf(":") + 1);

/** `1 deployment`, `2 deployments`. */
export const numberOf = (count: number, thing: string): string =>
  `${count} ${thing}${count === 1 ? "" : "s"}`;
