/**
 * Reads hidden parts of a plan's properties: the facts that the dynamic form packs, and the places of secret values. In
 * the plugin's form, only the engine's masks show these places, and only the detailed diff shows changes of masked values.
 */

import type { Mention } from "../../../provider/diff/describe";
import { unpack } from "../../../provider/engine/packing";
import { withNotes } from "../../../provider/engine/schema";
import { isProperties, type Properties } from "../../../provider/schema/value";
import { SECRET } from "../model";
import type { EngineState, EngineStep } from "./preview";

/**
 * Properties under the names that the provider uses, without the facts that the dynamic form packs into a resource's
 * properties.
 */
export const unpacked = (properties: Properties): Properties => withNotes(unpack(properties).values);

/** The recorded outputs; the inputs, if no outputs are recorded. */
export const recordedOf = ({ inputs = {}, outputs = inputs }: EngineState = {}): Properties =>
  unpacked(outputs);

/** Paths that the program marked secret. */
export function secretPathsOf({ inputs = {}, outputs = inputs }: EngineState = {}): readonly string[] {
  if (unpack(inputs).isDynamic) return unpack(outputs).facts.secretPaths;
  const paths = maskedPlaces(inputs).map((place) => place.join("."));
  // The provider never shows values of `secrets`; it counts their changes instead.
  return paths.filter((path) => path !== "secrets" && !path.startsWith("secrets."));
}

/**
 * Whether the state records that the program itself set `retainOnDelete`. The provider knows the option only from the
 * state, and follows the state even if a transformation removes the option.
 */
export const recordsRetainOnDelete = ({ inputs = {}, outputs = inputs }: EngineState = {}): boolean =>
  unpack(outputs).facts.retained === true;

const maskedPlaces = (value: unknown): string[][] => secretPlaces(value, (each) => each === SECRET);

/** The path of each secret value; for a secret in a list, the list's path, because lists are compared as a whole. */
export function secretPlaces(value: unknown, isSecret: (value: unknown) => boolean): string[][] {
  const holds = (each: unknown): boolean =>
    isSecret(each) || (typeof each === "object" && each !== null && Object.values(each).some(holds));
  if (isSecret(value) || (Array.isArray(value) && holds(value))) return [[]];
  if (!isProperties(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    secretPlaces(member, isSecret).map((place) => [name, ...place]),
  );
}

const WHAT: { readonly [kind: string]: Mention["what"] } = { add: "added", delete: "removed" };

/** The engine's diff of one argument. `path` is ambiguous if a name has dots; `names` is not. */
export interface ArgumentDiff extends Mention {
  readonly names: readonly string[];
}

/** The detailed diff of a step, by argument. */
export function detailsOf({ detailedDiff }: EngineStep): ArgumentDiff[] {
  return Object.entries(detailedDiff ?? {}).map(([path, { kind }]) => {
    const names = namesIn(path);
    return { names, path: names.join("."), what: WHAT[kind.replace(/-replace$/, "")] ?? "changed" };
  });
}

/** `secrets["A.B"]` -> `secrets`, `A.B`. */
export function namesIn(path: string): string[] {
  const parts = path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|[^.[\]]+/g);
  return [...parts].map(([part, quotedName]) =>
    quotedName === undefined ? part : (JSON.parse(`"${quotedName}"`) as string),
  );
}
