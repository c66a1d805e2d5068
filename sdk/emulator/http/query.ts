/** Query parameters: read strictly, unknown ones and bad values are refused with 422. */

import { isUuid } from "../../../provider/fields/value";
import type { EmulatorBehaviour } from "../behaviour";
import { invalid } from "./answer";

/** What a parameter may be. */
export type QueryRow =
  | { readonly type: "integer"; readonly minimum: number; readonly maximum?: number }
  | { readonly type: "text" }
  | { readonly type: "boolean" }
  | { readonly type: "choice"; readonly values: readonly string[] }
  | {
      readonly type: "list";
      readonly of: "text" | "uuid" | readonly string[];
      /** It may also be given once for each entry. */
      readonly repeats?: boolean;
      readonly maximum?: number;
      readonly required?: boolean;
    };

export type QueryRows = Readonly<Record<string, QueryRow>>;
export type QueryValue = number | string | boolean | readonly string[];
export type Query = Readonly<Record<string, QueryValue | undefined>>;

export const pageRows: QueryRows = {
  limit: { type: "integer", minimum: 1, maximum: 100 },
  offset: { type: "integer", minimum: 0 },
};

export function readQuery(rows: QueryRows, given: URLSearchParams): Query {
  const query: Record<string, QueryValue> = {};
  for (const [name, value] of given) {
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
    if (!row) throw invalid(["query", name], "there is no such query parameter", "extra_forbidden");
    if (name in query && !repeats(row)) throw invalid(["query", name], "is given twice", "value_error");
    const all = repeats(row) ? given.getAll(name).join(",") : value;
    query[name] = readValue(name, row, all);
  }
  for (const [name, row] of Object.entries(rows)) {
    if (row.type !== "list" || !row.required || name in query) continue;
    throw invalid(["query", name], "this parameter is required", "missing");
  }
  return query;
}

const repeats = (row: QueryRow): boolean => row.type === "list" && row.repeats === true;

function readValue(name: string, row: QueryRow, value: string): QueryValue {
  const refuse = (what: string) => invalid(["query", name], `must be ${what}`, `${row.type}_parsing`);
  switch (row.type) {
    case "integer":
      return readInteger(row, value, refuse);
    case "text":
      return value;
    case "boolean":
      if (value !== "true" && value !== "false") throw refuse("true or false");
      return value === "true";
    case "choice":
      if (!row.values.includes(value)) throw refuse(`one of ${row.values.join(", ")}`);
      return value;
    case "list":
      return readList(row, value, refuse);
  }
}

function readInteger(
  row: { readonly minimum: number; readonly maximum?: number },
  value: string,
  refuse: (what: string) => Error,
): number {
  const read = /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
  const { minimum, maximum = Number.MAX_SAFE_INTEGER } = row;
  if (read >= minimum && read <= maximum) return read;
  throw refuse(
    `an integer of at least ${minimum}${row.maximum === undefined ? "" : ` and at most ${maximum}`}`,
  );
}

function readList(
  { of, maximum }: Extract<QueryRow, { type: "list" }>,
  value: string,
  refuse: (what: string) => Error,
) {
  const entries = value.split(",");
  if (maximum !== undefined && entries.length > maximum) throw refuse(`at most ${maximum} values`);
  if (of === "text") return entries;
  if (of === "uuid") {
    if (!entries.every(isUuid)) throw refuse("UUIDs, separated by commas");
  } else if (!entries.every((entry) => of.includes(entry))) {
    throw refuse(`some of ${of.join(", ")}, separated by commas`);
  }
  return entries;
}

/** A page of the items: `offset` in the answer is the one to ask with for the next. */
export function pageOf<T>(items: readonly T[], query: Query, behaviour: EmulatorBehaviour) {
  const offset = (query.offset as number | undefined) ?? 0;
  const limit = Math.min((query.limit as number | undefined) ?? 20, behaviour.pageCap);
  const resources = items.slice(offset, offset + limit);
  return { resources, offset: offset + resources.length };
}
