/** The verdict on one deployment: by the function with which the provider itself plans. */
import { argumentsOf } from "../../../provider/deployment/arguments";
import { foreignLosses } from "../../../provider/deployment/foreignSecrets";
import { hasChanges, type Plan, planUpdate } from "../../../provider/deployment/plan";
import { hasFailed, isDoubtful, isUnfinished } from "../../../provider/deployment/state";
import { withValueAt } from "../../../provider/fields/compare";
import { isProperties, type Properties, sameValue, UNKNOWN, valueAt } from "../../../provider/fields/value";
import { type DeploymentReport, type ReportVerdict, stricter, UNKNOWN_VALUE } from "../model";
import { perhapsReplaced, REPORTED } from "../read/heard";
import { namesIn } from "../read/hidden";
import { endOf, type Judgement, notUnderstoodOf, type Subject } from "./case";
import { type Ending, underItsName } from "./ending";
import { type Sides, withAllMarked, withMarks } from "./masks";
import { reasonsOf } from "./reasons";
import { warningsFor } from "./warnings";

export function judgeDeployment(subject: Subject): DeploymentReport {
  const { resource, olds, news, heard, dependents } = subject;
  const judgement = judgementOf(subject);
  const { verdict, reasons, otherwise } = judgement;
  const ending = endingFor(subject, judgement);
  const after = otherwise === undefined ? numberOf(news.revisionGeneration) : null;
  const current = Object.keys(news).length > 0 ? news : olds;
  const comes = MAKES_REVISION.includes(verdict);
  return {
    urn: resource.urn,
    name: resource.name,
    deploymentName: textOf(current.name),
    id: resource.before?.id ?? heard.adopts ?? null,
    verdict,
    reasons: [...reasons],
    warnings: warningsFor(subject, judgement, ending),
    ...notUnderstoodOf(subject),
    secrets: secretsBetween(subject, judgement),
    generation: { before: numberOf(olds.revisionGeneration), after },
    revisions: {
      latestId: textOf(olds.latestRevisionId),
      latestStatus: textOf(olds.latestRevisionStatus),
      activeId: textOf(olds.activeRevisionId),
    },
    builtFrom: builtFrom(current),
    fate: ending?.fate ?? null,
    ...(otherwise === undefined ? {} : { otherwise }),
    ...(resource.leftovers.length === 0 ? {} : { leftovers: resource.leftovers.map(({ id = "" }) => id) }),
    previousFailure: isOwedSomething(olds),
    listenerId: textOf(valueAt(current, ["sourceConfig", "listenerId"])),
    connection: textOf(current.connection),
    dependents: dependents.map((dependent) => ({
      ...dependent,
      followsRevision: comes && dependent.followsRevision,
    })),
  };
}

const MAKES_REVISION: readonly ReportVerdict[] = ["replace", "new-revision", "may-create-revision"];

/** What keeps its name and stays would meet its successor: the report alone can see that where options keep it. */
function endingFor(subject: Subject, judgement: Judgement): Ending | undefined {
  const ending = endOf(subject, judgement);
  // Where the preview failed on it, the provider has refused already.
  if (ending === undefined || subject.hasFailed || judgement.verdict !== "replace") return ending;
  return meetsOld(subject, judgement) ? underItsName(ending, String(subject.olds.name)) : ending;
}

/** What is replaced with what it depends on may change nothing itself, least of all its name. */
function meetsOld({ resource, olds, news }: Subject, { plan }: Judgement): boolean {
  const stays = (name: string) => sameValue(olds[name], news[name]);
  return plan?.meetsOld === "yes" || (resource.isReplacedAnyway && stays("name") && stays("connection"));
}

/** Why the up fails on it although the preview passed, and what to do; undefined where it does not. */
export function refusalOf(subject: Subject): string | undefined {
  return subject.resource.fate === "replace" ? endingFor(subject, judgementOf(subject))?.refusal : undefined;
}

/** What is said and not understood may be that a revision comes. */
function judgementOf(subject: Subject): Judgement {
  const judgement = judgementByWhatIsUnderstood(subject);
  return subject.heard.notUnderstood.length === 0
    ? judgement
    : { ...judgement, verdict: stricter(judgement.verdict, "may-create-revision") };
}

function judgementByWhatIsUnderstood(subject: Subject): Judgement {
  const { resource, heard } = subject;
  const alone = {
    reasons: [],
    said: undefined,
    otherwise: undefined,
    plan: undefined,
    inTheDark: false,
  };
  switch (resource.fate) {
    case "create":
      // Of a creation that takes over what exists, the provider alone has seen what is there.
      return { ...alone, verdict: heard.adopts === undefined ? "create" : (heard.verdict ?? "create") };
    case "delete":
    case "leftover":
      return { ...alone, verdict: "delete" };
    case "update":
    case "replace":
      return judgementOfUpdate(subject);
    default:
      return { ...alone, verdict: "unchanged" };
  }
}

