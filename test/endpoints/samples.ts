/** Makes a value for every field of a table. */
import type { Kind, Rows } from "../../provider/schema/kind";
import type { Properties } from "../../provider/schema/value";

export const UUID = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";

/** A value of the kind. The fields of an object have the names that a program uses, not the service's names. */
function sampleOf(kind: Kind<unknown>): unknown {
  switch (kind.type) {
    case "uuid":
      return UUID;
    case "timestamp":
      return "2026-01-02T03:04:05Z";
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    case "choice":
      return kind.values[0];
    case "list":
      return [sampleOf(kind.of)];
    case "map":
      return { text: sampleOf(kind.of) };
    case "keyed":
      return { text: kind.single ? "text" : sampleOfRows(kind.rows) };
    case "jsonObject":
      return { text: "text" };
    case "object":
      return sampleOfRows(kind.rows);
    default:
      return "text";
  }
}

/** A value for each field that is sent to the service; `only`: the names of the fields to include. */
export function sampleOfRows(rows: Rows, only?: readonly string[]): Properties {
  return Object.fromEntries(
    Object.entries(rows)
      .filter(([name, { wire }]) => wire !== undefined && (only === undefined || only.includes(name)))
      .map(([name, { kind }]) => [name, sampleOf(kind)]),
  );
}
