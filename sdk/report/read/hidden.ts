/**
 * What is hidden in the properties of a plan: facts and notes, and secret values, of which the engine itself tells. A plugin's outputs hold nothing secret: where something secret stands,
 * the inputs alone show, as the engine's mask; and that it changes, the engine's detailed diff.
 */
import { withValueAt } from "../../../provider/fields/compare";
import { isProperties, type Properties, valueAt } from "../../../provider/fields/value";
import { unpack } from "../../../provider/host/packing";
import { withNotes } from "../../../provider/host/schema";
import type { Mention } from "../../../provider/verdict/describe";
import { SECRET } from "../model";
import type { State, Step } from "./preview";

/** Properties by the names that the provider knows, without the facts that the dynamic form has packed into them. */
export const unpacked = (properties: Properties): Properties => withNotes(unpack(properties).values);

/** What is recorded: the outputs, with what only the inputs have; the inputs while there are no outputs. */
export function recordedOf({ inputs = {}, outputs = inputs }: State = {}): Properties {
  const recorded = unpacked(outputs);
  if (unpack(inputs).isDynamic) return recorded;
  return maskedPlaces(inputs).reduce(
    (filled, place) => withValueAt(filled, place, valueAt(inputs, place)) as Properties,
    recorded,
  );
}

/** The paths of what the program marked secret. */
export function secretPathsOf({ inputs = {}, outputs = inputs }: State = {}): readonly string[] {
  if (unpack(inputs).isDynamic) return unpack(outputs).facts.secretPaths;
  const paths = maskedPlaces(inputs).map((place) => place.join("."));
  // The provider never shows these, and counts their changes.
  return paths.filter((path) => path !== "secrets" && !path.startsWith("secrets."));
}

/**
 * Whether the program's own retainOnDelete is recorded. A provider is told no more of the option, so it keeps to that even
 * where a transformation has taken the option away.
 */
export const isToldToRetain = ({ inputs = {}, outputs = inputs }: State = {}): boolean =>
  unpack(outputs).facts.retained === true;

/** The names that lead to each masked value, or to the list that holds it. */
function maskedPlaces(value: unknown): string[][] {
  if (value === SECRET || (Array.isArray(value) && value.some(holdsMask))) return [[]];
  if (!isProperties(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    maskedPlaces(member).map((place) => [name, ...place]),
  );
}

function holdsMask(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === SECRET;
  return Object.values(value).some(holdsMask);
}

const WHAT: { readonly [kind: string]: Mention["what"] } = { add: "added", delete: "removed" };

/** What the engine says of one argument. Its names may hold dots, which the path does not tell apart. */
export interface Detail extends Mention {
  readonly names: readonly string[];
}

/** What the detailed diff of a step says of each argument that changes. */
export function detailsOf({ detailedDiff }: Step): Detail[] {
  return Object.entries(detailedDiff ?? {}).map(([path, { kind }]) => {
    const names = namesIn(path);
    return { names, path: names.join("."), what: WHAT[kind.replace(/-replace$/, "")] ?? "changed" };
  });
}

/** `secrets["A.B"]` -> `secrets`, `A.B`. */
export function namesIn(path: string): string[] {
  const parts = path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|[^.[\]]+/g);
  return [...parts].map(([part, quoted]) =>
    quoted === undefined ? part : (JSON.parse(`"${quoted}"`) as string),
  );
}
