/** Judges one deployment with the provider's own planning function. */

import { argumentsOf } from "../../../provider/deployment/arguments";
import { hasChanges, type Plan, planUpdate } from "../../../provider/deployment/plan";
import { hasFailed, isDoubtful, isUnfinished } from "../../../provider/deployment/record";
import { foreignLosses } from "../../../provider/deployment/variables";
import { type Properties, propertiesIn, UNKNOWN, valueAt, withValueAt } from "../../../provider/schema/value";
import { type DeploymentReport, type ReportVerdict, stricter, UNKNOWN_VALUE } from "../model";
import { perhapsReplaced, REPORT_VERDICTS } from "../read/heard";
import { namesIn } from "../read/hidden";
import {
  doubtsOf,
  type Evaluated,
  type Evaluation,
  isCertainlyReplaced,
  isForbidden,
  type Subject,
} from "./case";
import { endOfDeployment } from "./ending";
import { type Sides, withAllMarked, withHiddenChanges } from "./masks";
import { serviceOf } from "./profile";
import { reasonsOf } from "./reasons";
import { warningsFor } from "./warnings";

/** The report on the deployment, and the reason, if any, why the up fails on it although the preview passed. */
export function evaluateDeployment(subject: Subject): Evaluated<DeploymentReport> {
  const { resource, olds, news, provider, dependents } = subject;
  const { latestRevisionId, latestRevisionStatus, activeRevisionId } = subject.current;
  const evaluation = evaluationOf(subject);
  const { verdict, reasons, otherwise } = evaluation;
  const ending = endOfDeployment(subject, evaluation);
  const generationAfter = otherwise === undefined ? numberOf(news.revisionGeneration) : null;
  const current = Object.keys(news).length > 0 ? news : olds;
  const makesRevision = MAKES_REVISION.includes(verdict);
  const report = {
    urn: resource.urn,
    name: resource.name,
    deploymentName: textOf(current.name),
    id: resource.before?.id ?? provider.adopts ?? resource.imports ?? null,
    verdict,
    reasons: [...reasons],
    warnings: warningsFor(subject, evaluation, ending),
    ...doubtsOf(subject).member,
    secrets: secretsBetween(subject, evaluation),
    generation: { before: numberOf(olds.revisionGeneration), after: generationAfter },
    revisions: {
      latestId: textOf(latestRevisionId),
      latestStatus: textOf(latestRevisionStatus),
      activeId: textOf(activeRevisionId),
    },
    builtFrom: builtFrom(current),
    fate: ending?.fate ?? null,
    ...(otherwise === undefined ? {} : { otherwise }),
    ...(resource.leftovers.length === 0 ? {} : { leftovers: resource.leftovers.map(({ id = "" }) => id) }),
    ...(isForbidden(subject, evaluation) ? { forbidden: true as const } : {}),
    previousFailure: hasPreviousFailure(subject.current),
    listenerId: textOf(valueAt(current, ["sourceConfig", "listenerId"])),
    connection: textOf(current.connection),
    service: serviceOf(resource),
    dependents: dependents.map((dependent) => ({
      ...dependent,
      followsRevision: makesRevision && dependent.followsRevision,
    })),
  };
  return { report, refusal: ending?.refusal };
}

const MAKES_REVISION: readonly ReportVerdict[] = ["replace", "new-revision", "may-create-revision"];

/** A line that is not understood may announce a revision; a step that no provider has planned may make a revision. */
function evaluationOf(subject: Subject): Evaluation {
  const evaluation = understoodJudgement(subject);
  const { fate, isUnplanned, unknownOperation } = subject.resource;
  const isOpen = unknownOperation !== undefined || (isUnplanned && fate !== "create");
  return subject.provider.notUnderstood.length === 0 && !isOpen
    ? evaluation
    : { ...evaluation, verdict: stricter(evaluation.verdict, "may-create-revision") };
}

function understoodJudgement(subject: Subject): Evaluation {
  const { resource, provider } = subject;
  // The engine reads an imported resource only if the provider's settings are known.
  const isUnread = resource.isUnplanned && resource.imports !== undefined && resource.fate !== "import";
  if (resource.unknownOperation !== undefined || isUnread)
    return { reasons: [], verdict: "may-create-revision" };
  switch (resource.fate) {
    case "create":
      // Only the provider knows what a creation adopts, or may adopt, so the provider's verdict counts.
      return { reasons: [], verdict: provider.verdict ?? "create" };
    case "delete":
    case "leftover":
      return { reasons: [], verdict: "delete" };
    case "update":
    case "replace":
      return evaluationOfUpdate(subject);
    default:
      return { reasons: [], verdict: "unchanged" };
  }
}

