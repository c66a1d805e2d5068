/** Translates values between the program and the wire, using the tables and the profile's names. */
import type { Field, Kind, Rows } from "./kind";
import { isAbsent, isProperties, type Properties, UNKNOWN, valueAt } from "./value";

/** A service's own spelling of field names and of field values, keyed by the field's path in the program. */
export interface Spelling {
  readonly wire: { readonly [path: string]: string };
  readonly values: { readonly [path: string]: { readonly [value: string]: string } };
  /** Paths of the fields that the service lacks. Arguments among these fields are still read from answers. */
  readonly lacks?: readonly string[];
}

/** A field's name on the wire. `path` is the field's path in the program. */
export function wireName(field: Field<unknown>, path: string, spelling: Spelling): string {
  return spelling.wire[field.beside ?? path] ?? (field.wire as string);
}

/** `sourceConfig.deploymentType` -> `["source_config", "deployment_type"]`. */
export function wirePath(rows: Rows, path: string, spelling: Spelling): string[] {
  let innerRows = rows;
  return path.split(".").map((name, index, names) => {
    const field = innerRows[name] as Field<unknown>;
    innerRows = field.kind.type === "object" ? field.kind.rows : {};
    return wireName(field, names.slice(0, index + 1).join("."), spelling);
  });
}

/** The body of a request. Omits arguments that are never sent, or that another argument's list contains. */
export const rowsToWire = (rows: Rows, value: Properties, spelling: Spelling, path = ""): Properties =>
  objectToPatch(rows, {}, value, spelling, path);

export function toWire(kind: Kind<unknown>, value: unknown, spelling: Spelling, path: string): unknown {
  if (isAbsent(value)) return null;
  // Only a preview's body has an unknown value, and a preview does not send its bodies.
  if (value === UNKNOWN) return value;
  switch (kind.type) {
    case "object":
      return rowsToWire(kind.rows, value as Properties, spelling, path);
    case "list":
      return (value as unknown[]).map((element) => toWire(kind.of, element, spelling, path));
    case "keyed":
      return keyedToWire(kind, value as Properties, spelling, path);
    case "choice":
      return spelling.values[path]?.[value as string] ?? value;
    default:
      return value;
  }
}

type Keyed = Extract<Kind<unknown>, { type: "keyed" }>;

function keyedToWire({ rows, single }: Keyed, value: Properties, spelling: Spelling, path: string) {
  return Object.keys(value)
    .sort()
    .map((name) =>
      single
        ? { name, [single]: value[name] }
        : { name, ...rowsToWire(rows, value[name] as Properties, spelling, path) },
    );
}

/** A service's answer with the program's names. Omits fields without a row. */
export function rowsFromWire(rows: Rows, body: unknown, spelling: Spelling, path = ""): Properties {
  const value: Properties = {};
  if (!isProperties(body)) return value;
  for (const [name, field] of Object.entries(rows)) {
    if (field.wire === undefined || field.beside !== undefined) continue;
    const place = join(path, name);
    if (field.class === undefined && spelling.lacks?.includes(place)) continue;
    const member = answeredAt(body, wireName(field, place, spelling));
    if (!isAbsent(member)) value[name] = fromWire(field.kind, member, spelling, place);
  }
  return value;
}

/** A missing field must be cheap to skip, because a service returns few of a deployment's hundred fields. */
function answeredAt(body: Properties, wire: string): unknown {
  if (Object.hasOwn(body, wire)) return body[wire];
  return wire.includes(".") ? valueAt(body, wire.split(".")) : undefined;
}

/** A service's answer with null where the service reports nothing. A missing output would be unknown in plans. */
export function everyRowFromWire(rows: Rows, body: unknown, spelling: Spelling): Properties {
  const value = rowsFromWire(rows, body, spelling);
  return Object.fromEntries(Object.keys(rows).map((name) => [name, value[name] ?? null]));
}

/** Whether a creation sends the argument and the argument is not secret. */
export const isOpenlySent = ({ wire, patchOnly, secret }: Field<unknown>): boolean =>
  wire !== undefined && patchOnly !== true && secret !== true;

/** Whether the provider reads the argument from an answer. */
export const isAnswered = (field: Field<unknown>): boolean =>
  isOpenlySent(field) && field.beside === undefined;

/** Every argument in an answer. A value that the service does not report is null or an empty object. */
export function everyArgumentFromWire(rows: Rows, body: unknown, spelling: Spelling): Properties {
  const value = rowsFromWire(rows, body, spelling);
  const fields = Object.entries(rows).filter(([, field]) => isAnswered(field));
  return Object.fromEntries(
    fields.map(([name, field]) => [
      name,
      value[name] ?? (field.group || field.kind.type === "keyed" ? {} : null),
    ]),
  );
}

function fromWire(kind: Kind<unknown>, value: unknown, spelling: Spelling, path: string): unknown {
  if (kind.type === "object")
    return isProperties(value) ? rowsFromWire(kind.rows, value, spelling, path) : value;
  if (kind.type === "list") {
    return Array.isArray(value) ? value.map((element) => fromWire(kind.of, element, spelling, path)) : value;
  }
  if (kind.type === "keyed") return keyedFromWire(kind, value, spelling, path);
  if (kind.type === "choice") {
    const spelled = Object.entries(spelling.values[path] ?? {}).find(([, onTheWire]) => onTheWire === value);
    return spelled ? spelled[0] : value;
  }
  return value;
}

function keyedFromWire(
  { rows, single }: Keyed,
  value: unknown,
  spelling: Spelling,
  path: string,
): Properties {
  const entries = (Array.isArray(value) ? value : []).filter(
    (element) => isProperties(element) && typeof element.name === "string",
  );
  return Object.fromEntries(
    entries.map((element) => [
      element.name,
      single ? element[single] : rowsFromWire(rows, element, spelling, path),
    ]),
  );
}

/**
 * The value of a field in a PATCH, with null for every member that the program no longer manages. The result is the
 * same whether a service merges this value (RFC 7386) or stores it as a whole.
 */
export function toPatch(
  kind: Kind<unknown>,
  before: unknown,
  after: unknown,
  spelling: Spelling,
  path: string,
): unknown {
  if (isAbsent(after)) {
    // Null for the whole object would also remove members that the program does not manage.
    const isNested = kind.type === "object" || kind.type === "map";
    if (isNested && isProperties(before)) return toPatch(kind, before, {}, spelling, path);
    return kind.type === "keyed" ? [] : null;
  }
  if (!isProperties(after) || !isProperties(before)) return toWire(kind, after, spelling, path);
  if (kind.type === "object") return objectToPatch(kind.rows, before, after, spelling, path);
  if (kind.type !== "map") return toWire(kind, after, spelling, path);
  const removedNames = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  return { ...after, ...Object.fromEntries(removedNames.map((name) => [name, null])) };
}

function objectToPatch(
  rows: Rows,
  before: Properties,
  after: Properties,
  spelling: Spelling,
  path: string,
): Properties {
  const body: Properties = {};
  for (const [name, field] of Object.entries(rows)) {
    if (field.wire === undefined || field.beside !== undefined) continue;
    if (isAbsent(before[name]) && isAbsent(after[name])) continue;
    const place = join(path, name);
    body[wireName(field, place, spelling)] = toPatch(field.kind, before[name], after[name], spelling, place);
  }
  return body;
}

export function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
