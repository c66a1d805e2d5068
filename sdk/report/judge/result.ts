/** Planned against actual: the report compared with the events of the up. */
import { nameIn } from "../../../provider/fields/urn";
import { isAbsent, valueAt } from "../../../provider/fields/value";
import {
  type DeploymentReport,
  type Outcome,
  type Reason,
  type Report,
  type ReportVerdict,
  type Result,
  SCHEMA_VERSION,
  UNKNOWN_VALUE,
} from "../model";
import type { Events, Happening } from "../read/events";
import { hearLine, kindOf, labelIn, wordsOf } from "../read/heard";

/** No changes of their own. The old one of a replacement under an alias goes under its old name. */
const UNSPOKEN: readonly string[] = ["", "same", "read", "delete-replaced"];

/** Wrong predictions first. */
export function resultOf(report: Report, events: Events): Result {
  const planned = new Map(report.deployments.map((each) => [each.urn, each]));
  const ours = [...events.happenings.values()].filter(({ urn }) => kindOf(urn) === "deployment");
  const unplanned = ours.filter(({ urn, op }) => !planned.has(urn) && !UNSPOKEN.includes(op));
  const outcomes = [
    ...report.deployments.map((each) => outcomeOf(each, events)),
    ...unplanned.map(({ urn }) => unplannedOutcome(urn, report, events)),
  ].sort((a, b) => rank(a) - rank(b));
  return {
    schemaVersion: SCHEMA_VERSION,
    stack: report.stack,
    digest: report.digest,
    right: outcomes.filter(({ right }) => right === true).length,
    wrong: outcomes.filter(({ right }) => right === false).length,
    undecided: outcomes.filter(({ right }) => right === null).length,
    outcomes,
    warnings: [
      ...warningsOf(report, events),
      ...unplanned.map(({ urn }) => `${labelIn(urn)} was changed, but was not in the plan`),
      ...ours.flatMap(undecidedBy),
      ...ours.flatMap(undeletedBy),
      ...outcomes.flatMap(otherFate),
      ...notAsked(outcomes, events),
    ],
  };
}

const rank = ({ right }: Outcome): number => (right === false ? 0 : right === null ? 1 : 2);

function warningsOf(report: Report, events: Events): string[] {
  const ended = { true: [], false: ["the up failed"], undefined: ["the events end before the up does"] };
  return [
    ...ended[`${events.succeeded}`],
    ...(report.failure === null ? [] : [`the preview had failed: ${report.failure}`]),
    ...(report.refusals ?? []).map((refusal) => `the plan said that the up would fail: ${refusal}`),
  ];
}

function undecidedBy(happening: Happening): string[] {
  return undecidedLines(happening).map(
    (line) =>
      `${labelIn(happening.urn)}: this line is not understood, so its plan counts as undecided: "${line}"`,
  );
}

function undeletedBy({ urn, undeleted }: Happening): string[] {
  return undeleted.map((id) => `${labelIn(urn)}: the old one of a replacement, ${id}, could not be deleted`);
}

/** Where the preview failed, nothing was predicted about what it did not reach. */
function unplannedOutcome(urn: string, { failure }: Report, events: Events): Outcome {
  const outcome = outcomeOf({ urn, name: nameIn(urn), verdict: "unchanged", reasons: [] }, events);
  return failure === null ? outcome : { ...outcome, right: null };
}

function otherFate({ urn, fate }: Outcome): string[] {
  if (fate === undefined || fate.predicted === fate.happened) return [];
  const was = fate.happened === "deleted" ? "was deleted on the service" : "stays on the service";
  return [`${labelIn(urn)}: the one that was given up ${was}; the plan said: ${fate.predicted}`];
}

function notAsked(outcomes: readonly Outcome[], { succeeded }: Events): string[] {
  const names = outcomes.filter(({ happened }) => happened === "not-applied").map(({ name }) => `"${name}"`);
  return succeeded !== true || names.length === 0
    ? []
    : [
        `the up did not apply what was planned for ${names.join(", ")}: it was for other targets, or its program no longer has the change`,
      ];
}

type Planned = Pick<DeploymentReport, "urn" | "name" | "verdict" | "reasons"> &
  Partial<Pick<DeploymentReport, "id" | "fate" | "otherwise">>;

function outcomeOf(plan: Planned, events: Events): Outcome {
  const { urn, name, verdict: predicted, otherwise = predicted, reasons } = plan;
  const happening = events.happenings.get(urn);
  const made = happening === undefined ? undefined : revisionMade(happening);
  const happened = happenedTo(happening, made, events, plan);
  const fate = fateOf(plan, events);
  const stays = otherwise === "in-place" && happened === "unchanged" && mayStay(reasons);
  const asPlanned = stays || isFulfilled(plan, happened, made);
  const right = asPlanned === true && fate !== undefined ? fate.predicted === fate.happened : asPlanned;
  const isOpen = happening !== undefined && undecidedLines(happening).length > 0;
  return {
    urn,
    name,
    predicted,
    happened,
    // A line that is not understood leaves undecided what would be right; what is wrong stays wrong.
    right: right === true && isOpen ? null : right,
    ...(fate === undefined ? {} : { fate }),
    revisionId: latest(happening?.after, "latestRevisionId"),
    revisionStatus: latest(happening?.after, "latestRevisionStatus"),
    seconds: happening?.seconds ?? null,
    messages: (happening?.said ?? []).map(({ message = "" }) => wordsOf(urn, message)),
  };
}

/**
 * What became of the one that was given up; undefined where it was not, or not yet. Of a deletion the provider tells; what
 * the engine did not ask it to delete, it says nothing of.
 */
