/** What an update will do: asked by `diff` for the plan, and by `update` before its PATCH, with the same answer. */

import { deploymentRows } from "../fields/deployment";
import { isAbsent, isProperties, normalizedRows, type Properties, sameValue } from "../fields/value";
import { hiddenIn, programName, RETAINED } from "../host/carried";
import type { Profile } from "../profiles/profiles";
import { type Change, changesBetween, managesRevision, type Verdict, verdictOf } from "../verdict/changes";
import { describeVerdict, plain } from "../verdict/describe";
import { argumentsOf } from "./arguments";
import { hasFailed, isDoubtful, isUnfinished } from "./state";

export interface Plan {
  readonly changes: readonly Change[];
  /** Of the changes and of what is owed to the last rollout. */
  readonly verdict: Verdict;
  /** What the last apply left to do: wait on for its revision, make it again, or find out whether it happened at all. */
  readonly rollout: "done" | "resume" | "remake" | "doubt";
  readonly replaces: readonly string[];
}

/** The plan of an update from the recorded state (or old inputs) to new inputs. */
export function planUpdate(olds: Properties, news: Properties, profile: Profile): Plan {
  const changes = changesOf(olds, news, profile);
  const replaces = [
    ...new Set(
      changes.filter(({ effect }) => effect === "replace").map(({ path }) => path.split(".")[0] as string),
    ),
  ];
  const own = verdictOf(changes);
  const rollout = owed(olds, news, own);
  return { changes, rollout, replaces, verdict: verdictWith(rollout, own, news) };
}

function changesOf(olds: Properties, news: Properties, profile: Profile): Change[] {
  // Most of a fleet's are as they were, which takes a fifth of the time to see.
  if (Object.keys(deploymentRows).every((name) => sameValue(olds[name], news[name]))) return [];
  const [before, after] = [olds, news].map((each) => normalizedRows(deploymentRows, argumentsOf(each)));
  return changesBetween(deploymentRows, before as Properties, after as Properties, profile);
}

/** A failed revision is made again unless this update makes a new one anyway; an unfinished one is waited for. */
function owed(olds: Properties, news: Properties, verdict: Verdict): Plan["rollout"] {
  if (verdict === "replace") return "done";
  if (isDoubtful(olds)) return "doubt";
  if (verdict === "newRevision") return "done";
  if (hasFailed(olds)) return canRemake(news) ? "remake" : "resume";
  return isUnfinished(olds) ? "resume" : "done";
}

function canRemake(news: Properties): boolean {
  return managesRevision(news) || isProperties(news.secrets);
}

function verdictWith(rollout: Plan["rollout"], own: Verdict, news: Properties): Verdict {
  if (rollout === "remake") return managesRevision(news) ? "newRevision" : "mayRevise";
  return rollout === "doubt" && own !== "newRevision" ? "mayRevise" : own;
}

/** Whether it makes, or may make, a revision. */
export function revises({ verdict }: Plan): boolean {
  return verdict === "newRevision" || verdict === "mayRevise";
}

export function hasChanges(plan: Plan): boolean {
  return plan.changes.length > 0 || plan.rollout !== "done";
}

/** The plan's one line: `deployment "chat": creates a new revision (…)`. */
export function lineOf(plan: Plan, olds: Properties, news: Properties, id: string, profile: Profile): string {
  return `deployment "${plain(programName(news))}": ${wordsOf(plan, olds, news, id, profile)}`;
}

