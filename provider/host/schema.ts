/**
 * What is recorded in either form beside arguments and outputs, under names that begin with `__`, which the engine hides
 * in the plan's text. Nothing below the hosts sees such a name. The version of the schema decides how an older state is read.
 */

import { RefusedError } from "../failure";
import type { Properties } from "../fields/value";

/** Hidden in the outputs of every resource. What was recorded before there was such a note has the version 0. */
export const SCHEMA = "__schemaVersion";

/**
 * The profile under which the plan was made, unless it is the plain default and the stack's configuration names none: a
 * preview's JSON holds that configuration, but not the environment, which may have overridden it. Computed by `check`.
 */
export const PROFILE_IN_USE = "__profile";

/** What the provider notes in a resource's outputs for its next run: the name below the hosts, and that in the state. */
const NOTES = new Map([
  ["incomplete", "__incomplete"],
  ["uncertainSince", "__uncertain"],
  ["respelled", "__reported"],
  ["describedRevision", "__revision"],
  ["foreignSecrets", "__foreignSecrets"],
]);
const BY_STATE_NAME = new Map([...NOTES].map(([note, name]) => [name, note]));

/** Recorded properties with the notes by the names that the provider knows. */
export const withNotes = (properties: Properties): Properties => renamed(properties, BY_STATE_NAME);

const renamed = (properties: Properties, names: ReadonlyMap<string, string>): Properties =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [names.get(name) ?? name, value]));

/** Whether both forms record a property of that name: the dynamic form alone has further hidden ones. */
export const isOfBothForms = (name: string): boolean =>
  !name.startsWith("__") || name === SCHEMA || name === PROFILE_IN_USE || BY_STATE_NAME.has(name);

type Migration = (state: Properties, reported: readonly string[]) => Properties;

/** How a state of each version, in this order, is read as one of the next. `reported`: what the service tells. */
const MIGRATIONS: readonly Migration[] = [
  // It left out what the service had no value for.
  (state, reported) => ({ ...Object.fromEntries(reported.map((name) => [name, null])), ...state }),
];

/** The version that is written. */
export const CURRENT_SCHEMA = MIGRATIONS.length;

/** Outputs as they are to be recorded. */
export function asRecorded(outputs: Properties): Properties {
  return { ...renamed(outputs, NOTES), [SCHEMA]: CURRENT_SCHEMA };
}

/**
 * Recorded outputs as this version would have recorded them. Throws a RefusedError for those of a newer version, for
 * whatever purpose: a policy that cannot be read could be the one that forbids to delete.
 */
export function fromRecorded(state: Properties, reported: readonly string[]): Properties {
  const { [SCHEMA]: version = 0, ...outputs } = state;
  if (!isKnown(version)) {
    throw new RefusedError(
      `its state has the schema version ${JSON.stringify(version)}, but the package here knows versions up to ${CURRENT_SCHEMA} only: a newer one has written it. Nothing is done with what could be misread. Install the version of pulumi-deployment-control with which the last up ran, or a later one, and run the command again`,
    );
  }
  return withNotes(MIGRATIONS.slice(version).reduce((older, migrate) => migrate(older, reported), outputs));
}

function isKnown(version: unknown): version is number {
  return Number.isInteger(version) && (version as number) >= 0 && (version as number) <= CURRENT_SCHEMA;
}
