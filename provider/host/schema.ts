/** The schema of recorded outputs: its version stands in each resource's, and decides how an older state is read. */

import { RefusedError } from "../failure";
import type { Properties } from "../fields/value";

/** Hidden in the outputs of every resource. What was recorded before there was such a note has the version 0. */
export const SCHEMA = "__schemaVersion";

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
  return { ...outputs, [SCHEMA]: CURRENT_SCHEMA };
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
  return MIGRATIONS.slice(version).reduce((older, migrate) => migrate(older, reported), outputs);
}

function isKnown(version: unknown): version is number {
  return Number.isInteger(version) && (version as number) >= 0 && (version as number) <= CURRENT_SCHEMA;
}
