/** Judges one deployment with the provider's own planning function. */

import { argumentsOf } from "../../../provider/deployment/arguments";
import { hasChanges, type Plan, planUpdate } from "../../../provider/deployment/plan";
import { hasFailed, isDoubtful, isUnfinished } from "../../../provider/deployment/rollout/record";
import { foreignLosses } from "../../../provider/deployment/variables";
import { sameValue } from "../../../provider/fields/compare";
import { type Properties, propertiesIn, UNKNOWN, valueAt, withValueAt } from "../../../provider/fields/value";
import { type DeploymentReport, type ReportVerdict, stricter, UNKNOWN_VALUE } from "../model";
import { perhapsReplaced, REPORT_VERDICTS } from "../read/heard";
import { namesIn } from "../read/hidden";
import { endOf, isForbidden, type Judged, type Judgement, notUnderstoodOf, type Subject } from "./case";
import { type Ending, endingUnderSameName } from "./ending";
import { type Sides, withAllMarked, withMarks } from "./masks";
import { reasonsOf } from "./reasons";
import { warningsFor } from "./warnings";

/** The report on the deployment, and why the up fails on it although the preview passed, if it does. */
export function judgeDeployment(subject: Subject): Judged<DeploymentReport> {
  const { resource, olds, news, provider, dependents } = subject;
  const { latestRevisionId, latestRevisionStatus, activeRevisionId } = subject.current;
  const judgement = judgementOf(subject);
  const { verdict, reasons, otherwise } = judgement;
  const ending = endingFor(subject, judgement);
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
    warnings: warningsFor(subject, judgement, ending),
    ...notUnderstoodOf(subject),
    secrets: secretsBetween(subject, judgement),
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
    ...(isForbidden(subject, judgement) ? { forbidden: true as const } : {}),
    previousFailure: hasPreviousFailure(subject.current),
    listenerId: textOf(valueAt(current, ["sourceConfig", "listenerId"])),
    connection: textOf(current.connection),
    dependents: dependents.map((dependent) => ({
      ...dependent,
      followsRevision: makesRevision && dependent.followsRevision,
    })),
  };
  return { report, refusal: ending?.refusal };
}

const MAKES_REVISION: readonly ReportVerdict[] = ["replace", "new-revision", "may-create-revision"];

/**
 * An old deployment that stays collides with a successor of the same name. If an option keeps it, only the report can
 * know.
 */
function endingFor(subject: Subject, judgement: Judgement): Ending | undefined {
  const ending = endOf(subject, judgement);
  // If the preview failed on the deployment, the provider has already refused it.
  if (ending === undefined || subject.hasFailed || judgement.verdict !== "replace") return ending;
  if (!meetsOld(subject, judgement)) return ending;
  return endingUnderSameName(ending, String(subject.olds.name), subject.resource);
}

/** A deployment that the engine replaces without a change of its arguments may keep all of them, including its name. */
function meetsOld({ resource, olds, news }: Subject, { plan }: Judgement): boolean {
  const isOwn = !resource.isReplacedAnyway && plan !== undefined && plan.replaces.length > 0;
  const staysSame = ["name", "connection"].every((name) => sameValue(olds[name], news[name]));
  return plan?.meetsOld === "yes" || (!isOwn && staysSame);
}

/** A line that is not understood may announce a revision, and so may a step that no provider has planned. */
function judgementOf(subject: Subject): Judgement {
  const judgement = understoodJudgement(subject);
  const { fate, isUnplanned, unknownOperation } = subject.resource;
  const isOpen = unknownOperation !== undefined || (isUnplanned && fate !== "create");
  return subject.provider.notUnderstood.length === 0 && !isOpen
    ? judgement
    : { ...judgement, verdict: stricter(judgement.verdict, "may-create-revision") };
}