function wordsOf(plan: Plan, olds: Properties, news: Properties, id: string, profile: Profile): string {
  const words = describeVerdict(verdictOf(plan.changes), plan.changes, hiddenIn(olds, news));
  const revision = `revision ${olds.latestRevisionId ?? "of which no id is known"}`;
  const ended = `${olds.latestRevisionStatus ?? "is unfinished"}`;
  if (plan.verdict === "replace") return `${words}; ${fate(olds, id, profile)}`;
  const further = plan.changes.length > 0 ? `; also ${words}` : "";
  if (plan.rollout === "remake") {
    return `${plan.verdict === "newRevision" ? "creates" : "may create"} a new revision (makes it again: ${revision} ended ${ended})${further}`;
  }
  if (plan.rollout === "doubt") {
    const doubt = "it is not known whether the last update was applied: the up looks first";
    return plan.verdict === "newRevision"
      ? `${words}; ${doubt}`
      : `may create a new revision (${doubt})${further}`;
  }
  if (plan.rollout === "resume")
    return `resumes waiting for ${revision} (${ended}), no new revision for that${further}`;
  return words;
}

/** What becomes of the deployment that is replaced. */
function fate(olds: Properties, id: string, profile: Profile): string {
  return onDestroyOf(olds, profile) === "delete"
    ? `the old one, id ${id}, is deleted`
    : `the old one stays, id ${id}`;
}

/** The policy in force: what the options retain, the engine does not ask to delete. */
export function onDestroyOf(properties: Properties, profile: Profile): string {
  const policy = typeof properties.onDestroy === "string" ? properties.onDestroy : profile.onDestroy;
  return policy === "delete" && properties[RETAINED] === true ? "retain" : policy;
}

/** What the service keeps although the program no longer gives it, in the words of a warning; undefined for nothing. */
export function keptWords(plan: Plan): string | undefined {
  const paths = plan.changes.filter(({ effect }) => effect === "kept").map(({ path }) => plain(path));
  return paths.length === 0
    ? undefined
    : `the service keeps what the program no longer gives: ${paths.join(", ")}`;
}

/** Why the plan must not be carried out, or undefined. */
export function refusalOf(
  plan: Plan,
  olds: Properties,
  news: Properties,
  profile: Profile,
  configured: "allow" | "forbid",
): string | undefined {
  const label = `deployment "${plain(programName(news))}"`;
  if (plan.verdict === "replace") return replacementRefusal(label, plan, olds, news, profile);
  if (configured !== "forbid" && news.newRevisions !== "forbid") return undefined;
  if (!revises(plan)) return undefined;
  const words = wordsOf(plan, olds, news, "", profile);
  const from =
    news.newRevisions === "forbid" ? "its argument newRevisions" : "the configuration's newRevisions";
  return `${label}: ${from} is "forbid", but this update ${words}. Take the change back, or set newRevisions to "allow" for this run`;
}

function replacementRefusal(
  label: string,
  plan: Plan,
  olds: Properties,
  news: Properties,
  profile: Profile,
): string | undefined {
  const reasons = describeVerdict("replace", plan.changes, hiddenIn(olds, news));
  const policy = onDestroyOf(olds, profile);
  if (policy === "fail") {
    return `${label}: ${reasons}, but onDestroy is "fail", which forbids it. Take the change back, or apply another onDestroy first`;
  }
  if (!keepsName(plan, olds, news) || deletesFirst(plan, olds, news, profile)) return undefined;
  return (
    `${label}: ${reasons}, but keeps the name "${plain(String(news.name))}": the new deployment is created first and would meet ` +
    "the old one, which stays. Change name too"
  );
}

/** Whether the new deployment would meet its own predecessor. Moving to another service meets none. */
function keepsName(plan: Plan, olds: Properties, news: Properties): boolean {
  if (plan.replaces.includes("connection")) return false;
  return !isAbsent(olds.name) && olds.name === news.name && plan.changes.some(isCertainReplacement);
}

function isCertainReplacement(change: Change): boolean {
  return change.effect === "replace" && !change.unknown;
}

/** Whether the old deployment has to be deleted before the new one is made. */
export function deletesFirst(plan: Plan, olds: Properties, news: Properties, profile: Profile): boolean {
  const canDelete = profile.capabilities.deleteDeployment && onDestroyOf(olds, profile) === "delete";
  return canDelete && keepsName(plan, olds, news);
}
