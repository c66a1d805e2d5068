/** The words that all formats share: the headline and the verdicts. */
import { isLost } from "../../../provider/deployment/record";
import { byUrgency } from "../evaluate/order";
import {
  COUNTED_AS,
  type DeploymentReport,
  type OtherResources,
  type Report,
  type ReportVerdict,
  type Summary,
  summaryOf,
  VERDICTS,
} from "../model";

/** Options of the formats. Each format ignores options that only other formats have. */
export interface FormatOptions {
  /** Whether to color the text for a terminal; no colors by default. Only for text. */
  readonly color?: boolean;
  /** The number of columns to which lines are cut; by default, only very long lines are cut. Only for text. */
  readonly width?: number;
  /** Maximum length of the Markdown, in bytes; the default of 65,535 fits a comment on GitHub. */
  readonly limit?: number;
}

/** `sign` shows the verdict to readers who see no color. */
export const VERDICT_WORDS: { readonly [V in ReportVerdict]: { sign: string; label: string } } = {
  replace: { sign: "±", label: "replaced" },
  // A removed deployment's text also says whether the service deletes it.
  delete: { sign: "−", label: "removed" },
  "new-revision": { sign: "▲", label: "new revision" },
  "may-create-revision": { sign: "△", label: "may create a revision" },
  create: { sign: "+", label: "created" },
  "in-place": { sign: "~", label: "in place" },
  unchanged: { sign: "=", label: "unchanged" },
};

/** The verdict after a number, as in `2 new revisions, 1 may create one`. */
export function countedAs(verdict: ReportVerdict, count: number): string {
  if (verdict === "may-create-revision") return "may create one";
  return verdict === "new-revision" && count !== 1 ? "new revisions" : VERDICT_WORDS[verdict].label;
}

/** Revisions come first in the headline, because the report is about them. */
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

/** The counts in words, such as `2 new revisions, 1 may create one, 3 in place, 12 unchanged`. */
export function counts(summary: Summary): string {
  const parts = COUNT_ORDER.filter((verdict) => summary[COUNTED_AS[verdict]] > 0).map((verdict) => {
    const count = summary[COUNTED_AS[verdict]];
    return `${count} ${countedAs(verdict, count)}`;
  });
  return parts.length > 0 ? parts.join(", ") : "no deployments";
}

/** Tells whether users' traffic moves to a newly built revision. */
export function answer(reports: readonly Report[]): string {
  if (reports.length === 0) return "No stacks";
  const traffic = trafficAnswer(reports);
  // The heading of a failed preview must not reassure, because resources that the preview did not reach could still
  // move traffic.
  if (reports.some(({ failure }) => failure !== null)) {
    if (movesTraffic(reports)) return `The preview failed. As far as it got: ${traffic}`;
    return `The preview failed before it reached a change${reports.some(hasChanges) ? " of running traffic" : ""}`;
  }
  const isRefused = reports.some(({ refusals }) => refusals !== undefined);
  return isRefused ? `The update would fail. As far as it gets: ${traffic}` : traffic;
}

/** Whether the plan moves running traffic or may move it, or deletes a deployment or a listener. */
function movesTraffic(reports: readonly Report[]): boolean {
  const sum = total(reports);
  const moves = sum.newRevision + sum.mayCreateRevision + sum.replace + sum.delete > 0;
  return (
    moves || lossesIn(reports).length > 0 || reports.some(({ deployments }) => deployments.some(isUnderWay))
  );
}

/**
 * Whether the up waits for a revision that an earlier update began. When the earlier up's revision is ready, the service
 * moves the traffic to that revision, although this plan makes no revision.
 */
export function isUnderWay({ verdict, previousFailure, revisions }: DeploymentReport): boolean {
  const { latestId, latestStatus, activeId } = revisions;
  return (
    verdict === "in-place" &&
    previousFailure &&
    !isLost(latestStatus) &&
    latestId !== null &&
    latestId !== activeId
  );
}

function trafficAnswer(reports: readonly Report[]): string {
  const losses = lossesIn(reports).join(" and ");
  const { newRevision, replace, mayCreateRevision, ...rest } = total(reports);
  const withLosses = (words: string, link: "and" | "but") =>
    losses === "" ? words : `${words}, ${link} ${losses}`;
  if (newRevision + replace > 0) return withLosses("Traffic moves to newly built revisions", "and");
  if (mayCreateRevision > 0) return withLosses("Traffic may move to newly built revisions", "and");
  if (reports.some(({ deployments }) => deployments.some(isUnderWay)))
    return withLosses("Traffic moves to revisions that an earlier update began", "and");
  if (rest.delete > 0)
    return withLosses("No traffic moves to a new revision, but deployments leave the stack", "and");
  return withLosses(unmovedAnswer(rest, reports), "but");
}