function understoodJudgement(subject: Subject): Judgement {
  const { resource, provider } = subject;
  const base = {
    reasons: [],
    providerVerdict: undefined,
    otherwise: undefined,
    plan: undefined,
    hasUnnamedSecret: false,
  };
  // The engine reads an import only with known settings.
  const isUnread = resource.isUnplanned && resource.imports !== undefined && resource.fate !== "import";
  if (resource.unknownOperation !== undefined || isUnread) return { ...base, verdict: "may-create-revision" };
  switch (resource.fate) {
    case "create":
      // For an adoption, only the provider has seen the existing deployment.
      return { ...base, verdict: provider.adopts === undefined ? "create" : (provider.verdict ?? "create") };
    case "delete":
    case "leftover":
      return { ...base, verdict: "delete" };
    case "update":
    case "replace":
      return judgementOfUpdate(subject);
    default:
      return { ...base, verdict: "unchanged" };
  }
}

function judgementOfUpdate(subject: Subject): Judgement {
  const { resource, provider, profile, leaves } = subject;
  const { sides, hasUnnamedSecret } = markedSides(subject);
  const plan = planUpdate(sides.olds, sides.news, profile, { leaves });
  const isCertain = resource.isReplacedAnyway && provider.verdict === undefined;
  const stayingInputs = withIgnored(subject, sides);
  const planIfStaying =
    stayingInputs === sides.news ? plan : planUpdate(sides.olds, stayingInputs, profile, { leaves });
  const otherwise = isCertain ? undefined : otherwiseOf(planIfStaying, provider.otherwise);
  const isReplaced = resource.fate === "replace" && otherwise === undefined;
  const reportVerdict = isReplaced ? "replace" : atLeastInPlace(ownVerdict(plan, otherwise));
  const providerVerdict = provider.verdict;
  const verdict = providerVerdict === undefined ? reportVerdict : stricter(reportVerdict, providerVerdict);
  return {
    verdict,
    reasons: reasonsOf(plan.changes, subject),
    providerVerdict: providerVerdict === reportVerdict ? undefined : providerVerdict,
    otherwise: verdict === "replace" ? undefined : otherwise,
    plan,
    hasUnnamedSecret,
  };
}

/** The new inputs if the deployment stays. The engine applies ignored changes only to a replacement. */
function withIgnored({ resource }: Subject, { olds, news }: Sides): Properties {
  const ignored = resource.fate === "replace" ? (resource.after?.ignoreChanges ?? []).map(namesIn) : [];
  return ignored.reduce(
    (inputs, names) => withValueAt(inputs, names, valueAt(olds, names)) as Properties,
    news,
  );
}

/** The verdict if the deployment is not replaced: the stricter one of the provider's and the report's. */
function otherwiseOf(
  { otherwise }: Plan,
  providerVerdict: ReportVerdict | undefined,
): ReportVerdict | undefined {
  if (otherwise === undefined) return undefined;
  const reportVerdict = REPORT_VERDICTS[otherwise.verdict];
  return providerVerdict === undefined ? reportVerdict : stricter(reportVerdict, providerVerdict);
}

const ownVerdict = ({ verdict }: Plan, otherwise: ReportVerdict | undefined): ReportVerdict =>
  otherwise === undefined ? REPORT_VERDICTS[verdict] : perhapsReplaced(otherwise);

/** If the generation counts a revision that no visible change explains, a hidden value has changed. */
function markedSides(subject: Subject) {
  const { provider, resource, news, profile, leaves } = subject;
  const sides = withMarks(subject, { line: provider.line, details: resource.details });
  const generation = resource.before?.inputs?.revisionGeneration;
  const moves = typeof generation === "number" && news.revisionGeneration !== generation;
  const plan = planUpdate(sides.olds, sides.news, profile, { leaves });
  const explained = !moves || hasChanges(plan) || sides.secretPaths.length === 0;
  return explained
    ? { sides, hasUnnamedSecret: false }
    : { sides: withAllMarked(sides), hasUnnamedSecret: true };
}

/** The engine updates the resource, even if only for a counter or for a wait that continues. */
function atLeastInPlace(verdict: ReportVerdict): ReportVerdict {
  return verdict === "unchanged" ? "in-place" : verdict;
}

function hasPreviousFailure(olds: Properties): boolean {
  return hasFailed(olds) || isUnfinished(olds) || isDoubtful(olds) || olds.incomplete === true;
}

function secretsBetween({ olds, news, resource }: Subject, { plan }: Judgement): DeploymentReport["secrets"] {
  const [before, after] = [olds, news].map(({ secretGenerations }) => propertiesIn(secretGenerations)) as [
    Properties,
    Properties,
  ];
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
