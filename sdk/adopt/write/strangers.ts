/** Finds fields of a deployment that the service shows and the tables do not know, by their wire names. */
import { deploymentOutputRows, deploymentRows } from "../../../provider/fields/deployment";
import type { Kind, Rows } from "../../../provider/fields/kind";
import { isAbsent, isProperties, type Properties, valueAt } from "../../../provider/fields/value";
import { join, type Spelling, wireName } from "../../../provider/fields/wire";
import type { LeftOut } from "./leftOut";

const UNKNOWN_HERE =
  "this version of the package does not know it; a later change of its section may remove it";

/** Looks inside arguments only: a service may add outputs freely. */
export function strangersIn(wire: Properties, spelling: Spelling): LeftOut[] {
  const groups = Object.entries(deploymentRows).filter(([, field]) => "group" in field && field.group);
  const reported = Object.values(deploymentOutputRows).map((field) => field.wire);
  return groups.flatMap(([name, field]) => {
    const place = wireName(field, name, spelling);
    return within(field.kind, wire[place], place, name, spelling)
      .filter((path) => !reported.includes(path as never))
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
