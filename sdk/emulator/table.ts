/** The tables of fields for a profile's service, with the service's own names, values and stricter rules. */

import { mapFields, type Profile, rowsUnder, type Source } from "../../provider/profiles/profile";
import { deploymentRows } from "../../provider/schema/deployment";
import { type Field, type Kind, nonEmptyText, part, type Rows, required } from "../../provider/schema/kind";
import { wireName, wirePath } from "../../provider/schema/wire";

export type WireField = Field<unknown> & { readonly wire: string };

/** The fields in requests and answers, by program name. Two arguments that share a list on the wire have one row. */
export function tableOf(rows: Rows, profile: Profile): { readonly [name: string]: WireField } {
  const wireRows = Object.entries(rows).filter(
    ([, { wire, beside }]) => wire !== undefined && beside === undefined,
  );
  const table = mapFields(rowsUnder(Object.fromEntries(wireRows), profile), (field, path) => ({
    ...field,
    wire: wireName(field, path, profile),
    kind: kindOn(field.kind, path, profile),
  }));
  const fields = Object.entries(table).map(([name, field]) => [name, { ...field, kind: onWire(field.kind) }]);
  return Object.fromEntries(fields) as { readonly [name: string]: WireField };
}

/** The kind of a value in a request or an answer. Members have wire names, and keyed entries form a list. */
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

function kindOn(kind: Kind<unknown>, path: string, { values }: Profile): Kind<unknown> {
  if (kind.type !== "choice") return kind;
  const wireValues = kind.values.map((value) => values[path]?.[String(value)] ?? value);
  return { ...kind, values: wireValues };
}

export const sourceOn = ({ values }: Profile, source: Source): string => values.source?.[source] ?? source;

/** The path of a field in a request's body, derived from the field's path in a deployment's arguments. */
export const bodyPath = (path: string, profile: Profile): string =>
  wirePath(deploymentRows, path, profile).join(".");

export const wiresOf = (rows: Rows): string[] => Object.values(rows).flatMap(({ wire }) => wire ?? []);
