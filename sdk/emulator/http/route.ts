/** Routes requests to the endpoints of the service, and reads queries. */
import { isUuid } from "../../../provider/fields/value";
import type { Capabilities } from "../../../provider/profiles/profile";
import type { EmulatorBehaviour } from "../behaviour";
import type { Occasion } from "../faults";
import { invalid, Refusal } from "./message";

/** A request with the parameters of its route. */
export interface RoutedRequest extends Occasion {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: unknown;
  /** The caller's API key. */
  readonly key: string | undefined;
}

interface RouteOptions {
  /** The capability without which a service lacks the endpoint; undefined for the contract's endpoints. */
  readonly needs?: keyof Capabilities;
  /** The status of the answer; 200 unless given. */
  readonly status?: number;
  /** Set for a POST or PATCH that takes no body. */
  readonly bodyless?: boolean;
  readonly query?: Parameters;
  /** The milliseconds for which the answer is held back; an answer that was held back begins with white space. */
  readonly heldMs?: (call: RoutedRequest) => number;
}

export interface Route extends RouteOptions {
  readonly method: string;
  /** The path, with parameters in braces. */
  readonly template: string;
  /** A regular expression for the path, with a group for each parameter. */
  readonly pattern: RegExp;
  readonly handle: (call: RoutedRequest) => unknown;
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/**
 * The route of an endpoint, such as `GET /v2/listeners/{listener_id}`. Every parameter but `token_id` must be a UUID.
 */
export function route(
  endpoint: `${Method} ${string}`,
  handle: (call: RoutedRequest) => unknown,
  options: RouteOptions = {},
): Route {
  const [method = "", template = ""] = endpoint.split(" ");
  const pattern = new RegExp(`^${template.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
  return { method, template, pattern, handle, ...options };
}

export const param = ({ params }: RoutedRequest, name: string): string => params[name] ?? "";

/** The route for a method and path, with the parameters. Refuses an unknown path with 404, a wrong method with 405. */
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
  for (const [name, segment] of Object.entries(match.params)) {
    if (name !== "token_id" && !isUuid(segment))
      throw invalid(["path", name], "must be a UUID", "uuid_parsing");
  }
  return match;
}

function paramsOf({ pattern }: Route, path: string): Record<string, string> | undefined {
  const match = pattern.exec(path);
  if (!match) return undefined;
  return Object.fromEntries(
    Object.entries(match.groups ?? {}).map(([name, segment]) => [name, decoded(segment)]),
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
  /** The allowed values in words, for the refusal of another value. */
  readonly allowed: string;
  /** Parses the text; returns undefined if the text is not allowed. */
  readonly read: (text: string) => QueryValue | undefined;
  /** Maximum number of entries in a list. */
  readonly most?: number;
  /** Set for a list whose entries may also come as repeated parameters. */
  readonly repeats?: boolean;
  readonly required?: boolean;
}

export type Parameters = Readonly<Record<string, Parameter>>;

export const text: Parameter = { type: "text", allowed: "a text", read: (text) => text };

export const boolean: Parameter = {
  type: "boolean",
  allowed: "true or false",
  read: (text) => (text === "true" || text === "false" ? text === "true" : undefined),
};

export const choice = (values: readonly string[]): Parameter => ({
  type: "choice",
  allowed: `one of ${values.join(", ")}`,
  read: (text) => values.find((value) => value === text),
});

const integer = (minimum: number, maximum = Number.MAX_SAFE_INTEGER): Parameter => ({
  type: "integer",
  allowed: `an integer of at least ${minimum}${maximum === Number.MAX_SAFE_INTEGER ? "" : ` and at most ${maximum}`}`,
  read: (text) => {
    const number = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
    return number >= minimum && number <= maximum ? number : undefined;
  },
});

/** A list of entries separated by commas; `entryNames` describes the allowed entries. */
export const list = (isAllowed: (entry: string) => boolean, entryNames: string): Parameter => ({
  type: "list",
  allowed: `${entryNames}, separated by commas`,
  read: (text) => {
    const entries = text.split(",");
    return entries.every(isAllowed) ? entries : undefined;
  },
});

const uuidList = list(isUuid, "UUIDs");
export const uuids: Parameter = { ...uuidList, read: (text) => uuidList.read(text.toLowerCase()) };

export const paging: Parameters = { limit: integer(1, 100), offset: integer(0) };

/** Reads the query; refuses unknown parameters and bad values with 422. */
export function readQuery(parameters: Parameters, search: URLSearchParams): Query {
  const query: Record<string, QueryValue> = {};
  for (const [name, text] of search) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (!parameter) throw invalid(["query", name], "there is no such query parameter", "extra_forbidden");
    const { type, allowed, read, most = Infinity, repeats } = parameter;
    if (name in query && !repeats) throw invalid(["query", name], "is given twice", "value_error");
    const value = read(repeats ? search.getAll(name).join(",") : text);
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

/** The page of entries that the query asks for; the answer's `offset` is where the next page begins. */
export function pageOf<T>(entries: readonly T[], query: Query, behaviour: EmulatorBehaviour) {
  const offset = (query.offset as number | undefined) ?? 0;
  const limit = Math.min((query.limit as number | undefined) ?? 20, behaviour.pageCap);
  const resources = entries.slice(offset, offset + limit);
  return { resources, offset: offset + resources.length };
}
