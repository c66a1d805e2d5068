/** The words that all formats share: the headline and the verdicts. */
import {
  byUrgency,
  COUNTED_AS,
  type DeploymentReport,
  type OtherResources,
  type Report,
  type ReportVerdict,
  summaryOf,
  VERDICTS,
} from "../model";

export interface FormatOptions {
  /** Whether to color the text for a terminal; no colors by default. Other formats ignore the option. */
  readonly color?: boolean;
}

/** `sign` shows the verdict to readers who see no color. */
export const VERDICT_WORDS: { readonly [V in ReportVerdict]: { sign: string; label: string } } = {
  replace: { sign: "±", label: "replaced" },
  // The text about a removed deployment also says whether the service deletes the deployment.
  delete: { sign: "−", label: "removed" },
  "new-revision": { sign: "▲", label: "new revision" },
  "may-create-revision": { sign: "△", label: "may create a revision" },
  create: { sign: "+", label: "created" },
  "in-place": { sign: "~", label: "in place" },
  unchanged: { sign: "=", label: "unchanged" },
};

/** The verdict after a number, as in `2 new revisions, 1 may create one`. */
function countedAs(verdict: ReportVerdict, count: number): string {
  if (verdict === "may-create-revision") return "may create one";
  return verdict === "new-revision" && count !== 1 ? "new revisions" : VERDICT_WORDS[verdict].label;
}

