/**
 * Finds the values that a program must leave out: fields that the row tables lack, and values that Pulumi would alter.
 */

import { ENGINE_MARK } from "../../../provider/engine/marks";
import { deploymentOutputRows, deploymentRows } from "../../../provider/schema/deployment";
import type { Kind, Rows } from "../../../provider/schema/kind";
import { isAbsent, isProperties, type Properties, UNKNOWN, valueAt } from "../../../provider/schema/value";
import { join, type Spelling, wireName } from "../../../provider/schema/wire";

/** A value that the program leaves out of a deployment's declaration, and the reason. */
export interface LeftOut {
  /** The argument's path, or the path of the service's field if no argument corresponds to the field. */
  readonly path: string;
  readonly why: string;
}

const UNKNOWN_HERE =
  "this version of the package does not know it; a later change of its section may remove it";

/** The unknown fields inside arguments. An unknown field outside arguments is an output. */
export function unknownFieldsIn(wire: Properties, spelling: Spelling): LeftOut[] {
  const groups = Object.entries(deploymentRows).filter(([, field]) => "group" in field && field.group);
  const outputNames = Object.values(deploymentOutputRows).map((field) => field.wire);
  return groups.flatMap(([name, field]) => {
    const place = wireName(field, name, spelling);
    return within(field.kind, wire[place], place, name, spelling)
      .filter((path) => !outputNames.includes(path as never))
      .map((path) => ({ path, why: UNKNOWN_HERE }));
  });
}

function within(
  kind: Kind<unknown>,
  value: unknown,
  place: string,
  path: string,
  spelling: Spelling,
): string[] {
  if (kind.type === "list" && Array.isArray(value))
    return value.flatMap((element, index) => within(kind.of, element, `${place}.${index}`, path, spelling));
  if (kind.type !== "object" || !isProperties(value)) return [];
  const members = membersOf(kind.rows, path, spelling);
  return Object.keys(value).flatMap((name) => {
    const member = valueAt(value, [name]);
    const row = members.get(name);
    if (row === undefined) return isAbsent(member) ? [] : [`${place}.${name}`];
    return within(row.kind, member, `${place}.${name}`, row.path, spelling);
  });
}

const membersOf = (rows: Rows, path: string, spelling: Spelling) =>
  new Map(
    Object.entries(rows).map(([name, field]) => {
      const memberPath = join(path, name);
      return [wireName(field, memberPath, spelling), { kind: field.kind, path: memberPath }];
    }),
  );

/** Strings that Pulumi's SDK drops or mistakes for its markers, and strings with half a surrogate pair. */
const ALTERED = new RegExp(`^(${UNKNOWN}|${ENGINE_MARK}|__proto__|__pulumi.*)$|\\p{Surrogate}`, "u");

export const NOT_WRITABLE = "Pulumi cannot pass it on unchanged";

/** Whether Pulumi can pass on the value, and every name and value inside it, unchanged. */
export function isWritable(value: unknown): boolean {
  if (typeof value === "string") return !ALTERED.test(value);
  if (Array.isArray(value)) return value.every(isWritable);
  return !isProperties(value) || Object.entries(value).flat().every(isWritable);
}
