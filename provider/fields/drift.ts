/** How what a service shows now differs from what was asked of it. */
import { type Difference, differences } from "./compare";
import type { Kind, Rows } from "./kind";
import { isAbsent, isProperties, type Properties, valueAt } from "./value";

/** Where the live values of what is managed are others. What the service adds of its own is no difference. */
export function driftIn(rows: Rows, managed: Properties, live: Properties): Difference[] {
  const seen = Object.keys(managed).map((name) => [
    name,
    seenThrough(rows[name]?.kind ?? { type: "json" }, managed[name], live[name]),
  ]);
  return differences(rows, managed, Object.fromEntries(seen));
}

/** The live value reduced to what the managed one has: defaults that the service adds are no drift. */
function seenThrough(kind: Kind<unknown>, managed: unknown, live: unknown): unknown {
  if (Array.isArray(managed) && Array.isArray(live)) {
    if (managed.length !== live.length) return live;
    const of: Kind<unknown> = kind.type === "list" ? kind.of : { type: "json" };
    return managed.map((element, index) => seenThrough(of, element, live[index]) ?? null);
  }
  if (!isProperties(managed) || !isProperties(live)) return live ?? undefined;
  const members = Object.entries(managed).flatMap(([name, value]): [string, unknown][] => {
    const found = valueAt(live, [name]);
    return isAbsent(found) ? [] : [[name, seenThrough(memberKind(kind, name), value, found)]];
  });
  return Object.fromEntries(members);
}

function memberKind(kind: Kind<unknown>, name: string): Kind<unknown> {
  if (kind.type === "object") return kind.rows[name]?.kind ?? { type: "json" };
  return kind.type === "map" ? kind.of : { type: "json" };
}

/** The value with another one at that place; without it where that is undefined. */
export function withValueAt(value: unknown, names: readonly string[], leaf: unknown): unknown {
  const [name, ...rest] = names;
  if (name === undefined) return leaf;
  const { [name]: _replaced, ...others } = isProperties(value) ? value : {};
  const changed = withValueAt(valueAt(value, [name]), rest, leaf);
  return changed === undefined ? others : { ...others, [name]: changed };
}
