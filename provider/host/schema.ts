/**
 * Properties that both forms record in addition to arguments and outputs, under names that begin with `__`, which the
 * engine hides in the plan's text. Only the hosts see these names. The schema's version tells how to read an old state.
 */

import { RefusedError } from "../failure";
import type { Properties } from "../fields/value";

/** The schema's version, recorded in the outputs of every resource. A state without a version has version 0. */
export const SCHEMA = "__schemaVersion";

/**
 * The profile of the plan, recorded by `check`, because a preview's JSON has the stack's configuration but not the
 * environment, which may override the profile. The profile is left out if it is the plain default and the configuration
 * names no profile.
 */
export const PROFILE_IN_USE = "__profile";

/** The recorded property that has the profile; empty if no profile is recorded. */
export const profileNoteOf = (profile: unknown): Properties =>
  profile === undefined ? {} : { [PROFILE_IN_USE]: profile };

/** The notes that a resource's outputs hold for the next run: for each, its name in the provider and in the state. */
const NOTES = new Map([
  ["incomplete", "__incomplete"],
  ["uncertainSince", "__uncertain"],
  ["respelled", "__reported"],
  ["describedRevision", "__revision"],
  ["foreignSecrets", "__foreignSecrets"],
  ["unmanagedSpec", "__unmanagedSpec"],
  ["lastGood", "__lastGood"],
  ["story", "__story"],
]);
const BY_STATE_NAME = new Map([...NOTES].map(([note, name]) => [name, note]));

/** Properties in which each note has the name that the state uses. */
export const asNoted = (properties: Properties): Properties => renamed(properties, NOTES);

/** Recorded properties, in which each note has the name that the provider uses. */
export const withNotes = (properties: Properties): Properties => renamed(properties, BY_STATE_NAME);

const renamed = (properties: Properties, names: ReadonlyMap<string, string>): Properties =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [names.get(name) ?? name, value]));

/** The hidden properties that both forms record. The dynamic form records more. */
export const HIDDEN_PROPERTIES: readonly string[] = [SCHEMA, PROFILE_IN_USE, ...BY_STATE_NAME.keys()];

/** Whether both forms record a property of that name. */
export const isOfBothForms = (name: string): boolean =>
  !name.startsWith("__") || HIDDEN_PROPERTIES.includes(name);

/** `reportedNames`: the names of the outputs that the service reports. */
type Migration = (state: Properties, reportedNames: readonly string[]) => Properties;

/** The migration from each version to the next, in order. */
const MIGRATIONS: readonly Migration[] = [
  // Version 0 left out outputs without a value.
  (state, reportedNames) => ({ ...Object.fromEntries(reportedNames.map((name) => [name, null])), ...state }),
];

/** The schema version of the states that this package writes. */
export const CURRENT_SCHEMA = MIGRATIONS.length;

/** The outputs in the form in which they are recorded. */
export function asRecorded(outputs: Properties): Properties {
  return { ...asNoted(outputs), [SCHEMA]: CURRENT_SCHEMA };
}

/**
 * Recorded outputs in this version's form. Throws a RefusedError for a newer version, even on delete: the state may
 * have a policy that forbids the deletion and that this version cannot read.
 */
export function fromRecorded(state: Properties, reportedNames: readonly string[]): Properties {
  const { [SCHEMA]: version = 0, ...outputs } = state;
  if (!isKnown(version)) {
    throw new RefusedError(
      `its state has the schema version ${JSON.stringify(version)}, but the installed package knows only versions up to ${CURRENT_SCHEMA}: a newer package wrote it. Nothing was done, because this version could misread the state. Install the version of pulumi-deployment-control with which the last up ran, or a later one, and run the command again`,
    );
  }
  return withNotes(
    MIGRATIONS.slice(version).reduce((older, migrate) => migrate(older, reportedNames), outputs),
  );
}

function isKnown(version: unknown): version is number {
  return Number.isInteger(version) && (version as number) >= 0 && (version as number) <= CURRENT_SCHEMA;
}
