/** Whether a value is what its kind allows: asked of every argument in every plan, so it loads nothing and says no more. */
import type { Kind, Rows } from "./kind";
import { isProperties, isUuid, UNKNOWN } from "./value";

/** What is unknown until apply conforms. What does not conform is for `faultsIn` to judge and to put into words. */
export function rowsConform(rows: Rows, value: unknown): boolean {
  if (!isProperties(value)) return false;
  return (
    Object.keys(value).every((name) => Object.hasOwn(rows, name)) &&
    Object.entries(rows).every(([name, field]) =>
      value[name] === undefined ? field.required !== true : conforms(field.kind, value[name]),
    )
  );
}

function conforms(kind: Kind<unknown>, value: unknown): boolean {
  if (value === UNKNOWN) return true;
  switch (kind.type) {
    case "text":
      return typeof value === "string" && (!kind.nonEmpty || /\S/.test(value));
    case "timestamp":
      return typeof value === "string";
    case "uuid":
      return typeof value === "string" && isUuid(value);
    case "integer":
      return Number.isSafeInteger(value) && (value as number) >= (kind.minimum ?? Number.NEGATIVE_INFINITY);
    case "number":
      return Number.isFinite(value) && (value as number) >= (kind.minimum ?? Number.NEGATIVE_INFINITY);
    case "boolean":
      return typeof value === "boolean";
    case "choice":
      return (
        kind.values.includes(value as string) ||
        (kind.orUuid === true && typeof value === "string" && isUuid(value))
      );
    case "list":
      return Array.isArray(value) && value.every((element) => conforms(kind.of, element));
    case "map":
      return membersConform(value, (member) => conforms(kind.of, member));
    case "keyed":
      return (
        membersConform(value, (member) =>
          kind.single ? typeof member === "string" : rowsConform(kind.rows, member),
        ) && Object.keys(value as object).every((name) => /\S/.test(name))
      );
    case "json":
      return isJson(value);
    case "jsonObject":
      return membersConform(value, isJson);
    case "object":
      return rowsConform(kind.rows, value);
  }
}

function membersConform(value: unknown, conform: (member: unknown) => boolean): boolean {
  return isProperties(value) && Object.values(value).every(conform);
}

function isJson(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  return Array.isArray(value) ? value.every(isJson) : membersConform(value, isJson);
}
