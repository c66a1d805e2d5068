/** A report in words, which each format only lays out: changes, the most urgent first, then everything else. */
import { byUrgency } from "../evaluate/order";
import type {
  Dependent,
  DeploymentReport,
  ListenerReport,
  OtherResources,
  Reason,
  Report,
  ReportVerdict,
} from "../model";
import { type ChangeText, changeText } from "./changeText";
import {
  fateRemarks,
  hasChanges,
  headline,
  isChanged,
  isMoving,
  isUnderWay,
  labelOf,
  numberOf,
  shortType,
  VERDICT_WORDS,
} from "./words";

/** A report in words. Each format must escape the texts of the outline. */
export interface Outline {
  readonly report: Report;
  readonly headline: string;
  /**
   * `of`: the name of the resource that the warning is about; null if `text` contains this name, or is not about a
   * single resource.
   */
  readonly warnings: readonly { readonly of: string | null; readonly text: string }[];
  readonly entries: readonly Entry[];
  /** The counts of unchanged deployments and of unlisted resources, in one line; null if both are 0. */
  readonly unchanged: string | null;
  /**
   * One line per type, such as `aws:s3/bucket:Bucket: 1 create, 2 unchanged`; types with a change come first. Each
   * changed resource of this provider has a line, such as `all (Rollout): update`.
   */
  readonly others: readonly string[];
}

/** A deployment or a listener that changes. */
export interface Entry {
  readonly kind: "deployment" | "listener";
  readonly name: string;
  readonly verdict: ReportVerdict;
  readonly sign: string;
  readonly label: string;
  /** Remarks in addition to the changes: the fate of the old deployment, and an earlier failure. */
  readonly remarks: readonly string[];
  readonly groups: readonly { readonly title: string; readonly changes: readonly ChangeText[] }[];
  /** The changes that make the revision, or all changes if none of them makes a revision. */
  readonly deciding: readonly ChangeText[];
  /** Whether a warning is the only explanation of the verdict. */
  readonly isExplainedByWarning: boolean;
  /** Names of changed secrets that no entry of `groups` shows, such as `+EXTRA`, `~OPENAI_API_KEY` and `−OLD`. */
  readonly secrets: readonly string[];
  readonly dependents: readonly Dependent[];
  /** The dependents that follow the revision, such as `greeting (SmokeTest, update)`. */
  readonly followers: readonly string[];
  /** The change of the generation, such as `3 → 4`; null if there is no change to show. */
  readonly generation: string | null;
  readonly builtFrom: string | null;
  /** The base URL of the service; null if all resources of the plan are on the same service. */
  readonly service: string | null;
  readonly facts: readonly (readonly [term: string, value: string])[];
}

function outlineOf(report: Report): Outline {
  const services = new Set(
    [...report.deployments, ...report.listeners].map(({ service }) => service ?? null),
  );
  services.delete(null);
  const withService = <R extends object>(resource: R): R =>
    services.size > 1 ? resource : { ...resource, service: null };
  return {
    report,
    headline: headline([report]),
    warnings: warningsIn(report),
    entries: [
      ...byUrgency(report.deployments).filter(isChanged).map(withService).map(deploymentEntry),
      ...report.listeners.filter(isChanged).map(withService).map(listenerEntry),
    ],
    unchanged: unchangedText(report),
    others: othersLines(report.others),
  };
}

/** First the failure, then the stack's warnings, then the warnings of each deployment and listener by urgency. */
function warningsIn({
  failure,
  refusals = [],
  warnings,
  deployments,
  listeners,
}: Report): Outline["warnings"] {
  const ofAll = [
    ...(failure === null ? [] : [`the preview failed: ${failure}`]),
    ...refusals.map((refusal) => `the update would fail: ${refusal}`),
    ...warnings,
  ];
  const resources = [...byUrgency(deployments), ...listeners];
  const takenOver = resources.filter(
    (each) => each.verdict === "unchanged" && each.warnings.some(isTakeOver),
  );
  const areMany = takenOver.length > 1;
  const resourceWarnings = resources.flatMap(({ name, verdict, warnings: texts }) =>
    texts
      .filter((text) => !refusals.some((refusal) => refusal.endsWith(text)))
      .filter((text) => !(areMany && verdict === "unchanged" && isTakeOver(text)))
      .map((text) => ({ of: text.includes(`"${name}"`) ? null : name, text })),
  );
  const names = takenOver.map(({ name }) => name).join(", ");
  const together = `takes over ${takenOver.length} existing resources, and nothing in them changes: ${names}`;
  return [...ofAll, ...(areMany ? [together] : [])]
    .map((text): Outline["warnings"][number] => ({ of: null, text }))
    .concat(resourceWarnings);
}

const isTakeOver = (text: string): boolean => text.startsWith("takes over the existing ");