function evaluationOfUpdate(subject: Subject): Evaluation {
  const { resource, provider } = subject;
  const { sides, plan, hasUnnamedSecret } = markedPlan(subject);
  const otherwise = isCertainlyReplaced(subject) ? undefined : otherwiseOf(subject, sides, plan);
  const isReplaced = resource.fate === "replace" && otherwise === undefined;
  const planned = otherwise === undefined ? REPORT_VERDICTS[plan.verdict] : perhapsReplaced(otherwise);
  // The engine updates the resource even if only a counter changes or an earlier wait continues.
  const reportVerdict = isReplaced ? "replace" : planned === "unchanged" ? "in-place" : planned;
  const providerVerdict = provider.verdict ?? reportVerdict;
  const verdict = stricter(reportVerdict, providerVerdict);
  return {
    verdict,
    reasons: reasonsOf(plan.changes, subject),
    providerVerdict: providerVerdict === reportVerdict ? undefined : providerVerdict,
    otherwise: verdict === "replace" ? undefined : otherwise,
    plan,
    hasUnnamedSecret,
  };
}

/** The verdict if the deployment is not replaced: the stricter of the two verdicts, the provider's and the report's. */
function otherwiseOf(subject: Subject, sides: Sides, plan: Plan): ReportVerdict | undefined {
  const { resource, provider } = subject;
  // The engine follows `ignoreChanges` only if it does not replace the deployment.
  const ignored = resource.fate === "replace" ? (resource.after?.ignoreChanges ?? []).map(namesIn) : [];
  const news = ignored.reduce(
    (inputs, names) => withValueAt(inputs, names, valueAt(sides.olds, names)) as Properties,
    sides.news,
  );
  const { otherwise } = ignored.length === 0 ? plan : planOf(subject, { ...sides, news });
  if (otherwise === undefined) return undefined;
  const reportVerdict = REPORT_VERDICTS[otherwise.verdict];
  return stricter(reportVerdict, provider.otherwise ?? reportVerdict);
}

const planOf = ({ profile, leaves }: Subject, { olds, news }: Sides): Plan =>
  planUpdate(olds, news, profile, { leaves });

/** If the generation counts a revision that no visible change explains, a hidden value has changed. */
function markedPlan(subject: Subject) {
  const { provider, resource, news } = subject;
  const sides = withHiddenChanges(subject, { line: provider.line, details: resource.details });
  const plan = planOf(subject, sides);
  const generation = resource.before?.inputs?.revisionGeneration;
  const moves = typeof generation === "number" && news.revisionGeneration !== generation;
  if (!moves || hasChanges(plan) || sides.secretPaths.length === 0)
    return { sides, plan, hasUnnamedSecret: false };
  const allMarked = withAllMarked(sides);
  return { sides: allMarked, plan: planOf(subject, allMarked), hasUnnamedSecret: true };
}

function hasPreviousFailure(olds: Properties): boolean {
  return hasFailed(olds) || isUnfinished(olds) || isDoubtful(olds) || olds.incomplete === true;
}

function secretsBetween(
  { olds, news, resource }: Subject,
  { plan }: Evaluation,
): DeploymentReport["secrets"] {
  const before = propertiesIn(olds.secretGenerations);
  const after = propertiesIn(news.secretGenerations);
  if (resource.fate === "delete" || resource.fate === "leftover")
    return { added: [], changed: [], removed: [] };
  const has = Object.hasOwn;
  return {
    added: Object.keys(after).filter((name) => !has(before, name)),
    changed: Object.keys(after).filter((name) => has(before, name) && before[name] !== after[name]),
    removed: [
      ...Object.keys(before).filter(
        (name) =>
          !has(after, name) &&
          news.secretGenerations !== UNKNOWN &&
          !has(propertiesIn(news.environment), name),
      ),
      ...foreignLosses((plan?.otherwise ?? plan)?.changes ?? []),
    ],
  };
}

function builtFrom(current: Properties): string | null {
  const args = argumentsOf(current);
  const textAt = (name: string) => textOf(valueAt(args, ["sourceRevisionConfig", name]));
  return textAt("imageUri") ?? textAt("repoRef") ?? textAt("sourceTarballPath");
}

const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

function textOf(value: unknown): string | null {
  if (value === UNKNOWN) return UNKNOWN_VALUE;
  return typeof value === "string" ? value : null;
}
