/** Compares the report with the events of the update. */
import { format } from "../../../provider/diff/sentences";
import { INCOMPLETE, PROOF } from "../../../provider/engine/schema";
import { nameIn } from "../../../provider/schema/naming";
import { entryNamed, isAbsent, valueAt } from "../../../provider/schema/value";
import { type Outcome, type Reason, type Report, type Result, resourcesIn, SCHEMA_VERSION } from "../model";
import { type Events, type Happening, nothingOn } from "../read/events";
import { kindOf } from "../read/lines";
import { OPERATIONS } from "../read/operations";
import { planIn } from "../read/plan";
import type { EngineState, Preview } from "../read/preview";
import { failuresIn } from "../read/resources";
import { mayAdopt } from "./case";
import { differencesIn, isOpen } from "./changes";
import { isFulfilled, type Prediction } from "./fulfilled";

/** Whether the operation changes nothing, or deletes a replaced deployment, whose URN may be an alias. */
const isSilent = (op: string): boolean =>
  op === "" || ["same", "read", "leftover"].includes(entryNamed(OPERATIONS, op) ?? "");

/** The result, with the wrong predictions first. `preview`: the preview from which the report was made. */
export function resultOf(report: Report, events: Events, preview: Preview): Result {
  const allDifferences = differencesIn(preview, events);
  const predictedByUrn = new Map(resourcesIn(report).map((each) => [each.urn, each]));
  const ourHappenings = [...events.eventsByUrn.values()].filter(({ urn }) => kindOf(urn) === "deployment");
  const unplanned = ourHappenings.filter(({ urn, op }) => !predictedByUrn.has(urn) && !isSilent(op));
  // The result has a listener only if its changes differ from the planned changes.
  const listenerUrns = [...allDifferences.keys()].filter((urn) => kindOf(urn) === "listener");
  const predictions = [
    ...report.deployments,
    ...[...unplanned.map(({ urn }) => urn), ...listenerUrns].map(
      (urn): Prediction =>
        predictedByUrn.get(urn) ?? { urn, name: nameIn(urn), verdict: "unchanged", reasons: [] },
    ),
  ];
  const outcomes = predictions
    .map((prediction) => {
      const outcome = outcomeOf(prediction, events);
      // A failed preview predicts nothing about the resources that it did not reach.
      if (report.failure !== null && !predictedByUrn.has(prediction.urn)) return { ...outcome, right: null };
      const differences = [...otherFate(outcome), ...(allDifferences.get(prediction.urn) ?? [])];
      return differences.length === 0 ? outcome : { ...outcome, right: false, differences };
    })
    .sort((a, b) => rank(a) - rank(b));
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
      ...[...events.eventsByUrn.values()].flatMap(({ urn, after }) =>
        failuresIn({ urn, fate: "update", before: (after ?? undefined) as EngineState | undefined }).map(
          ({ words }) => words,
        ),
      ),
    ],
  };
}

const rank = ({ right }: Outcome): number => (right === false ? 0 : right === null ? 1 : 2);

function warningsOf({ failure, refusals = [] }: Report, { succeeded, violations }: Events): string[] {
  return [
    ...(succeeded === false ? ["the update failed"] : []),
    ...(succeeded === undefined ? ["the events end before the update does"] : []),
    ...violations,
    ...(failure === null ? [] : [`the preview had failed: ${failure}`]),
    ...refusals.map((refusal) => `the plan said that the update would fail: ${refusal}`),
  ];
}

function otherFate({ fate }: Outcome): string[] {
  if (fate === undefined || fate.predicted === fate.happened) return [];
  return [`the resource that left the stack: planned ${fate.predicted}, happened ${fate.happened}`];
}

function outcomeOf(plan: Prediction, events: Events): Outcome {
  const { urn, name, verdict: predicted, otherwise = predicted, reasons } = plan;
  const happening = events.eventsByUrn.get(urn) ?? nothingOn(urn);
  const { after, seconds, lines } = happening;
  const madeRevision = revisionMade(happening);
  const happened = happenedTo(happening, madeRevision, events, plan);
  const fate = fateOf(plan, events);
  const stays = otherwise === "in-place" && happened === "unchanged" && mayStay(reasons);
  const right = stays || isFulfilled(plan, happened, madeRevision);
  return {
    urn,
    name,
    predicted,
    happened,
    right,
    ...(fate === undefined ? {} : { fate }),
    revisionId: latest(after, "latestRevisionId"),
    revisionStatus: latest(after, "latestRevisionStatus"),
    seconds,
    messages: lines,
  };
}