function deploymentEntry(deployment: DeploymentReport): Entry {
  const { verdict, reasons, warnings, fate, dependents, previousFailure } = deployment;
  const revising = REVISING.flatMap((effect) => reasons.filter((reason) => reason.effect === effect));
  const otherReasons = reasons.filter(({ effect }) => !REVISING.includes(effect));
  return {
    kind: "deployment",
    name: deployment.name,
    verdict,
    sign: VERDICT_WORDS[verdict].sign,
    label: labelOf(deployment),
    remarks: [...fateRemarks(deployment), ...(previousFailure ? [failureRemark(deployment)] : [])],
    groups: [...group("Makes a revision", revising), ...group("Does not make a revision", otherReasons)],
    deciding: (revising.length > 0 ? revising : otherReasons).map(changeText),
    isExplainedByWarning: warnings.length > 0 && verdict !== "create" && fate === null && !previousFailure,
    secrets: secretNames(deployment),
    dependents,
    followers: dependents
      .filter(({ followsRevision }) => followsRevision)
      .map((each) => `${each.name} (${shortType(each.type)}, ${each.op})`),
    generation: generationText(deployment),
    builtFrom: deployment.builtFrom,
    service: deployment.service ?? null,
    facts: factsOf(deployment),
  };
}

function listenerEntry({ fate = null, ...listener }: ListenerReport): Entry {
  const { name, verdict, reasons, service = null } = listener;
  return {
    kind: "listener",
    name,
    verdict,
    sign: VERDICT_WORDS[verdict].sign,
    label: labelOf({ ...listener, fate: null }),
    remarks: fateRemarks({ ...listener, fate }),
    groups: group("Changes", reasons),
    deciding: reasons.map(changeText),
    isExplainedByWarning: false,
    secrets: [],
    dependents: [],
    followers: [],
    generation: null,
    builtFrom: null,
    service,
    facts: service === null ? [] : [["service", service]],
  };
}

/** Effects that make, or may make, a revision; the strictest comes first. */
const REVISING: readonly Reason["effect"][] = ["replace", "new-revision", "may-create-revision"];

const group = (title: string, reasons: readonly Reason[]): Entry["groups"] =>
  reasons.length === 0 ? [] : [{ title, changes: reasons.map(changeText) }];

function failureRemark(deployment: DeploymentReport): string {
  if (isUnderWay(deployment)) return "its last update was cut short: waits for the revision of that one";
  const isMadeAgain = deployment.verdict === "new-revision" && deployment.reasons.length === 0;
  return isMadeAgain
    ? "its last update failed: makes that revision again"
    : "its last update failed or was cut short";
}

function secretNames({ secrets, reasons }: DeploymentReport): string[] {
  const changedPaths = new Set(reasons.map(({ path }) => path));
  const signed = (sign: string, names: readonly string[]) =>
    names.filter((name) => !changedPaths.has(`secrets.${name}`)).map((name) => `${sign}${name}`);
  return [...signed("+", secrets.added), ...signed("~", secrets.changed), ...signed("−", secrets.removed)];
}

function generationText({ verdict, generation: { before, after } }: DeploymentReport): string | null {
  if (before === null || before === after || verdict === "delete") return null;
  return `${before} → ${after ?? "unknown"}`;
}

function factsOf(deployment: DeploymentReport): Entry["facts"] {
  const { latestId, latestStatus, activeId } = deployment.revisions;
  const facts: readonly (readonly [string, string | null])[] = [
    ["name on the service", deployment.deploymentName],
    ["id", deployment.id],
    ["generation", generationText(deployment)],
    ["active revision", activeId],
    ["latest revision", [latestId, latestStatus].filter((part) => part).join(" ") || null],
    ["built from", deployment.builtFrom],
    ["listener", deployment.listenerId],
    ["connection", deployment.connection],
    ["service", deployment.service ?? null],
    ["URN", deployment.urn],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}

function unchangedText({ summary, unlisted }: Report): string | null {
  const parts = summary.unchanged > 0 ? [`${numberOf(summary.unchanged, "deployment")} unchanged`] : [];
  const unlistedText = `${numberOf(unlisted, "unchanged resource")} not listed by the preview (--show-sames lists them)`;
  return [...parts, ...(unlisted > 0 ? [unlistedText] : [])].join("; ") || null;
}

const OPERATIONS = ["replace", "delete", "create", "update", "unchanged"] as const;

function othersLines(resources: readonly OtherResources[]): string[] {
  const unmoved = resources.filter((each) => !isMoving(each));
  return [...resources.filter(isMoving), ...unmoved].flatMap(({ type, changing = [], ...counts }) => {
    const changingLines = changing.map(({ name, fate }) => `${name} (${shortType(type)}): ${fate}`);
    const operations = OPERATIONS.filter(
      (each) => counts[each] > 0 && (changingLines.length === 0 || each === "unchanged"),
    );
    const countWords = operations.map((operation) => `${counts[operation]} ${operation}`).join(", ");
    return [
      ...changingLines,
      ...(countWords === "" ? [] : [`${changingLines.length === 0 ? type : shortType(type)}: ${countWords}`]),
    ];
  });
}

/** The outlines of the reports to show in full, and the names of the other stacks; a single report is always shown. */
export function outlinesOf(reports: readonly Report[]) {
  const outlines = reports.map(outlineOf);
  const isQuiet = ({ report, warnings }: Outline) =>
    reports.length > 1 && !hasChanges(report) && warnings.length === 0;
  return {
    shown: outlines.filter((each) => !isQuiet(each)),
    quiet: outlines.filter(isQuiet).map(({ report }) => report.stack),
  };
}

/** The line for stacks without changes, such as `Nothing changes in 18 stacks`. */
export const quietWords = (quiet: readonly string[]): string =>
  `Nothing changes in ${numberOf(quiet.length, "stack")}`;
