/** What the service shows of a deployment and the tables do not know, in its own names. */
import { deploymentOutputRows, deploymentRows } from "../../../provider/fields/deployment";
import type { Kind, Rows } from "../../../provider/fields/kind";
import { isAbsent, isProperties, type Properties, valueAt } from "../../../provider/fields/value";
import { join, type Spelling, wireName } from "../../../provider/fields/wire";
import type { LeftOut } from "./leftOut";

const UNKNOWN_HERE =
  "this version of the package does not know it; a later change of what it stands in may remove it";

/** Within the arguments alone: a service may report of a deployment what it likes. */
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
  const known = membersOf(kind.rows, path, spelling);
  return Object.keys(value).flatMap((name) => {
    const member = valueAt(value, [name]);
    const row = known.get(name);
    if (row === undefined) return isAbsent(member) ? [] : [`${place}.${name}`];
    return within(row.kind, member, `${place}.${name}`, row.path, spelling);
  });
}

const membersOf = (rows: Rows, path: string, spelling: Spelling) =>
  new Map(
    Object.entries(rows).map(([name, field]) => {
      const own = join(path, name);
      return [wireName(field, own, spelling), { kind: field.kind, path: own }];
    }),
  );
