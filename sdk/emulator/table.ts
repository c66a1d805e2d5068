/** The tables as the service of a profile has them: with its names, its values and its stricter rules. */
import { deploymentRows } from "../../provider/fields/deployment";
import { type Field, type Kind, nonEmptyText, part, type Rows, required } from "../../provider/fields/kind";
import { wireName } from "../../provider/fields/wire";
import { mapFields, type Profile, rowsUnder, type Source } from "../../provider/profiles/profile";

/** A field that travels. */
export type WireField = Field<unknown> & { readonly wire: string };

/** The rows that travel, by their names in the program, each with the name and the values that the service has for it. */
export function tableOf(rows: Rows, profile: Profile): { readonly [name: string]: WireField } {
  const sent = Object.entries(rows).filter(([, { wire }]) => wire !== undefined);
  const table = mapFields(rowsUnder(Object.fromEntries(sent), profile), (field, path) => ({
    ...field,
    wire: wireName(field, path, profile),
    kind: spelled(field.kind, path, profile),
  }));
  const fields = Object.entries(table).map(([name, field]) => [name, { ...field, kind: onWire(field.kind) }]);
  return Object.fromEntries(fields) as { readonly [name: string]: WireField };
}

/** The kind of a value as it travels: members under the names of the wire, entries by name in a list. */
function onWire(kind: Kind<unknown>): Kind<unknown> {
  if (kind.type === "object") return { ...kind, rows: rowsOnWire(kind.rows) };
  if (kind.type === "list") return { ...kind, of: onWire(kind.of) };
  if (kind.type !== "keyed") return kind;
  const rows = { name: required(part("name", nonEmptyText)), ...rowsOnWire(kind.rows) };
  return { type: "list", of: { type: "object", rows } };
}

const rowsOnWire = (rows: Rows): Rows =>
  Object.fromEntries(
    Object.values(rows).map((field) => [field.wire as string, { ...field, kind: onWire(field.kind) }]),
  );

function spelled(kind: Kind<unknown>, path: string, { values, sources }: Profile): Kind<unknown> {
  if (kind.type !== "choice") return kind;
  const notOffered: readonly unknown[] = path === "source" ? sources.notOffered : [];
  const offered = kind.values.filter((value) => !notOffered.includes(value));
  return { ...kind, values: offered.map((value) => values[path]?.[String(value)] ?? value) };
}

/** The service's word for a source. */
export const sourceOn = ({ values }: Profile, source: Source): string => values.source?.[source] ?? source;

/** The path in a body of the value that a program has at this path of a deployment. */
export function wirePath(path: string, profile: Profile): string {
  const names = path.split(".");
  let rows: Rows = deploymentRows;
  const wires = names.map((name, index) => {
    const field = rows[name] as Field<unknown>;
    rows = field.kind.type === "object" ? field.kind.rows : {};
    return wireName(field, names.slice(0, index + 1).join("."), profile);
  });
  return wires.join(".");
}

export const wiresOf = (rows: Rows): string[] => Object.values(rows).flatMap(({ wire }) => wire ?? []);
