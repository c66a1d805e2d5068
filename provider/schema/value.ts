/** Functions on the values of a program. Any part of a value may be absent, or unknown until apply. */
import type { Kind, Rows } from "./kind";

/** The engine's sentinel for a value that is unknown until apply. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** A JSON object of any shape, such as a body of the service. */
export type Properties = { [name: string]: unknown };

export function isProperties(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const propertiesIn = (value: unknown): Properties => (isProperties(value) ? value : {});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/** The id's form for comparing and storing. A UUID is in lower case; any other id is unchanged. */
export const canonicalId = (id: string): string => (isUuid(id) ? id.toLowerCase() : id);

/** Reads a string as a value of this kind. If that fails, returns the string, or undefined if JSON was expected. */
export function valueOfText(kind: Kind<unknown>, words: string): unknown {
  switch (kind.type) {
    case "boolean":
    case "choice": {
      const values = kind.type === "choice" ? kind.values : [true, false];
      return values.find((value) => String(value) === words) ?? words;
    }
    case "integer":
    case "number":
      return /^-?\d+(\.\d+)?$/.test(words.trim()) ? Number(words) : words;
    case "uuid":
      return canonicalId(words);
    case "list":
      return words.split(",").map((entry) => valueOfText(kind.of, entry));
    case "map":
    case "jsonObject":
      return jsonIn(words);
    default:
      return words;
  }
}

export const unknowns = (names: readonly string[]): Properties =>
  Object.fromEntries(names.map((name) => [name, UNKNOWN]));

/** Whether any part of the value is unknown until apply. */
export function hasUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.some(hasUnknown);
  return isProperties(value) && Object.values(value).some(hasUnknown);
}

export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Drops null and undefined members, and empty objects that have a table. `emptyDir: {}` has no table, so it stays. */
export function normalized(kind: Kind<unknown>, value: unknown): unknown {
  if (isAbsent(value)) return undefined;
  if (kind.type === "object" && isProperties(value)) {
    const members = normalizedRows(kind.rows, value);
    return Object.keys(members).length === 0 ? undefined : members;
  }
  if (kind.type === "list" && Array.isArray(value)) {
    return value.map((element) => normalized(kind.of, element) ?? (kind.of.type === "object" ? {} : null));
  }
  if ((kind.type === "map" || kind.type === "keyed") && isProperties(value))
    return normalizedMap(kind, value);
  return withoutNulls(value);
}

export function rowsIn(rows: Rows, value: Properties): Properties {
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(rows, name)));
}

export function normalizedRows(rows: Rows, value: Properties): Properties {
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const field = Object.hasOwn(rows, name) ? rows[name] : undefined;
    const argument = field ? normalized(field.kind, member) : withoutNulls(member);
    // In an argument that is never sent, such as `revisionTriggers`, an empty map means the same as no value.
    const isEmptyMap = isProperties(argument) && Object.keys(argument).length === 0;
    const isSilent = argument === undefined || (field && field.wire === undefined && isEmptyMap);
    return isSilent ? [] : [[name, argument]];
  });
  return Object.fromEntries(members);
}

function normalizedMap(kind: Kind<unknown>, value: Properties): Properties | undefined {
  const entries = Object.entries(value).filter(([, member]) => !isAbsent(member));
  // An empty map of named entries means the same as no map. An empty map of labels is a value.
  if (kind.type === "keyed" && entries.length === 0) return undefined;
  return Object.fromEntries(
    entries.map(([name, member]) => [name, kind.type === "map" ? withoutNulls(member) : member]),
  );
}

/** The value without null members, at any depth. A null in a list stays. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => withoutNulls(element) ?? null);
  // A request sends -0 as 0, so a service answers 0.
  if (!isProperties(value)) return value === 0 ? 0 : (value ?? undefined);
  // Assigning the members one by one would lose a key named __proto__.
  const entries = Object.entries(value).filter(([, member]) => !isAbsent(member));
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutNulls(member)]));
}

/** Merges `override` over `base`. Objects are merged member by member. Any other value is replaced. */
export function mergedOver<T extends Properties>(base: T, override: Properties): T;
export function mergedOver(base: unknown, override: unknown): unknown;
export function mergedOver(base: unknown, override: unknown): unknown {
  if (!isProperties(base) || !isProperties(override)) return override ?? base;
  const names = Object.keys(override).map((name) => [name, mergedOver(base[name], override[name])]);
  return { ...base, ...Object.fromEntries(names) };
}

export function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (!isProperties(current) || !Object.hasOwn(current, name)) return undefined;
    current = current[name];
  }
  return current;
}

/** Puts `leaf` at the path `names`. An undefined leaf removes the member. */
export function withValueAt<T extends Properties>(value: T, names: readonly string[], leaf: unknown): T;
export function withValueAt(value: unknown, names: readonly string[], leaf: unknown): unknown;
export function withValueAt(value: unknown, names: readonly string[], leaf: unknown): unknown {
  const [name, ...innerNames] = names;
  if (name === undefined) return leaf;
  const { [name]: _replaced, ...otherMembers } = propertiesIn(value);
  const member = withValueAt(valueAt(value, [name]), innerNames, leaf);
  return member === undefined ? otherMembers : { ...otherMembers, [name]: member };
}

/** Returns undefined if the string is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/** Reads only the table's own entries, because a name such as `constructor` may name an inherited member. */
export const entryNamed = <T>(table: { readonly [name: string]: T }, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** Every value that a dotted path may refer to. A key may contain dots, and a path applies to every list element. */
export function valuesAt(value: unknown, path: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((element) => valuesAt(element, path));
  if (!isProperties(value)) return [];
  return Object.keys(value).flatMap((name) => {
    const member = valueAt(value, [name]);
    if (name === path) return [member];
    return path.startsWith(`${name}.`) ? valuesAt(member, path.slice(name.length + 1)) : [];
  });
}

/** The live value, reduced to the members that the managed value has. */
export function reducedTo(managed: unknown, live: unknown): unknown {
  if (Array.isArray(managed) && Array.isArray(live)) {
    if (managed.length !== live.length) return live;
    return managed.map((element, index) => reducedTo(element, live[index]) ?? null);
  }
  if (!isProperties(managed) || !isProperties(live)) return live ?? undefined;
  const shared = Object.keys(managed).filter((name) => !isAbsent(valueAt(live, [name])));
  return Object.fromEntries(shared.map((name) => [name, reducedTo(managed[name], live[name])]));
}
