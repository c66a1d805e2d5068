/** The wording of a plan or of its result, most urgent changes first. Each format has its own layout for the wording. */
import {
  byUrgency,
  type DeploymentReport,
  isDeployment,
  type OtherResources,
  type Reason,
  type Report,
  type ReportVerdict,
  type ResourceReport,
} from "../model";
import { type ChangeText, changeText } from "./changeText";
import {
  answer,
  counts,
  headline,
  isChanged,
  isMoving,
  labelOf,
  numberOf,
  shortType,
  VERDICT_WORDS,
} from "./words";

/** Everything that one output shows. Each format must escape all strings except `answer`, `counts` and labels. */
export interface Sheet {
  readonly kind: "plan" | "result";
  /** The answer to the reader's first question, about all stacks together. */
  readonly answer: string;
  /** The counts of all stacks; may be empty. */
  readonly counts: string;
  readonly outlines: readonly Outline[];
}

export interface Outline {
  readonly stack: string;
  readonly digest: string;
  readonly headline: string;
  readonly warnings: readonly string[];
  readonly entries: readonly Entry[];
  /** Lines about unchanged resources, and about each type of other resources. Types with a change are first. */
  readonly rest: readonly string[];
  /** The report to draw as a picture; undefined for a result. */
  readonly pictured?: Report;
}

/** The state of a prediction after the apply. */
export type Standing = "wrong" | "failed" | "undecided" | "right";

/** An entry for a changed deployment or listener, or for an outcome of the apply. */
export interface Entry {
  /** The color of the entry. */
  readonly tone: ReportVerdict | Standing;
  readonly sign: string;
  readonly label: string;
  readonly name: string;
  /** A few words beside the name, such as `generation 3 → 4`; may be empty. */
  readonly aside: string;
  /** Changes that make a revision come first. */
  readonly changes: readonly ChangeText[];
  /** Sentences in addition to the changes. */
  readonly notes: readonly string[];
}

export const planSheet = (reports: readonly Report[]): Sheet => ({
  kind: "plan",
  answer: answer(reports),
  counts: counts(reports),
  outlines: reports.map(outlineOf),
});

function outlineOf(report: Report): Outline {
  const { deployments, listeners } = report;
  const services = [...deployments, ...listeners].flatMap(({ service }) => service ?? []);
  const hasSeveral = new Set(services).size > 1;
  return {
    stack: report.stack,
    digest: report.digest,
    headline: headline([report]),
    warnings: warningsIn(report),
    entries: [...byUrgency(deployments.filter(isChanged)), ...listeners.filter(isChanged)].map((each) =>
      entryOf(each, hasSeveral),
    ),
    rest: [...unchangedLines(report), ...otherLines(report.others)],
    pictured: report,
  };
}

/** First the failure, then the stack's warnings, then the warnings of each deployment and listener by urgency. */
function warningsIn({ failure, refusals = [], warnings, deployments, listeners }: Report): string[] {
  return [
    ...(failure === null ? [] : [`the preview failed: ${failure}`]),
    ...refusals.map((refusal) => `the update would fail: ${refusal}`),
    ...warnings,
    ...[...byUrgency(deployments), ...listeners].flatMap((resource) =>
      resource.warnings
        .filter((text) => !refusals.some((refusal) => refusal.endsWith(text)))
        .map((text) => (text.includes(`"${resource.name}"`) ? text : `${resource.name}: ${text}`)),
    ),
  ];
}

/** The entry of a changed deployment or listener. Only a deployment's label says whether the service deletes it. */
function entryOf(report: ResourceReport, hasSeveralServices: boolean): Entry {
  const { name, verdict, reasons } = report;
  const isOfDeployment = isDeployment(report);
  return {
    tone: verdict,
    sign: VERDICT_WORDS[verdict].sign,
    label: labelOf(isOfDeployment ? report : { ...report, fate: null }),
    name,
    aside: isOfDeployment ? (generationText(report) ?? report.builtFrom ?? "") : "listener",
    changes: [...reasons.filter(makesRevision), ...reasons.filter((each) => !makesRevision(each))].map(
      changeText,
    ),
    notes: [
      ...notesOn(report, hasSeveralServices),
      ...(isOfDeployment ? report.dependents : []).map(
        ({ name, type, op }) => `then ${name} (${shortType(type)}, ${op})`,
      ),
    ],
  };
}

/** The name of the service, if the plan acts on several services, and an explanation of a possible replacement. */
const notesOn = ({ service, otherwise }: ResourceReport, hasSeveralServices: boolean): string[] => [
  ...(hasSeveralServices && service ? [`on ${service}`] : []),
  ...(otherwise === undefined ? [] : [`if it is not replaced: ${VERDICT_WORDS[otherwise].label}`]),
];

const makesRevision = ({ effect }: Reason): boolean => effect !== "in-place" && effect !== "kept";

/** The change of the generation; null without a change. */
function generationText({ verdict, generation: { before, after } }: DeploymentReport): string | null {
  if (before === null || before === after || verdict === "delete") return null;
  return `generation ${before} → ${after ?? "unknown"}`;
}

const unchangedLines = ({ summary, unlisted }: Report): string[] => [
  ...(summary.unchanged > 0 ? [`unchanged: ${numberOf(summary.unchanged, "deployment")}`] : []),
  ...(unlisted > 0
    ? [`unchanged and not listed by the preview: ${numberOf(unlisted, "resource")} (--show-sames lists them)`]
    : []),
];

const OPERATIONS = ["replace", "delete", "create", "update", "unchanged"] as const;

function otherLines(resources: readonly OtherResources[]): string[] {
  const unmoved = resources.filter((each) => !isMoving(each));
  return [...resources.filter(isMoving), ...unmoved].map((counted) => {
    const operations = OPERATIONS.filter((each) => counted[each] > 0);
    const words = operations.map((operation) => `${counted[operation]} ${operation}`);
    return `other resources: ${counted.type}: ${words.join(", ")}`;
  });
}
