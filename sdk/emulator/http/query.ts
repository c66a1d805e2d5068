/** Query parameters, read strictly: unknown ones and bad values are refused with 422. */
import { isUuid } from "../../../provider/fields/value";
import type { EmulatorBehaviour } from "../behaviour";
import { invalid } from "./answer";

export type QueryValue = number | string | boolean | readonly string[];
export type Query = Readonly<Record<string, QueryValue | undefined>>;

export interface Parameter {
  readonly type: "integer" | "text" | "boolean" | "choice" | "list";
  /** The value that the text stands for; throws what `refuse` makes of the allowed values. */
  readonly read: (text: string, refuse: (allowed: string) => Error) => QueryValue;
  /** A list that may also be given once for each entry. */
  readonly repeats?: boolean;
  readonly required?: boolean;
}

export type Parameters = Readonly<Record<string, Parameter>>;

export const text: Parameter = { type: "text", read: (given) => given };

export const boolean: Parameter = {
  type: "boolean",
  read: (given, refuse) => {
    if (given !== "true" && given !== "false") throw refuse("true or false");
    return given === "true";
  },
};

export const choice = (values: readonly string[]): Parameter => ({
  type: "choice",
  read: (given, refuse) => {
    if (!values.includes(given)) throw refuse(`one of ${values.join(", ")}`);
    return given;
  },
});

export const integer = (minimum: number, maximum = Number.MAX_SAFE_INTEGER): Parameter => ({
  type: "integer",
  read: (given, refuse) => {
    const value = /^-?\d+$/.test(given) ? Number(given) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    const most = maximum === Number.MAX_SAFE_INTEGER ? "" : ` and at most ${maximum}`;
    throw refuse(`an integer of at least ${minimum}${most}`);
  },
});

/** Entries separated by commas; `allowed` says which entries there may be. */
export const list = (isAllowed: (entry: string) => boolean, allowed: string, most = Infinity): Parameter => ({
  type: "list",
  read: (given, refuse) => {
    const entries = given.split(",");
    if (entries.length > most) throw refuse(`at most ${most} values`);
    if (!entries.every(isAllowed)) throw refuse(`${allowed}, separated by commas`);
    return entries;
  },
});

export const uuids = (most?: number): Parameter => list(isUuid, "UUIDs", most);

export const paging: Parameters = { limit: integer(1, 100), offset: integer(0) };

export function readQuery(parameters: Parameters, given: URLSearchParams): Query {
  const query: Record<string, QueryValue> = {};
  for (const [name, value] of given) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (!parameter) throw invalid(["query", name], "there is no such query parameter", "extra_forbidden");
    const { type, read, repeats } = parameter;
    if (name in query && !repeats) throw invalid(["query", name], "is given twice", "value_error");
    const refuse = (allowed: string) => invalid(["query", name], `must be ${allowed}`, `${type}_parsing`);
    query[name] = read(repeats ? given.getAll(name).join(",") : value, refuse);
  }
  for (const [name, { required }] of Object.entries(parameters))
    if (required && !(name in query)) throw invalid(["query", name], "this parameter is required", "missing");
  return query;
}

/** A page of the items: `offset` in the answer is that of the next page. */
export function pageOf<T>(items: readonly T[], query: Query, behaviour: EmulatorBehaviour) {
  const offset = (query.offset as number | undefined) ?? 0;
  const limit = Math.min((query.limit as number | undefined) ?? 20, behaviour.pageCap);
  const resources = items.slice(offset, offset + limit);
  return { resources, offset: offset + resources.length };
}
