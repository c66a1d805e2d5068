/** Reads facts that the engine does not show. The provider and the program keep these facts in a state's properties. */

import { unpack } from "../../../provider/engine/packing";
import { PLAN, withNotes } from "../../../provider/engine/schema";
import { isProperties, type Properties } from "../../../provider/schema/value";
import { SECRET } from "../model";
import type { EngineState } from "./preview";

/** The properties by the names that the provider uses, without the recorded plan and packed facts. */
export function unpacked(properties: Properties): Properties {
  const { [PLAN]: _plan, ...values } = unpack(properties).values;
  return withNotes(values);
}

/** The recorded outputs, or the inputs if no outputs are recorded. */
export const recordedOf = ({ inputs = {}, outputs = inputs }: EngineState = {}): Properties =>
  unpacked(outputs);

/** Paths that the program marked secret. */
export function secretPathsOf({ inputs = {}, outputs = inputs }: EngineState = {}): readonly string[] {
  if (unpack(inputs).isDynamic) return unpack(outputs).facts.secretPaths;
  const paths = secretPlaces(inputs, (each) => each === SECRET).map((place) => place.join("."));
  return paths.filter((path) => path !== "secrets" && !path.startsWith("secrets."));
}

/**
 * Whether the program itself set `retainOnDelete`. The provider follows the program even if a transformation removes
 * the option.
 */
export const recordsRetainOnDelete = ({ inputs = {}, outputs = inputs }: EngineState = {}): boolean =>
  unpack(outputs).facts.retained === true;

/** The path of each secret value. A secret in a list gets the list's path, because lists are compared as a whole. */
export function secretPlaces(value: unknown, isSecret: (value: unknown) => boolean): string[][] {
  const holds = (each: unknown): boolean =>
    isSecret(each) || (typeof each === "object" && each !== null && Object.values(each).some(holds));
  if (isSecret(value) || (Array.isArray(value) && holds(value))) return [[]];
  if (!isProperties(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    secretPlaces(member, isSecret).map((place) => [name, ...place]),
  );
}
