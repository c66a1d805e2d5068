/** Routes requests to the endpoints of the service, and reads queries. */

import type { Capabilities } from "../../../provider/profiles/profile";
import { schemaOfRows } from "../../../provider/schema/check";
import { text as anyText, computed, integer, type Rows } from "../../../provider/schema/kind";
import { isUuid, type Properties, valueOfText } from "../../../provider/schema/value";
import type { EmulatorBehaviour } from "../behaviour";
import type { Occasion } from "../faults";
import { BODY, checkPart } from "../validation";
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
  /** Only services with this capability have the endpoint; undefined for the contract's endpoints. */
  readonly needs?: keyof Capabilities;
  /** The status of the answer; defaults to 200. */
  readonly status?: number;
  readonly query?: Rows;
  /** The time in ms for which the answer is held back. An answer that is held back begins with white space. */
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
 * The route of an endpoint, such as `GET /v2/listeners/{listener_id}`. All parameters except `token_id` must be UUIDs.
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

/** Refuses an unknown path with 404, and a wrong method with 405. */
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

/** Each value has the kind that its row names. */
export type Query = Properties;

export const paging: Rows = {
  limit: computed({ type: "integer", minimum: 1, maximum: 100 }),
  offset: computed(integer),
};

/** Refuses unknown parameters and bad values with 422. Only a list parameter may be repeated. */
export function readQuery(rows: Rows, search: URLSearchParams): Query {
  const values = [...new Set(search.keys())].map((name) => {
    const texts = search.getAll(name);
    const kind = (Object.hasOwn(rows, name) && rows[name]?.kind) || anyText;
    if (texts.length > 1 && kind.type !== "list")
      throw invalid(["query", name], "is given twice", "value_error");
    return [name, valueOfText(kind, texts.join(","))];
  });
  return checkPart("query", { schema: schemaOfRows(rows, BODY) }, Object.fromEntries(values));
}

/** The page of entries that the query asks for. The next page begins at the answer's `offset`. */
export function pageOf<T>(entries: readonly T[], query: Query, behaviour: EmulatorBehaviour) {
  const { offset = 0, limit: asked = 20 } = query as { offset?: number; limit?: number };
  const limit = Math.min(asked, behaviour.pageCap);
  const resources = entries.slice(offset, offset + limit);
  return { resources, offset: offset + resources.length };
}
