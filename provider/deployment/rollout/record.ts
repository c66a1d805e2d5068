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

/** Whether the service will never deploy a revision of that status: it failed, was skipped or was interrupted. */
export const isLost = (status: unknown): boolean =>
  isFailure(status) || status === "SKIPPED" || status === "INTERRUPTED";

export function hasFailed(state: Properties): boolean {
  return state.rolloutState === "failed" || isFailure(state.latestRevisionStatus);
}

export function isUnfinished(state: Properties): boolean {
  return state.rolloutState === "unfinished";
}

/** Set if the last update may or may not have been applied. The note is the time of sending, in ms since 1970. */
export function isDoubtful(state: Properties): boolean {
  return typeof state.uncertainSince === "number";
}

/** Whether the last revision gave a wrong reply to a question that the program has changed since. */
export function asksAnew({ latestRevisionStatus, ...olds }: Properties, news: Properties): boolean {
  // The plugin's outputs hold no secret, so these are not compared.
  const [before, after] = [olds, news].map((args) => {
    const { apiKey: _secret, ...question } = propertiesIn(valueAt(args, ["rollout", "verify"]));
    return question;
  }) as [Properties, Properties];
  // After a failed update, a placeholder stands for each secret member.
  const members = Object.entries(before).map(([name, value]) => [name, value === HELD ? after[name] : value]);
  const lastQuestion = { messages: after.messages, ...Object.fromEntries(members) };
  return latestRevisionStatus === VERIFY_FAILED && !sameValue(lastQuestion, after);
}

/**
 * The note of a deployment's last good revision: it was deployed and, if verified, replied as expected. It holds no
 * value of an argument.
 */
export interface Good {
  readonly revision: unknown;
  /** The `revisionGeneration` up to which `changed` is complete. */
  readonly generation: unknown;
  /** Paths of the arguments that failed updates have changed since. */
  readonly changed: readonly string[];
}

export const goodAt = (revision: unknown, { revisionGeneration }: Properties): Good => ({
  revision,
  generation: revisionGeneration,
  changed: [],
});

/** The last good revision of that state; undefined if the state does not tell. */
export function goodIn(state: Properties): Good | undefined {
  if (isProperties(state.lastGood)) return state.lastGood as unknown as Good;
  const isGood = state.rolloutState === "deployed" && state.incomplete !== true;
  return isGood ? goodAt(state.latestRevisionId, state) : undefined;
}

/** Paths of that state's arguments that may have changed since its last good revision was deployed. */
export function unprovenIn(state: Properties, { generation, changed }: Good): readonly string[] {
  // Updates whose rollout nobody awaited may have changed any of them.
  return generation === state.revisionGeneration
    ? changed.filter(isNoted)
    : PLACES.filter((place) => valueAt(state, place.split(".")) !== undefined);
}

/** The recorded note after a write that does not end in a good revision, or sends nothing. `before`: the state before it. */
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

/** The arguments that a service gets apart from a revision's own settings. An update cannot change name and source. */
const PLACES = [
  ...sentPlaces(deploymentRows).filter(
    (name) => !["name", "source", "sourceConfig", "sourceRevisionConfig"].includes(name),
  ),
  ...sentPlaces(sourceConfigRows, "sourceConfig."),
];

/** Whether the note of a last good revision has such a path. */
export const isNoted = (path: string): boolean => PLACES.some((place) => `${path}.`.startsWith(`${place}.`));