function unmovedAnswer(
  { create, inPlace }: Pick<Summary, "create" | "inPlace">,
  reports: readonly Report[],
): string {
  if (create > 0) return "No running traffic moves";
  const listeners = reports.flatMap((report) => report.listeners).filter(isChanged);
  if (inPlace > 0)
    return listeners.every(({ verdict }) => verdict === "in-place")
      ? "No traffic moves, every change is made in place"
      : "No traffic moves, deployments change in place";
  return reports.some(hasChanges) ? "No deployment changes" : "Nothing changes";
}

/** Whether the plan changes anything in the stack. */
export const hasChanges = ({ deployments, listeners, others }: Report): boolean =>
  deployments.some(isChanged) || listeners.some(isChanged) || others.some(isMoving);

/** Whether the plan changes any resource of the type that `count` counts. */
export const isMoving = (count: OtherResources): boolean =>
  count.create + count.update + count.replace + count.delete > 0;

/** The first digits of the plan's digest, enough to tell two plans apart. */
export const shortDigest = (digest: string): string => digest.replace("sha256:", "").slice(0, 12);

/** Losses other than removed or replaced deployments: deleted listeners and leftovers. */
function lossesIn(reports: readonly Report[]): string[] {
  const listeners = reports.flatMap((report) => report.listeners).filter(({ fate }) => fate === "deleted");
  const perhaps = listeners.every(({ otherwise }) => otherwise !== undefined) ? "may be" : "is";
  const leftovers = reports
    .flatMap(({ deployments }) => deployments)
    .reduce((count, { leftovers: ids = [] }) => count + ids.length, 0);
  const verb = listeners.length > 1 && perhaps === "is" ? "are" : perhaps;
  return [
    ...(listeners.length > 0 ? [`${numberOf(listeners.length, "listener")} ${verb} deleted`] : []),
    ...(leftovers > 0
      ? [`${numberOf(leftovers, "old deployment")} of earlier replacements ${leftovers > 1 ? "go" : "goes"}`]
      : []),
  ];
}

/** The first line of every format. */
export function headline(reports: readonly Report[]): string {
  const sum = total(reports);
  const hasCounts = VERDICTS.some((verdict) => sum[COUNTED_AS[verdict]] > 0);
  const parts = [...(hasCounts ? [counts(sum)] : []), ...listenerCounts(reports)];
  return [answer(reports), ...(parts.length > 0 ? [parts.join("; ")] : [])].join(": ");
}

/** Counts of changed listeners, such as `listeners: 1 replaced`. */
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

/** The fate on the service of a deployment that the program no longer declares. */
const FATE_LABELS: { readonly [F in NonNullable<DeploymentReport["fate"]>]: string } = {
  retained: "removed, keeps running",
  deleted: "deleted",
  refused: "removal refused",
};

type FateFacts = Pick<DeploymentReport, "verdict" | "fate" | "otherwise">;

/** The verdict on one deployment in words. A deployment that the program no longer declares may still run. */
export function labelOf({ verdict, fate, otherwise }: FateFacts): string {
  if (verdict === "delete" && fate !== null) return FATE_LABELS[fate];
  const { label } = VERDICT_WORDS[verdict];
  if (otherwise === undefined) return label;
  return verdict === "new-revision" ? `${label}, may be replaced` : "may be replaced";
}

const REMARKS = {
  /** Remarks on a deployment that the program no longer declares. */
  delete: {
    retained: "removed from the program, keeps running on the service, unmanaged",
    deleted: "deleted on the service",
    refused: "refused: the update will fail",
  },
  /** Remarks on the old deployment of a replacement. */
  replace: {
    retained: "the old one keeps running, unmanaged",
    deleted: "the old one is deleted on the service",
    refused: "refused: the update will fail",
  },
} as const;

/** The fate of the deployment on the service, in words. */
export function fateRemarks({ verdict, fate, otherwise }: FateFacts): string[] {
  if (fate === null) return [];
  const remark = REMARKS[verdict === "delete" ? "delete" : "replace"][fate];
  if (otherwise === undefined) return [remark];
  return [`if it is replaced: ${remark}`, `if not: ${VERDICT_WORDS[otherwise].label}`];
}

/** The last part of a type token: `Deployment` of `pulumi-nodejs:dynamic/deployment-control:Deployment`. */
export const shortType = (type: string): string => type.slice(type.lastIndexOf(":") + 1);

/** `1 deployment`, `2 deployments`. */
export const numberOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
