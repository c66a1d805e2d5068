/** What an endpoint of the service is, how a request finds its own, and how its query is read. */
import { isUuid } from "../../../provider/fields/value";
import type { Capabilities } from "../../../provider/profiles/profile";
import type { EmulatorBehaviour } from "../behaviour";
import type { Occasion } from "../faults";
import { invalid, Refusal } from "./message";

/** A request that has found its route. */
export interface Call extends Occasion {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: unknown;
  /** The caller's API key. */
  readonly key: string | undefined;
}

interface RouteOptions {
  /** The contract does not have it: only services that can do this do. */
  readonly needs?: keyof Capabilities;
  /** 200 unless given. */
  readonly status?: number;
  /** A POST that has no body. */
  readonly bodyless?: boolean;
  readonly query?: Parameters;
  /** For how long the answer is held back, in milliseconds; white space is then sent before it. */
  readonly heldMs?: (call: Call) => number;
}

export interface Route extends RouteOptions {
  readonly method: string;
  /** With its parameters in braces. */
  readonly template: string;
  /** Of the path, with a group for each parameter. */
  readonly pattern: RegExp;
  readonly handle: (call: Call) => unknown;
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** An endpoint, such as `GET /v2/listeners/{listener_id}`; every parameter but `token_id` is a UUID. */
export function route(
  endpoint: `${Method} ${string}`,
  handle: (call: Call) => unknown,
  options: RouteOptions = {},
): Route {
  const [method = "", template = ""] = endpoint.split(" ");
  const pattern = new RegExp(`^${template.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
  return { method, template, pattern, handle, ...options };
}

export const param = ({ params }: Call, name: string): string => params[name] ?? "";

/** The route of a method and path with the path's parameters; 404 without a path, 405 without the method. */
export function findRoute(routes: readonly Route[], { method, path }: Occasion) {
  const matches = routes.flatMap((route) => {
    const params = paramsOf(route, path);
    return params ? [{ route, params }] : [];
  });
  if (matches.length === 0) throw new Refusal(404, "Not Found");
  const match = matches.find(({ route }) => route.method === method);
  if (!match) {
    const allow = matches.map(({ route }) => route.method).join(", ");
    throw new Refusal(405, "Method Not Allowed", { Allow: allow });
  }
  for (const [name, value] of Object.entries(match.params)) {
    if (name !== "token_id" && !isUuid(value))
      throw invalid(["path", name], "must be a UUID", "uuid_parsing");
  }
  return match;
}

function paramsOf({ pattern }: Route, path: string): Record<string, string> | undefined {
  const found = pattern.exec(path);
  if (!found) return undefined;
  return Object.fromEntries(
    Object.entries(found.groups ?? {}).map(([name, segment]) => [name, decoded(segment)]),
  );
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

type QueryValue = number | string | boolean | readonly string[];
export type Query = Readonly<Record<string, QueryValue | undefined>>;

export interface Parameter {
  readonly type: "integer" | "text" | "boolean" | "choice" | "list";
  /** What a value must be, for the refusal. */
  readonly allowed: string;
  /** The value that the text stands for; undefined where it is not allowed. */
  readonly read: (text: string) => QueryValue | undefined;
  /** The most entries of a list. */
  readonly most?: number;
  /** A list that may also be given once for each entry. */
  readonly repeats?: boolean;
  readonly required?: boolean;
}

export type Parameters = Readonly<Record<string, Parameter>>;

export const text: Parameter = { type: "text", allowed: "a text", read: (given) => given };

export const boolean: Parameter = {
  type: "boolean",
  allowed: "true or false",
  read: (given) => (given === "true" || given === "false" ? given === "true" : undefined),
};

export const choice = (values: readonly string[]): Parameter => ({
  type: "choice",
  allowed: `one of ${values.join(", ")}`,
  read: (given) => values.find((value) => value === given),
});

const integer = (minimum: number, maximum = Number.MAX_SAFE_INTEGER): Parameter => ({
  type: "integer",
  allowed: `an integer of at least ${minimum}${maximum === Number.MAX_SAFE_INTEGER ? "" : ` and at most ${maximum}`}`,
  read: (given) => {
    const value = /^-?\d+$/.test(given) ? Number(given) : Number.NaN;
    return value >= minimum && value <= maximum ? value : undefined;
  },
});

/** Entries separated by commas; `allowed` says which entries there may be. */
export const list = (isAllowed: (entry: string) => boolean, allowed: string): Parameter => ({
  type: "list",
  allowed: `${allowed}, separated by commas`,
  read: (given) => {
    const entries = given.split(",");
    return entries.every(isAllowed) ? entries : undefined;
  },
});

const uuidList = list(isUuid, "UUIDs");
export const uuids: Parameter = { ...uuidList, read: (given) => uuidList.read(given.toLowerCase()) };

export const paging: Parameters = { limit: integer(1, 100), offset: integer(0) };

/** The values of the query: unknown parameters and bad values are refused with 422. */
export function readQuery(parameters: Parameters, given: URLSearchParams): Query {
  const query: Record<string, QueryValue> = {};
  for (const [name, text] of given) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (!parameter) throw invalid(["query", name], "there is no such query parameter", "extra_forbidden");
    const { type, allowed, read, most = Infinity, repeats } = parameter;
    if (name in query && !repeats) throw invalid(["query", name], "is given twice", "value_error");
    const value = read(repeats ? given.getAll(name).join(",") : text);
    const isTooLong = Array.isArray(value) && value.length > most;
    if (value === undefined || isTooLong)
      throw invalid(
        ["query", name],
        `must be ${isTooLong ? `at most ${most} values` : allowed}`,
        `${type}_parsing`,
      );
    query[name] = value;
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