function judgementOfUpdate(subject: Subject): Judgement {
  const { resource, heard, profile, leaves } = subject;
  const { marked, inTheDark } = markedSides(subject);
  const plan = planUpdate(marked.olds, marked.news, profile, { leaves });
  const isCertain = resource.isReplacedAnyway && heard.verdict === undefined;
  const staying = withIgnored(subject, marked);
  const stays = staying === marked.news ? plan : planUpdate(marked.olds, staying, profile, { leaves });
  const otherwise = isCertain ? undefined : otherwiseOf(stays, heard.otherwise);
  const isReplaced = resource.fate === "replace" && otherwise === undefined;
  const own = isReplaced ? "replace" : atLeastInPlace(ownVerdict(plan, otherwise));
  const said = heard.verdict;
  const verdict = said === undefined ? own : stricter(own, said);
  return {
    verdict,
    reasons: reasonsOf(plan.changes, subject),
    said: said === own ? undefined : said,
    otherwise: verdict === "replace" ? undefined : otherwise,
    plan,
    inTheDark,
  };
}

/** The new inputs of one that stays: what it ignores, the engine shows, and would give, to a new one alone. */
function withIgnored({ resource }: Subject, { olds, news }: Sides): Properties {
  const ignored = resource.fate === "replace" ? (resource.after?.ignoreChanges ?? []).map(namesIn) : [];
  return ignored.reduce((kept, names) => withValueAt(kept, names, valueAt(olds, names)) as Properties, news);
}

/** Of one that may be replaced: the stricter of what the provider said is done else and of what the report finds. */
function otherwiseOf({ otherwise }: Plan, said: ReportVerdict | undefined): ReportVerdict | undefined {
  if (otherwise === undefined) return undefined;
  const own = REPORTED[otherwise.verdict];
  return said === undefined ? own : stricter(own, said);
}

const ownVerdict = ({ verdict }: Plan, otherwise: ReportVerdict | undefined): ReportVerdict =>
  otherwise === undefined ? REPORTED[verdict] : perhapsReplaced(otherwise);

/** Where the counter says that a revision comes or may come, and nothing that shows explains it, something hidden changes. */
function markedSides(subject: Subject) {
  const { heard, resource, news, profile, leaves } = subject;
  const marked = withMarks(subject, { line: heard.line, details: resource.details });
  const counted = resource.before?.inputs?.revisionGeneration;
  const moves = typeof counted === "number" && news.revisionGeneration !== counted;
  const plan = planUpdate(marked.olds, marked.news, profile, { leaves });
  const explained = !moves || hasChanges(plan) || marked.secretPaths.length === 0;
  return explained ? { marked, inTheDark: false } : { marked: withAllMarked(marked), inTheDark: true };
}

/** The engine updates it, if only for a counter or for a wait that goes on. */
function atLeastInPlace(verdict: ReportVerdict): ReportVerdict {
  return verdict === "unchanged" ? "in-place" : verdict;
}

function isOwedSomething(olds: Properties): boolean {
  return hasFailed(olds) || isUnfinished(olds) || isDoubtful(olds) || olds.incomplete === true;
}

function secretsBetween({ olds, news, resource }: Subject, { plan }: Judgement): DeploymentReport["secrets"] {
  const [before, after] = [olds, news].map(({ secretGenerations }) =>
    isProperties(secretGenerations) ? secretGenerations : {},
  ) as [Properties, Properties];
  if (resource.fate === "delete" || resource.fate === "leftover")
    return { added: [], changed: [], removed: [] };
  const has = Object.hasOwn;
  return {
    added: Object.keys(after).filter((name) => !has(before, name)),
    changed: Object.keys(after).filter((name) => has(before, name) && before[name] !== after[name]),
    removed: [
      ...Object.keys(before).filter((name) => !has(after, name) && news.secretGenerations !== UNKNOWN),
      ...foreignLosses((plan?.otherwise ?? plan)?.changes ?? []),
    ],
  };
}

function builtFrom(current: Properties): string | null {
  const given = argumentsOf(current);
  const textAt = (name: string) => textOf(valueAt(given, ["sourceRevisionConfig", name]));
  return textAt("imageUri") ?? textAt("repoRef") ?? textAt("sourceTarballPath");
}

const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

function textOf(value: unknown): string | null {
  if (value === UNKNOWN) return UNKNOWN_VALUE;
  return typeof value === "string" ? value : null;
}