function fateOf({ id, fate }: Planned, { happenings }: Events): Outcome["fate"] {
  const all = [...happenings.values()];
  // Where the up fails, nothing is said of what becomes of it before.
  if (!fate || fate === "refused" || !id || !all.some(({ givenUp }) => givenUp.includes(id)))
    return undefined;
  const isDeleted = all.some((each) =>
    heardIn(each).some((heard) => heard.meaning === "deletion" && heard.id === id),
  );
  return { predicted: fate, happened: isDeleted ? "deleted" : "retained" };
}

/** What only unknown values would change may turn out to be as it was. */
function mayStay(reasons: readonly Reason[]): boolean {
  return reasons.length > 0 && !reasons.some(isCertain);
}

const isCertain = ({ after }: Reason): boolean => !isOpen(after);

function isOpen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === UNKNOWN_VALUE;
  return Object.values(value).some(isOpen);
}

/** An output of a state; null where it tells none. */
function latest(state: unknown, output: "latestRevisionId" | "latestRevisionStatus"): string | null {
  const value = valueAt(state, ["outputs", output]);
  return typeof value === "string" ? value : null;
}

/** What the lines about it mean, as far as they are understood. */
const heardIn = ({ urn, said }: Happening) =>
  said.map(({ message = "" }) => hearLine(urn, message)).filter((heard) => heard !== undefined);

const proofIn = (happening: Happening): boolean | undefined =>
  heardIn(happening).find((heard) => heard.meaning === "proof")?.made;

/** Lines that are not understood, where no proof tells whether there is a revision. */
function undecidedLines(happening: Happening): string[] {
  if (proofIn(happening) !== undefined) return [];
  const { urn, said } = happening;
  return said
    .filter(({ message = "", severity }) => severity === "info" && hearLine(urn, message) === undefined)
    .map(({ message = "" }) => wordsOf(urn, message));
}

/**
 * Whether the update made a revision: the provider knows a push that came in between, so its proof counts
 * before the revisions in the outputs.
 */
function revisionMade(happening: Happening): boolean | undefined {
  const proof = proofIn(happening);
  if (proof !== undefined) return proof;
  const { before, after, end } = happening;
  const [was, is] = [before, after].map((state) => latest(state, "latestRevisionId"));
  return end === "begun" || isAbsent(was) || isAbsent(is) ? undefined : was !== is;
}

/**
 * What became of one that the engine left as it was. Where the plan knows of a change, the up was not asked to make it: it
 * was for other targets, or its program no longer has the change.
 */
function leftAlone({ verdict, otherwise = verdict, reasons }: Planned): Outcome["happened"] {
  const mayBeNoChange =
    otherwise === "unchanged" || (MAY_STAY.includes(otherwise) && !reasons.some(isCertain));
  return mayBeNoChange ? "unchanged" : "not-applied";
}

const MAY_STAY: readonly ReportVerdict[] = ["may-create-revision", "in-place"];

const DONE: { readonly [op: string]: Outcome["happened"] } = {
  create: "created",
  "create-replacement": "replaced",
  replace: "replaced",
  delete: "deleted",
};

function happenedTo(
  happening: Happening | undefined,
  made: boolean | undefined,
  { succeeded }: Events,
  plan: Planned,
): Outcome["happened"] {
  if (happening === undefined || happening.op === "") {
    if (succeeded === undefined) return "unknown";
    // An up that went through has seen every resource; of an unchanged one it need not speak.
    return succeeded || plan.verdict === "unchanged" ? leftAlone(plan) : "not-applied";
  }
  if (happening.end === "failed") return "failed";
  if (happening.end === "begun") return "unknown";
  if (happening.op === "same") return leftAlone(plan);
  const adoptions = heardIn(happening).filter((heard) => heard.meaning === "adoption");
  if (happening.op !== "update" && !(happening.op === "create" && adoptions.length > 0))
    return DONE[happening.op] ?? "unknown";
  if (made !== undefined) return made ? "new-revision" : "in-place";
  return adoptions.some(({ verdict }) => verdict === "unchanged") ? "unchanged" : "unknown";
}

const FULFILLED: { readonly [verdict in ReportVerdict]: readonly Outcome["happened"][] } = {
  create: ["created"],
  replace: ["replaced"],
  "new-revision": ["new-revision"],
  // What was unknown at the preview may turn out to be what it was.
  "may-create-revision": ["new-revision", "in-place", "unchanged"],
  "in-place": ["in-place"],
  delete: ["deleted"],
  unchanged: ["unchanged"],
};

/** What fulfils a plan: of one that may be replaced, that, and what it said of the other case. */
function fulfilling({ verdict, otherwise }: Planned): readonly Outcome["happened"][] {
  if (otherwise === undefined) return FULFILLED[verdict];
  // Where no argument changes, the engine may still have an option to record.
  const instead = otherwise === "unchanged" ? "in-place" : otherwise;
  return [...FULFILLED.replace, ...FULFILLED[otherwise], ...FULFILLED[instead]];
}

/** A failed rollout does not make the prediction of its revision wrong; without word of a revision, nothing can be said. */
function isFulfilled(
  plan: Planned,
  happened: Outcome["happened"],
  made: boolean | undefined,
): boolean | null {
  if (happened === "unknown" || happened === "not-applied") return null;
  if (plan.fate === "refused") return happened === "failed";
  if (happened !== "failed") return fulfilling(plan).includes(happened);
  return made === undefined ? null : fulfilling(plan).includes(made ? "new-revision" : "in-place");
}
