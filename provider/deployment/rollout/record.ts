/** The last rollout as the state records it: how it ended, and the last good revision. */
import { sameValue } from "../../fields/compare";
import { deploymentRows, sourceConfigRows } from "../../fields/deployment";
import type { Rows } from "../../fields/kind";
import { isProperties, type Properties, propertiesIn, valueAt } from "../../fields/value";
import { VERIFY_FAILED } from "../../fields/verification";
import { HELD } from "../../verdict/describe";
import { isVariable, variablesOf } from "../variables";

function isFailure(status: unknown): boolean {
  return typeof status === "string" && status.endsWith("_FAILED");
}

/** Whether a revision with this status will never be deployed, because it failed, was skipped or was interrupted. */
export const isLost = (status: unknown): boolean =>
  isFailure(status) || status === "SKIPPED" || status === "INTERRUPTED";

export function hasFailed(state: Properties): boolean {
  return state.rolloutState === "failed" || isFailure(state.latestRevisionStatus);
}

export function isUnfinished(state: Properties): boolean {
  return state.rolloutState === "unfinished";
}

/** Whether the last update is in doubt. `uncertainSince`: when the update in doubt was sent, in ms since 1970. */
export function isDoubtful(state: Properties): boolean {
  return typeof state.uncertainSince === "number";
}

/** Whether the last revision gave a wrong reply to a question that the program has changed since then. */
export function asksAnew({ latestRevisionStatus, ...olds }: Properties, news: Properties): boolean {
  // Secrets are not compared, because the plugin's outputs hold none.
  const [before, after] = [olds, news].map((args) => {
    const { apiKey: _secret, ...question } = propertiesIn(valueAt(args, ["rollout", "verify"]));
    return question;
  }) as [Properties, Properties];
  // After a failed update, the state has a placeholder for each secret member.
  const members = Object.entries(before).map(([name, value]) => [name, value === HELD ? after[name] : value]);
  const lastQuestion = { messages: after.messages, ...Object.fromEntries(members) };
  return latestRevisionStatus === VERIFY_FAILED && !sameValue(lastQuestion, after);
}

/**
 * The record of the last good revision, which was deployed and, if verified, gave the expected replies. The record
 * holds no argument values.
 */
export interface Good {
  readonly revision: unknown;
  /** The state's `revisionGeneration` when `changed` was recorded; at any other generation, `changed` is incomplete. */
  readonly generation: unknown;
  /** Paths of the arguments that failed updates have changed since that revision. */
  readonly changed: readonly string[];
}

export const goodAt = (revision: unknown, { revisionGeneration }: Properties): Good => ({
  revision,
  generation: revisionGeneration,
  changed: [],
});

/** The last good revision that the state records; undefined if the state records none. */
export function goodIn(state: Properties): Good | undefined {
  if (isProperties(state.lastGood)) return state.lastGood as unknown as Good;
  const isGood = state.rolloutState === "deployed" && state.incomplete !== true;
  return isGood ? goodAt(state.latestRevisionId, state) : undefined;
}

/** Paths of the state's arguments that may have changed since the last good revision was deployed. */
export function unprovenIn(state: Properties, { generation, changed }: Good): readonly string[] {
  // An update whose rollout nobody awaited may have changed any argument.
  return generation === state.revisionGeneration
    ? changed.filter(isNoted)
    : PLACES.filter((place) => valueAt(state, place.split(".")) !== undefined);
}

/**
 * The last good revision to record after a write that sent nothing or did not end in a good revision. `before`: the
 * state before the write.
 */
export function carriedGood(before: Properties, after: Properties): Good | undefined {
  if (!isProperties(before.lastGood)) return undefined;
  const good = before.lastGood as unknown as Good;
  const areVariablesSame = sameValue(variablesOf(before), variablesOf(after));
  const changed = PLACES.filter((place) => {
    const path = place.split(".");
    return (
      !(areVariablesSame && isVariable(place)) && !sameValue(valueAt(before, path), valueAt(after, path))
    );
  });
  return {
    ...good,
    generation: after.revisionGeneration,
    changed: [...new Set([...unprovenIn(before, good), ...changed])],
  };
}

const sentPlaces = (rows: Rows, above = ""): string[] =>
  Object.entries(rows).flatMap(([name, { wire }]) => (wire === undefined ? [] : [above + name]));

/** The arguments that are sent outside a revision's settings, except name and source, which no update can change. */
const PLACES = [
  ...sentPlaces(deploymentRows).filter(
    (name) => !["name", "source", "sourceConfig", "sourceRevisionConfig"].includes(name),
  ),
  ...sentPlaces(sourceConfigRows, "sourceConfig."),
];

/** Whether changes of this path are recorded in `changed`. */
export const isNoted = (path: string): boolean => PLACES.some((place) => `${path}.`.startsWith(`${place}.`));
