/** The note of a deployment's last good revision: deployed and, where it was verified, right. */
import { deploymentRows } from "../../fields/deployment";
import { SPEC } from "../../fields/resourceSpec";
import { isProperties, type Properties, valueAt } from "../../fields/value";
import { type Change, touchesRevision } from "../../verdict/changes";
import { planUpdate } from "../plan";
import type { Write } from "../state";
import { isVariable } from "../variables";

/** Recorded in the state. It holds no value of an argument. */
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

/** The way back from a write to the last good revision. */
export interface WayBack {
  /** The state before the write and all that earlier runs have sent of it. */
  readonly state: Properties;
  /** The last good revision of that state; undefined if the state does not tell. */
  readonly good: Good | undefined;
  /** The arguments of that state with which its last good revision has not proved itself. */
  readonly unproven: readonly string[];
  /** The changes of the write that it undoes, beside the revision's own settings. */
  readonly undone: readonly Change[];
  /** The note after a write that did not end well. */
  readonly note: Good | undefined;
}

export function wayBackFrom({ call, olds, before: state = olds, news }: Write): WayBack {
  const good = goodIn(state);
  const unproven = good === undefined ? [] : unprovenIn(state, good);
  const isCreation = Object.keys(state).length === 0;
  const changes = isCreation ? [] : planUpdate(state, news, call.profile, call).changes;
  const undone = changes.filter(
    (change) =>
      !change.path.startsWith("sourceRevisionConfig") &&
      (touchesRevision(change) || isVariable(change.path) || `${change.path}.`.startsWith(`${SPEC}.`)),
  );
  const changed = [...new Set([...unproven, ...undone.map(({ path }) => path)])];
  const note = good && { ...good, generation: news.revisionGeneration, changed };
  return { state, good, unproven, undone, note };
}

/** The last good revision of that state; undefined if the state does not tell. */
export function goodIn(state: Properties): Good | undefined {
  if (isProperties(state.lastGood)) return state.lastGood as unknown as Good;
  const isGood = state.rolloutState === "deployed" && state.incomplete !== true;
  return isGood ? goodAt(state.latestRevisionId, state) : undefined;
}

/** The arguments of that state with which its last good revision has not proved itself. */
export function unprovenIn(state: Properties, { generation, changed }: Good): readonly string[] {
  // Updates that nobody followed may have changed any of them.
  return generation === state.revisionGeneration
    ? changed
    : PLACES.filter((place) => valueAt(state, place.split(".")) !== undefined);
}

const PLACES = ["secrets", "environment", "secretReferences", SPEC].filter(
  (place) => place === SPEC || Object.hasOwn(deploymentRows, place),
);
