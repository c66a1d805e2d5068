/**
 * Records of either form beside arguments and outputs, under names that begin with `__`, which the engine hides in
 * the plan's text. Nothing below the hosts sees such a name. The schema's version decides how an older state is read.
 */

import { RefusedError } from "../failure";
import type { Properties } from "../fields/value";

/** Hidden in the outputs of every resource. A state from before this note has version 0. */
export const SCHEMA = "__schemaVersion";

/**
 * The profile under which the plan was made, unless it is the plain default and the stack's configuration names none: a
 * preview's JSON holds that configuration, but not the environment, which may have overridden it. Computed by `check`.
 */
export const PROFILE_IN_USE = "__profile";

/** The provider's notes in a resource's outputs for its next run: their names below the hosts, and in the state. */
const NOTES = new Map([
  ["incomplete", "__incomplete"],
  ["uncertainSince", "__uncertain"],
  ["respelled", "__reported"],
  ["describedRevision", "__revision"],
  ["foreignSecrets", "__foreignSecrets"],
]);
const BY_STATE_NAME = new Map([...NOTES].map(([note, name]) => [name, note]));

/** Recorded properties, with the notes under the provider's names. */
export const withNotes = (properties: Properties): Properties => renamed(properties, BY_STATE_NAME);

const renamed = (properties: Properties, names: ReadonlyMap<string, string>): Properties =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [names.get(name) ?? name, value]));

/** Whether both forms record a property of that name: the dynamic form alone has further hidden ones. */
export const isOfBothForms = (name: string): boolean =>
  !name.startsWith("__") || name === SCHEMA || name === PROFILE_IN_USE || BY_STATE_NAME.has(name);

type Migration = (state: Properties, reported: readonly string[]) => Properties;

/** The step from each version, in this order, to the next. `reported`: outputs that the service reports. */
const MIGRATIONS: readonly Migration[] = [
  // Version 0 left out outputs without a value.
  (state, reported) => ({ ...Object.fromEntries(reported.map((name) => [name, null])), ...state }),
];

/** The version that is written now. */
export const CURRENT_SCHEMA = MIGRATIONS.length;

/** Outputs as they are recorded. */
export function asRecorded(outputs: Properties): Properties {
  return { ...renamed(outputs, NOTES), [SCHEMA]: CURRENT_SCHEMA };
}

/**
 * Recorded outputs as this version would have recorded them. Throws a RefusedError for those of a newer version, even
 * on delete: a policy that cannot be read could forbid it.
 */
export function fromRecorded(state: Properties, reported: readonly string[]): Properties {
  const { [SCHEMA]: version = 0, ...outputs } = state;
  if (!isKnown(version)) {
    throw new RefusedError(
      `its state has the schema version ${JSON.stringify(version)}, but the package here knows versions up to ${CURRENT_SCHEMA} only: a newer package wrote it. Nothing was done, since it could be misread. Install the version of pulumi-deployment-control with which the last up ran, or a later one, and run the command again`,
    );
  }
  return withNotes(MIGRATIONS.slice(version).reduce((older, migrate) => migrate(older, reported), outputs));
}

function isKnown(version: unknown): version is number {
  return Number.isInteger(version) && (version as number) >= 0 && (version as number) <= CURRENT_SCHEMA;
}
