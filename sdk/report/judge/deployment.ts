/** The verdict on one deployment: by the function with which the provider itself plans. */
import { argumentsOf } from "../../../provider/deployment/arguments";
import { hasChanges, onDestroyOf, type Plan, planUpdate } from "../../../provider/deployment/plan";
import { hasFailed, isDoubtful, isUnfinished } from "../../../provider/deployment/state";
import { isProperties, type Properties, UNKNOWN, valueAt } from "../../../provider/fields/value";
import { isRetained } from "../../../provider/host/carried";
import type { Profile } from "../../../provider/profiles/profiles";
import { type DeploymentReport, type Reason, type ReportVerdict, UNKNOWN_VALUE, VERDICTS } from "../model";
import { recordedOf } from "../read/resources";
import type { Case } from "./judge";
import { hiddenPaths, withAllMarked, withMarks } from "./masks";
import { reasonsOf } from "./reasons";
import { warningsFor } from "./warnings";

/** What is known of one deployment before the report is written. */
export interface Judged {
  readonly verdict: ReportVerdict;
  readonly reasons: readonly Reason[];
  /** What the provider said instead, where it was something else. */
  readonly said: ReportVerdict | undefined;
  readonly plan: Plan | undefined;
  readonly profile: Profile;
  readonly olds: Properties;
  readonly news: Properties;
  /** Whether something secret changes of which the preview does not tell what. */
  readonly inTheDark: boolean;
}

export function judgeDeployment(subject: Case): DeploymentReport {
  const { resource, told, dependents } = subject;
  const judged = judgedOf(subject);
  const { verdict, reasons, olds, news } = judged;
  const current = Object.keys(news).length > 0 ? news : olds;
  const comes = MAKES_REVISION.includes(verdict);
  return {
    urn: resource.urn,
    name: resource.name,
    deploymentName: textOf(current.name),
    id: resource.before?.id ?? told?.adopts ?? null,
    verdict,
    reasons: [...reasons],
    warnings: warningsFor(subject, judged),
    secrets: secretsBetween(olds, news, resource.fate),
    generation: { before: numberOf(olds.revisionGeneration), after: numberOf(news.revisionGeneration) },
    revisions: {
      latestId: textOf(olds.latestRevisionId),
      latestStatus: textOf(olds.latestRevisionStatus),
      activeId: textOf(olds.activeRevisionId),
    },
    builtFrom: builtFrom(current),
    fate: fateOf(judged),
    ...(resource.leftovers.length === 0 ? {} : { leftovers: resource.leftovers.map(({ id = "" }) => id) }),
    previousFailure: isOwedSomething(olds),
    listenerId: textOf(valueAt(current, ["sourceConfig", "listenerId"])),
    connection: textOf(current.connection),
    dependents: (dependents.get(resource.urn) ?? []).map((dependent) => ({
      ...dependent,
      followsRevision: comes && dependent.followsRevision,
    })),
  };
}

const MAKES_REVISION: readonly ReportVerdict[] = ["replace", "new-revision", "may-create-revision"];

const OWN: { readonly [verdict in Plan["verdict"]]: ReportVerdict } = {
  replace: "replace",
  newRevision: "new-revision",
  mayRevise: "may-create-revision",
  inPlace: "in-place",
  unchanged: "unchanged",
};

function judgedOf(subject: Case): Judged {
  const { resource, told } = subject;
  const profile = subject.profileOf(resource);
  const olds = recordedOf(resource.before);
  const news = resource.after?.inputs ?? {};
  const still = { reasons: [], said: undefined, plan: undefined, profile, olds, news, inTheDark: false };
  switch (resource.fate) {
    case "create":
      // Of a creation that takes over what exists, the provider alone has seen what is there.
      return { ...still, verdict: told?.adopts === undefined ? "create" : (told.verdict ?? "create") };
    case "delete":
    case "leftover":
      return { ...still, verdict: "delete" };
    case "update":
    case "replace":
      return judgedUpdate(subject, profile, olds, news);
    default:
      return { ...still, verdict: "unchanged" };
  }
}

function judgedUpdate(subject: Case, profile: Profile, olds: Properties, news: Properties): Judged {
  const { resource, told } = subject;
  const { marked, inTheDark } = markedSides(subject, profile, olds, news);
  const plan = planUpdate(marked.olds, marked.news, profile);
  const own = resource.fate === "replace" ? "replace" : atLeastInPlace(OWN[plan.verdict]);
  const said = told?.verdict;
  return {
    verdict: said === undefined ? own : stricter(own, said),
    reasons: reasonsOf(plan.changes, olds, news),
    said: said === own ? undefined : said,
    plan,
    profile,
    olds,
    news,
    inTheDark,
  };
}

/** Where the counter says that a revision comes or may come, and nothing that shows explains it, something hidden changes. */
function markedSides({ told, resource }: Case, profile: Profile, olds: Properties, news: Properties) {
  const marked = withMarks(olds, news, told?.line);
  const counted = resource.before?.inputs?.revisionGeneration;
  const moves = typeof counted === "number" && news.revisionGeneration !== counted;
  const plan = planUpdate(marked.olds, marked.news, profile);
  const explained = !moves || hasChanges(plan) || hiddenPaths(marked).length === 0;
  return explained ? { marked, inTheDark: false } : { marked: withAllMarked(marked), inTheDark: true };
}

/** The engine updates it, if only for a counter or for a wait that goes on. */
function atLeastInPlace(verdict: ReportVerdict): ReportVerdict {
  return verdict === "unchanged" ? "in-place" : verdict;
}

export function stricter(a: ReportVerdict, b: ReportVerdict): ReportVerdict {
  return VERDICTS.indexOf(a) <= VERDICTS.indexOf(b) ? a : b;
}

export function isOwedSomething(olds: Properties): boolean {
  return hasFailed(olds) || isUnfinished(olds) || isDoubtful(olds) || olds.incomplete === true;
}

function fateOf({ verdict, olds, profile }: Judged): DeploymentReport["fate"] {
  if (verdict !== "delete" && verdict !== "replace") return null;
  const policy = onDestroyOf(olds, profile, isRetained(olds));
  if (policy === "fail") return "refused";
  return policy === "delete" && profile.capabilities.deleteDeployment ? "deleted" : "retained";
}

function secretsBetween(olds: Properties, news: Properties, fate: string): DeploymentReport["secrets"] {
  const [before, after] = [olds, news].map(({ secretGenerations }) =>
    isProperties(secretGenerations) ? secretGenerations : {},
  ) as [Properties, Properties];
  if (fate === "delete" || fate === "leftover") return { added: [], changed: [], removed: [] };
  const has = Object.hasOwn;
  return {
    added: Object.keys(after).filter((name) => !has(before, name)),
    changed: Object.keys(after).filter((name) => has(before, name) && before[name] !== after[name]),
    removed: Object.keys(before).filter((name) => !has(after, name) && news.secretGenerations !== UNKNOWN),
  };
}

function builtFrom(current: Properties): string | null {
  const { imageUri, repoRef, sourceTarballPath } = argumentsIn(current);
  return textOf(imageUri) ?? textOf(repoRef) ?? textOf(sourceTarballPath);
}

function argumentsIn(current: Properties): Properties {
  const config = argumentsOf(current).sourceRevisionConfig;
  return isProperties(config) ? config : {};
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function textOf(value: unknown): string | null {
  if (value === UNKNOWN) return UNKNOWN_VALUE;
  return typeof value === "string" ? value : null;
}
