/** Compares values. `diff/changes.ts` decides the effect of a difference. */
import { isDeepStrictEqual } from "node:util";
import type { Field, Kind, Rows } from "./kind";
import { hasUnknown, isAbsent, isProperties, type Properties, reducedTo, valueAt } from "./value";

/** One leaf that differs. `before` or `after` is undefined if that side has no such leaf. */
export interface Difference {
  readonly path: string;
  /** The path as a list of names, because a map's key may contain a dot. */
  readonly names: readonly string[];
  /** The row whose change class applies to this leaf: the leaf's own row, or the nearest outer row that has a class. */
  readonly field: Field<unknown>;
  readonly before: unknown;
  readonly after: unknown;
  /** True if only the apply can tell whether the values differ. */
  readonly unknown: boolean;
}

/** The differences between two values of a table, in the table's order. */
export function differences(rows: Rows, before: Properties, after: Properties): Difference[] {
  return Object.entries(rows).flatMap(([name, field]) =>
    between(field, field.kind, before[name], after[name], [name]),
  );
}

function between(
  field: Field<unknown>,
  kind: Kind<unknown>,
  before: unknown,
  after: unknown,
  names: readonly string[],
): Difference[] {
  const values = { before: before ?? undefined, after: after ?? undefined };
  if (sameValue(values.before, values.after)) return [];
  const members = membersOf(kind, before, after);
  if (members === undefined)
    return [{ path: names.join("."), names, field, ...values, unknown: hasUnknown(after) }];
  // Does not read inherited members, because a map may have a key such as "constructor".
  const at = (value: unknown, name: string) => valueAt(value, [name]);
  return members.flatMap(([name, member]) =>
    between(member.class === undefined ? field : member, member.kind, at(before, name), at(after, name), [
      ...names,
      name,
    ]),
  );
}

/** The members to compare one by one. Undefined for a value that is compared as a whole, such as an unknown value. */
function membersOf(
  kind: Kind<unknown>,
  before: unknown,
  after: unknown,
): [string, Field<unknown>][] | undefined {
  if (![before, after].every((value) => isAbsent(value) || isProperties(value))) return undefined;
  if (kind.type === "object") return Object.entries(kind.rows);
  if (kind.type !== "map" && kind.type !== "keyed") return undefined;
  const keys = [
    ...new Set([before, after].flatMap((value) => (isProperties(value) ? Object.keys(value) : []))),
  ];
  // If an empty map is added or removed, no member shows the difference.
  if (keys.length === 0) return undefined;
  // An entry of a `keyed` map is compared as a whole, because the entry's members change together.
  const of: Kind<unknown> = kind.type === "map" ? kind.of : { type: kind.single ? "text" : "json" };
  return keys.sort().map((name) => [name, { wire: name, kind: of, class: undefined }]);
}

/** The order of keys does not matter, but the order of a list does. */
export const sameValue = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other);

/** Whether the service has every value that was sent. The service may have additional values. */
export function holds(live: unknown, target: unknown, isSame = sameValue): boolean {
  if (target === undefined) return true;
  if (!isProperties(target))
    return target === null ? live === null || live === undefined : isSame(live, target);
  return isProperties(live)
    ? Object.entries(target).every(([name, value]) => holds(live[name], value, isSame))
    : Object.keys(target).length === 0;
}

/** The managed values that differ from the live values. A value that only the service has is not drift. */
export function driftIn(rows: Rows, managed: Properties, live: Properties): Difference[] {
  const liveParts = Object.keys(managed).map((name) => [name, reducedTo(managed[name], live[name])]);
  return differences(rows, managed, Object.fromEntries(liveParts));
}

export const COMMIT = /^[0-9a-f]{40}([0-9a-f]{24})?$/;
const PART_OF_COMMIT = /^[0-9a-f]{7,64}$/;
const IMAGE = /^(?<name>.*?)(?::[^:/@]+)?(?:@(?<digest>.+))?$/;
/** The largest difference that rounding to one decimal place can make. */
const ROUNDED_BY = 0.051;

/** Whether the live value may be the service's form of the sent value: a digest, a commit, or a rounded number. */
export function isFormOf(live: unknown, sent: unknown): boolean {
  if (typeof live === "number" && typeof sent === "number")
    return live === sent || (Number(live.toFixed(1)) === live && Math.abs(live - sent) < ROUNDED_BY);
  if (typeof live !== "string" || typeof sent !== "string" || live === sent) return sameValue(live, sent);
  if (COMMIT.test(live)) return !PART_OF_COMMIT.test(sent) || live.startsWith(sent);
  const [liveImage, sentImage] = [live, sent].map((text) => IMAGE.exec(text)?.groups ?? {});
  return (
    liveImage?.digest !== undefined &&
    liveImage.name === sentImage?.name &&
    [undefined, liveImage.digest].includes(sentImage?.digest)
  );
}