/**
 * The predicted and the actual `fate` (`retained` or `deleted`) of a deployment that the engine no longer manages. The
 * provider reports each deletion in a line.
 */
function fateOf({ id, fate }: Prediction, { eventsByUrn }: Events): Outcome["fate"] {
  const everyHappening = [...eventsByUrn.values()];
  // A plan that predicts a failure of `pulumi up` does not predict what will happen to each resource.
  if (!fate || fate === "refused" || !id || !everyHappening.some(({ givenUp }) => givenUp.includes(id)))
    return undefined;
  // If an alias has changed the URN, the line may be under the URN of the old state.
  const isDeleted = everyHappening.some(({ lines }) => lines.includes(format.deleted({ id })));
  return { predicted: fate, happened: isDeleted ? "deleted" : "retained" };
}

/** Whether `pulumi up` might make no change after all, because every changed value is still unknown. */
function mayStay(reasons: readonly Reason[]): boolean {
  return reasons.length > 0 && !reasons.some(isCertain);
}

const isCertain = ({ after }: Reason): boolean => !isOpen(after);

function latest(state: unknown, output: "latestRevisionId" | "latestRevisionStatus"): string | null {
  const value = valueAt(state, ["outputs", output]);
  return typeof value === "string" ? value : null;
}

/**
 * The provider can tell a push's revision from the update's revision, so the provider's proof outweighs revision ids.
 */
function revisionMade(happening: Happening): boolean | undefined {
  if (kindOf(happening.urn) === "listener") return false;
  const { before, after, end } = happening;
  const [was, is] = [before, after].map((state) => latest(state, "latestRevisionId"));
  // An incomplete update may have failed before or after it requested a revision.
  if (was === is && valueAt(after, ["outputs", INCOMPLETE]) === true) return undefined;
  const proof = valueAt(after, ["outputs", PROOF]);
  // After an update that sent nothing, the outputs may still have the proof of an earlier update.
  if (proof === false || (proof === true && was !== is)) return proof;
  return end === "begun" || isAbsent(was) || isAbsent(is) ? undefined : was !== is;
}

/** An update does not apply a planned change if the update has different targets or if its program lacks the change. */
function leftAlone({ verdict, otherwise = verdict, reasons }: Prediction): Outcome["happened"] {
  const mayBeNoChange =
    otherwise === "unchanged" ||
    (["may-create-revision", "in-place"].includes(otherwise) && !reasons.some(isCertain));
  return mayBeNoChange ? "unchanged" : "not-applied";
}

const DONE: { readonly [op: string]: Outcome["happened"] } = {
  create: "created",
  "create-replacement": "replaced",
  replace: "replaced",
  delete: "deleted",
  "delete-replaced": "deleted",
};

function happenedTo(
  { op, end, after }: Happening,
  madeRevision: boolean | undefined,
  { succeeded }: Events,
  plan: Prediction,
): Outcome["happened"] {
  if (op === "") {
    if (succeeded === undefined) return "unknown";
    // A successful `pulumi up` handles every resource, but may print nothing about an unchanged resource.
    return (succeeded && !mayAdopt(plan)) || plan.verdict === "unchanged" ? leftAlone(plan) : "not-applied";
  }
  if (end === "failed") return "failed";
  if (end === "begun") return "unknown";
  // An import's second step is an update, which the engine skips if a different resource fails.
  if (["same", "import"].includes(op)) return leftAlone(plan);
  const adoption = op === "create" ? planIn((after ?? undefined) as EngineState | undefined) : undefined;
  if (op !== "update" && adoption?.adopts === undefined) return DONE[op] ?? "unknown";
  if (madeRevision !== undefined) return madeRevision ? "new-revision" : "in-place";
  return adoption?.verdict === "unchanged" ? "unchanged" : "unknown";
}
