/** Turns a script's arguments into request bodies with wire names, according to the tables. A null clears a field. */
import { ARGUMENTS, CHANGES, faultsIn } from "../schema/check";
import type { Rows } from "../schema/kind";
import { isProperties, type Properties } from "../schema/value";
import { join, rowsToWire, type Spelling, toWire, wireName } from "../schema/wire";
import { BadRequestError } from "./errors";

export function newBody(rows: Rows, values: object, spelling: Spelling): Properties {
  refuseFaults(rows, values as Properties);
  return rowsToWire(rows, values as Properties, spelling);
}

/** The body of a PATCH. Throws a BadRequestError for values that the table does not allow. */
export function changeBody(rows: Rows, values: object, spelling: Spelling): Properties {
  refuseFaults(rows, values as Properties, true);
  return patchOf(rows, values as Properties, spelling, "");
}

/** Throws a BadRequestError for the first bad value. The error shows no secret. In a change, null is allowed. */
export function refuseFaults(rows: Rows, values: Properties, isChange = false): void {
  const manner = isChange ? CHANGES : ARGUMENTS;
  const [fault] = faultsIn(rows, values, (path) => /^secrets(\.|$)/.test(path), manner);
  if (fault) throw new BadRequestError(fault.words, fault.path.join("."));
}

function patchOf(rows: Rows, values: Properties, spelling: Spelling, path: string): Properties {
  const body: Properties = {};
  for (const [name, field] of Object.entries(rows)) {
    const value = values[name];
    if (value === undefined) continue;
    const place = join(path, name);
    body[wireName(field, place, spelling)] =
      field.kind.type === "object" && isProperties(value)
        ? patchOf(field.kind.rows, value, spelling, place)
        : toWire(field.kind, value, spelling, place);
  }
  return body;
}
