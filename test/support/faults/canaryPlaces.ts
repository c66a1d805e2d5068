/**
 * Makes several sets of arguments from a resource's rows, with a string in every place. Each place has a secret canary
 * in exactly one of the sets, and an ordinary string in the other sets.
 */
import type { Kind, Rows } from "../../../provider/schema/kind";

/** Arguments in which a secret has the form `{$secret: value}`. */
export interface CanaryArguments {
  readonly args: { readonly [name: string]: unknown };
  /** The secret values in `args`. */
  readonly canaries: readonly string[];
}

interface Filling {
  /** Index of this set of arguments, among `parts` sets. */
  readonly part: number;
  readonly parts: number;
  /** The first character of each canary. */
  readonly mark: string;
  places: number;
  readonly canaries: string[];
}

/**
 * Values for places in which the service or `check` refuses arbitrary strings. A function builds the value from the
 * place's string.
 */
export interface Fixed {
  readonly [path: string]: unknown | ((text: unknown) => unknown);
}

/**
 * Returns a short canary, so that the first thousand characters of an answer can hold many canaries. A canary may also
 * be the name of an image, so it has no capital letters.
 */
function canaryAt({ mark, places }: Filling, isUuid: boolean): string {
  const number = String(places).padStart(3, "0");
  const digits = `${mark.charCodeAt(0).toString(16)}${number}`.padStart(12, "0");
  return isUuid ? `c0ffee00-c0de-4c0d-8c0d-${digits}` : `${mark}${number}kq${(places * 7919) % 997}`;
}

function leaf(filling: Filling, path: string, isUuid: boolean): unknown {
  filling.places += 1;
  if (filling.places % filling.parts !== filling.part)
    return isUuid ? "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21" : `plain-${path.length}`;
  const canary = canaryAt(filling, isUuid);
  filling.canaries.push(canary);
  return { $secret: canary };
}

function filled(kind: Kind<unknown>, path: string, fixed: Fixed, filling: Filling): unknown {
  const text = (place: string) => leaf(filling, place, false);
  switch (kind.type) {
    case "text":
    case "timestamp":
      return text(path);
    case "uuid":
      return leaf(filling, path, true);
    case "list":
      return [0, 1].map((place) => filled(kind.of, `${path}.${place}`, fixed, filling));
    case "map":
      return {
        plain: filled(kind.of, `${path}.plain`, fixed, filling),
        "a.dot": filled(kind.of, `${path}.dot`, fixed, filling),
      };
    case "keyed":
      // A variable may be in only one map, so each map has different names.
      return kind.single
        ? { [`${path}_ONE`]: text(path), [`${path}_TWO`]: text(path) }
        : { [`${path}_ONE`]: filledRows(kind.rows, `${path}.ONE`, fixed, filling) };
    case "json":
    case "jsonObject":
      return { deep: [text(path), { deeper: text(path) }] };
    case "object":
      return filledRows(kind.rows, path, fixed, filling);
    // A number, a boolean or a choice cannot hold an arbitrary string.
    default:
      return undefined;
  }
}

function filledRows(rows: Rows, path: string, fixed: Fixed, filling: Filling): { [name: string]: unknown } {
  const members = Object.entries(rows).map(([name, { kind }]) => {
    const place = path === "" ? name : `${path}.${name}`;
    if (!Object.hasOwn(fixed, place)) return [name, filled(kind, place, fixed, filling)];
    const value = fixed[place];
    return [name, typeof value === "function" ? value(leaf(filling, place, false)) : value];
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** Returns `parts` sets of arguments; each place has a secret in exactly one of the sets. */
export function canariesIn(rows: Rows, fixed: Fixed, mark: string, parts: number): CanaryArguments[] {
  return Array.from({ length: parts }, (_, part) => {
    const filling: Filling = { part, parts, mark, places: 0, canaries: [] };
    return { args: filledRows(rows, "", fixed, filling), canaries: filling.canaries };
  });
}

/** Number of places for a string in a resource's arguments. */
export function placesIn(rows: Rows, fixed: Fixed): number {
  return canariesIn(rows, fixed, "x", 1)[0]?.canaries.length ?? 0;
}
