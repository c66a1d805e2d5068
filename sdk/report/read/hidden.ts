/**
 * What the engine itself tells of hidden values. A plugin's outputs hold nothing secret: where something secret stands,
 * the inputs alone show, as the engine's mask; and that it changes, the engine's detailed diff.
 */
import { withValueAt } from "../../../provider/fields/compare";
import { isProperties, type Properties, valueAt } from "../../../provider/fields/value";
import { isOfDynamicForm, SECRET_PATHS } from "../../../provider/host/carried";
import type { Mention } from "../../../provider/verdict/describe";
import { SECRET } from "../model";
import type { State, Step } from "./preview";

/** The inputs, with the paths of what is masked in them. The dynamic form's have them already. */
export function withHiddenPaths(inputs: Properties): Properties {
  if (isOfDynamicForm(inputs)) return inputs;
  const paths = maskedPlaces(inputs).map((place) => place.join("."));
  // The provider never shows these, and counts their changes.
  const others = paths.filter((path) => path !== "secrets" && !path.startsWith("secrets."));
  return others.length === 0 ? inputs : { ...inputs, [SECRET_PATHS]: others };
}

/** The outputs, with what only the inputs have; the inputs while there are none. */
export function withHidden({ inputs = {}, outputs }: State): Properties {
  if (outputs === undefined) return withHiddenPaths(inputs);
  if (isOfDynamicForm(inputs)) return outputs;
  const { [SECRET_PATHS]: paths } = withHiddenPaths(inputs);
  const whole = maskedPlaces(inputs).reduce(
    (filled, place) => withValueAt(filled, place, valueAt(inputs, place)) as Properties,
    outputs,
  );
  return paths === undefined ? whole : { ...whole, [SECRET_PATHS]: paths };
}

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
