/**
 * Properties whose names begin with `__`. Only the hosts see these properties. The recorded schema version lets an
 * older version of this package refuse a state that a newer version wrote.
 */

import { RefusedError } from "../failure";
import type { State } from "../schema/recorded";

/** The schema's version in the outputs of every resource. An imported state has no version. */
export const SCHEMA = "__schemaVersion";

/** The input in which `check` records the plan, for readers of a preview's JSON. */
export const PLAN = "__plan";

/** The output that says whether the update made a revision, for readers of the update's events. */
export const PROOF = "__proof";

/** The output that is set if the last update failed or did not end. */
export const INCOMPLETE = "__incomplete";

/** Outputs that are notes for the next run. Each note has a name in the provider and a name in the state. */
const NOTES = new Map([
  ["incomplete", INCOMPLETE],
  ["uncertainSince", "__uncertain"],
  ["lastGood", "__lastGood"],
  ["observed", "__observed"],
]);
const STATE_NAMES = new Map([...NOTES, ["proof", PROOF]]);
const BY_STATE_NAME = new Map([...STATE_NAMES].map(([note, name]) => [name, note]));

export const withNotes = (recorded: State): State => renamed(recorded, BY_STATE_NAME);

const renamed = (outputs: State, names: ReadonlyMap<string, string>): State =>
  Object.fromEntries(Object.entries(outputs).map(([name, value]) => [names.get(name) ?? name, value]));

/** The hidden properties that both forms record. The dynamic form also records other hidden properties. */
export const HIDDEN_PROPERTIES: readonly string[] = [SCHEMA, PLAN, ...BY_STATE_NAME.keys()];

export const isOfBothForms = (name: string): boolean =>
  !name.startsWith("__") || HIDDEN_PROPERTIES.includes(name);

export const CURRENT_SCHEMA = 1;

/** The outputs in their recorded form. Each note has the name that the state uses. */
export const asRecorded = (outputs: State): State => ({
  ...renamed(outputs, STATE_NAMES),
  [SCHEMA]: CURRENT_SCHEMA,
});

/** Throws a RefusedError for another schema version, because a note unknown to this version may forbid a deletion. */
export function fromRecorded(state: State): State {
  const { [SCHEMA]: version = CURRENT_SCHEMA, ...outputs } = state;
  if (version !== CURRENT_SCHEMA) {
    throw new RefusedError(
      `its state has the schema version ${JSON.stringify(version)}, but this package reads only version ${CURRENT_SCHEMA}. Install the version that wrote the state, or a later one`,
    );
  }
  return withNotes(outputs);
}
