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

/** The last good revision of that state; undefined if the state does not tell. */
export function goodIn(state: Properties): Good | undefined {
  if (isProperties(state.lastGood)) return state.lastGood as unknown as Good;
  const isGood = state.rolloutState === "deployed" && state.incomplete !== true;
  return isGood ? goodAt(state.latestRevisionId, state) : undefined;
}

/** The state before the write and all that earlier runs have sent of it. */
export const stateBefore = ({ olds, before = olds }: Write): Properties => before;

/** The note after a write that did not end well. */
export function goodBefore(write: Write): Good | undefined {
  const state = stateBefore(write);
  const good = goodIn(state);
  if (good === undefined) return undefined;
  const paths = [...unproven(state), ...changesToUndo(write).map(({ path }) => path)];
  return { ...good, generation: write.news.revisionGeneration, changed: [...new Set(paths)] };
}

/** The changes of the write that a return to the last good revision undoes, beside the revision's own settings. */
export function changesToUndo(write: Write): Change[] {
  const { call, news } = write;
  const state = stateBefore(write);
  if (Object.keys(state).length === 0) return [];
  return planUpdate(state, news, call.profile, call).changes.filter(
    (change) =>
      !change.path.startsWith("sourceRevisionConfig") &&
      (touchesRevision(change) || isVariable(change.path) || `${change.path}.`.startsWith(`${SPEC}.`)),
  );
}

/** The arguments of the state with which its last good revision has not proved itself. */
export function unproven(state: Properties): readonly string[] {
  const good = goodIn(state);
  if (good === undefined) return [];
  // Updates that nobody followed may have changed any of them.
  return good.generation === state.revisionGeneration ? good.changed : PLACES.filter(isGiven(state));
}

const PLACES = ["secrets", "environment", "secretReferences", SPEC].filter(
  (place) => place === SPEC || Object.hasOwn(deploymentRows, place),
);

const isGiven = (state: Properties) => (place: string) => valueAt(state, place.split(".")) !== undefined;
