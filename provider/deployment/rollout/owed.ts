/** The work that the last rollout left, as the state tells it. */
import { sameValue } from "../../fields/compare";
import { type Properties, propertiesIn, valueAt } from "../../fields/value";
import { VERIFY_FAILED } from "../../fields/verification";
import { managesRevision, type Verdict } from "../../verdict/changes";
import { variablesOf } from "../variables";

/** Work left from the last apply: wait for its revision, make it again, or find out whether the update arrived. */
export type Owed = "done" | "resume" | "remake" | "doubt";

export function isFailure(status: unknown): boolean {
  return typeof status === "string" && status.endsWith("_FAILED");
}

export function hasFailed(state: Properties): boolean {
  return state.rolloutState === "failed" || isFailure(state.latestRevisionStatus);
}

export function isUnfinished(state: Properties): boolean {
  return state.rolloutState === "unfinished";
}

/** Whether it is not known if the last update was applied. The note is the time of sending, in ms since 1970. */
export function isDoubtful(state: Properties): boolean {
  return typeof state.uncertainSince === "number";
}

/** A failed revision is made again unless this update makes a new one; an unfinished revision is waited for. */
export function owed(olds: Properties, news: Properties, verdict: Verdict): Owed {
  if (verdict === "replace") return "done";
  if (isDoubtful(olds)) return "doubt";
  if (verdict === "newRevision") return "done";
  if (hasFailed(olds)) return canRemake(news) && !asksAnew(olds, news) ? "remake" : "resume";
  return isUnfinished(olds) ? "resume" : "done";
}

function canRemake(news: Properties): boolean {
  return managesRevision(news) || variablesOf(news) !== undefined;
}

/** Whether the last revision gave a wrong reply to a question that the program has changed since. */
function asksAnew({ latestRevisionStatus, ...olds }: Properties, news: Properties): boolean {
  // The plugin's outputs hold no secret, so these are not compared.
  const [before, after] = [olds, news].map((args) => {
    const { apiKey: _secret, ...question } = propertiesIn(valueAt(args, ["rollout", "verify"]));
    return question;
  }) as [Properties, Properties];
  return latestRevisionStatus === VERIFY_FAILED && !sameValue({ messages: after.messages, ...before }, after);
}
