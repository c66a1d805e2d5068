/** What an update of a listener will do: asked by `diff`, and by the report of a preview, with the same answer. */

import { listenerRows } from "./fields/listener";
import { normalizedRows, type Properties, rowsIn } from "./fields/value";
import type { Profile } from "./profiles/profiles";
import { type Change, changesBetween, type Verdict, verdictOf } from "./verdict/changes";

export interface ListenerPlan {
  readonly changes: readonly Change[];
  readonly verdict: Verdict;
}

export function planListener(olds: Properties, news: Properties, profile: Profile): ListenerPlan {
  const changes = changesBetween(listenerRows, listenerArguments(olds), listenerArguments(news), profile);
  return { changes, verdict: verdictOf(changes) };
}

/** The arguments alone, in normal form. */
export function listenerArguments(properties: Properties): Properties {
  return normalizedRows(listenerRows, rowsIn(listenerRows, properties));
}