/** The counts in words, such as `2 new revisions, 3 in place, 12 unchanged`. */
export function countsOf(deployments: readonly DeploymentReport[]): string {
  const sum = summaryOf(deployments);
  return VERDICTS.map((verdict) => ({ verdict, count: sum[COUNTED_AS[verdict]] }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => `${count} ${countedAs(verdict, count)}`)
    .join(", ");
}

/** The counts of deployments and of changed listeners, such as `3 in place; listeners: 1 replaced`. May be empty. */
export function counts(reports: readonly Report[]): string {
  const changed = byUrgency(reports.flatMap(({ listeners }) => listeners).filter(isChanged));
  const byLabel = Map.groupBy(changed, (listener) => labelOf({ ...listener, fate: null }));
  const listeners = [...byLabel].map(([label, { length }]) => `${length} ${label}`);
  const parts = [
    countsOf(reports.flatMap(({ deployments }) => deployments)),
    listeners.length > 0 ? `listeners: ${listeners.join(", ")}` : "",
  ];
  return parts.filter((part) => part !== "").join("; ");
}

/** Says whether users' traffic moves to a newly built revision. A failure takes precedence. */
export function answer(reports: readonly Report[]): string {
  // Says nothing about traffic, because a resource that the preview did not reach could still move traffic.
  if (reports.some(({ failure }) => failure !== null)) return "The preview failed";
  const words = `${lossesIn(reports)}${trafficAnswer(reports)}${listenerDeletions(reports)}`;
  const isRefused = reports.some(({ refusals }) => refusals !== undefined);
  return isRefused ? `The update would fail. As far as it gets: ${words}` : words;
}

function trafficAnswer(reports: readonly Report[]): string {
  const sum = summaryOf(reports.flatMap(({ deployments }) => deployments));
  if (sum.newRevision + sum.replace > 0) return "Traffic moves to newly built revisions";
  if (sum.mayCreateRevision > 0) return "Traffic may move to newly built revisions";
  if (reports.some(({ deployments }) => deployments.some(isUnderWay)))
    return "Traffic may move to revisions that an earlier update began";
  if (sum.delete > 0) return "No traffic moves to a new revision, but deployments leave the stack";
  if (reports.some(({ deployments }) => deployments.some(changesAddress)))
    return "No new revision, but an address changes";
  if (sum.create + sum.inPlace > 0) return "No running traffic moves";
  return reports.some(hasChanges) ? "No deployment changes" : "Nothing changes";
}

/** Whether the deployment's users must call another address. */
const changesAddress = ({ verdict, reasons }: DeploymentReport): boolean =>
  verdict === "in-place" && reasons.some(({ path }) => path === "sourceConfig.customUrl");

/** Whether the update may still wait for an earlier update's revision, although this plan makes no revision. */
const isUnderWay = ({ verdict, previousFailure }: DeploymentReport): boolean =>
  verdict === "in-place" && previousFailure;

/** The deployments that the service loses or may lose, or that are down for a while; empty if there are none. */
function lossesIn(reports: readonly Report[]): string {
  const deployments = reports.flatMap((report) => report.deployments);
  const endangered = deployments.filter(({ fate }) => fate === "deleted");
  const certain = endangered.filter(({ otherwise, mayStay }) => otherwise === undefined && !mayStay);
  const leftoverCount = deployments.flatMap((each) => each.leftovers ?? []).length;
  const openCount = endangered.length - certain.length + leftoverCount;
  const downCount = certain.filter(({ isDown }) => isDown).length;
  const losses = [
    certain.length > 0 &&
      `${numberOf(certain.length, "deployment")} ${certain.length === 1 ? "is" : "are"} deleted`,
    openCount > 0 && `${numberOf(openCount, "deployment")} may be deleted`,
    downCount > 0 && `${downCount} down meanwhile`,
  ].filter((words) => words !== false);
  return losses.length === 0 ? "" : `${losses.join(", ")}. `;
}

/** Words about listeners that the service deletes or may delete; empty if there are none. */
function listenerDeletions(reports: readonly Report[]): string {
  const listeners = reports.flatMap((report) => report.listeners).filter(({ fate }) => fate === "deleted");
  if (listeners.length === 0) return "";
  const isCertain = listeners.some(({ otherwise }) => otherwise === undefined);
  return `, and a listener ${isCertain ? "is" : "may be"} deleted`;
}

const hasLeftovers = ({ deployments }: Report): boolean =>
  deployments.some(({ leftovers }) => leftovers !== undefined);

const hasChanges = (report: Report): boolean =>
  [...report.deployments, ...report.listeners].some(isChanged) ||
  report.others.some(isMoving) ||
  hasLeftovers(report);

/** Whether the plan changes any resource of the type that `count` counts. */
export const isMoving = (count: OtherResources): boolean =>
  count.create + count.update + count.replace + count.delete > 0;

/** The first digits of the plan's digest, enough to tell two plans apart. */
export const shortDigest = (digest: string): string => digest.replace("sha256:", "").slice(0, 12);

/** The first line of every format. */
export const headline = (reports: readonly Report[]): string =>
  titleOf({ answer: answer(reports), counts: counts(reports) });

/** An answer and its counts, which may be empty. */
export const titleOf = (parts: { readonly answer: string; readonly counts: string }): string =>
  parts.counts === "" ? parts.answer : `${parts.answer}: ${parts.counts}`;

export const isChanged = ({ verdict }: { readonly verdict: ReportVerdict }): boolean =>
  verdict !== "unchanged";

/** Labels for a deployment that the program no longer declares, by the deployment's `fate`. */
const FATE_LABELS: { readonly [F in NonNullable<DeploymentReport["fate"]>]: string } = {
  retained: "removed, keeps running",
  deleted: "deleted",
  refused: "removal refused",
};

/** For a deployment that the program no longer declares, the label says whether the deployment keeps running. */
export function labelOf({
  verdict,
  fate,
  otherwise,
}: Pick<DeploymentReport, "verdict" | "fate" | "otherwise">): string {
  if (verdict === "delete" && fate !== null) return FATE_LABELS[fate];
  const { label } = VERDICT_WORDS[verdict];
  if (otherwise === undefined) return label;
  return verdict === "new-revision" ? `${label}, may be replaced` : "may be replaced";
}

/** The last part of a type token: `Deployment` of `pulumi-nodejs:dynamic/deployment-control:Deployment`. */
export const shortType = (type: string): string => type.slice(type.lastIndexOf(":") + 1);

/** Returns, for example, `1 deployment` or `2 deployments`. */
export const numberOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
