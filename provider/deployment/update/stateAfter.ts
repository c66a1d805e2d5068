/** The state after an update that an earlier run has left in doubt, as the service shows it. */
import { randomUUID } from "node:crypto";
import { isProperties, type Properties, sameValue } from "../../fields/value";
import { FORCING } from "../intent";
import { begun } from "../operation";
import { refreshedState, shownSecrets } from "../state";
import type { Doubt } from "./interrupted";
import type { Shown } from "./patch";
import type { Update } from "./plannedUpdate";

/** What a look at the service found. */
export interface Look {
  readonly resource: Properties;
  readonly shown: Shown | undefined;
}

/** What an update goes on from once the service was looked at. */
export function stateAfter(update: Update, doubt: Doubt, look: Look): Properties {
  return { ...refreshedSince(update, doubt, look), ...secretsAfter(update, doubt, look) };
}

/** The state as it would be had the run not been interrupted, and refreshed since. */
function refreshedSince(
  { call, olds, news }: Update,
  { sent, answer }: Doubt,
  { resource, shown }: Look,
): Properties {
  const { uncertainSince: _doubt, ...recorded } = olds;
  const latest = resource.latest_revision_id;
  const isItsOwn = answer === undefined || answer === latest;
  const before = shown !== undefined && isItsOwn ? merged(recorded, sent) : recorded;
  const state: Properties = {
    ...refreshedState(before as Properties, resource, call.profile),
    latestRevisionId: latest,
  };
  if (shown !== undefined) for (const name of FORCING) state[name] = sent[name];
  // A revision never changes: what the service shows of its settings is the resolved form of what was sent.
  if (typeof latest === "string" && answer === latest)
    state.sourceRevisionConfig = merged(state.sourceRevisionConfig, sent.sourceRevisionConfig);
  if (shown?.made?.made !== true && latest === olds.latestRevisionId) return state;
  return { ...state, latestRevisionStatus: null, rolloutState: begun(news).state };
}

/** The one over the other; groups member by member. */
function merged(one: unknown, other: unknown): unknown {
  if (!isProperties(one) || !isProperties(other)) return other ?? one;
  const names = Object.keys(other).map((name) => [name, merged(one[name], other[name])]);
  return { ...one, ...Object.fromEntries(names) };
}

/**
 * The secrets that the service has after an update of them: those of the program where it shows just these. Else nobody
 * knows, since no trace of a value is kept, and the program may have changed since: they count as changed.
 */
function secretsAfter(
  { call, olds, news }: Update,
  { secretNames }: Doubt,
  { resource, shown }: Look,
): Properties {
  if (secretNames === undefined) return {};
  const [live, wanted, before] = [shownSecrets(resource, call.profile), news.secrets, olds.secrets].map(
    (each) => (isProperties(each) ? each : {}),
  ) as [Properties, Properties, Properties];
  const names = Object.keys(live);
  const allRemoved = shown !== undefined && secretNames.length === 0 && Object.keys(wanted).length === 0;
  if (names.length > 0 ? sameValue(live, wanted) : allRemoved) return { secrets: news.secrets };
  const unknown = randomUUID();
  const possible = [...names, ...Object.keys(before), ...secretNames];
  return { secrets: Object.fromEntries(possible.map((name) => [name, unknown])) };
}
