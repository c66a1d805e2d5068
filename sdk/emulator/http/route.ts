/** What an endpoint of the service is, and how a request finds its own. */
import { isUuid } from "../../../provider/fields/value";
import type { Occasion } from "../faults";
import { invalid, Refusal } from "./answer";
import type { Parameters, Query } from "./query";

/** A request that has found its route. */
export interface Call extends Occasion {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: unknown;
  /** The caller's API key. */
  readonly key: string | undefined;
}

interface RouteOptions {
  /** The contract does not have it: only profiles with more operations do. */
  readonly isBeyondContract?: boolean;
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
  readonly path: string;
  readonly handle: (call: Call) => unknown;
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** An endpoint, such as `GET /v2/listeners/{listener_id}`; every parameter but `token_id` is a UUID. */
export function route(
  endpoint: `${Method} ${string}`,
  handle: (call: Call) => unknown,
  options: RouteOptions = {},
): Route {
  const [method = "", path = ""] = endpoint.split(" ");
  return { method, path, handle, ...options };
}

export const BEYOND = { isBeyondContract: true } as const;

export const param = ({ params }: Call, name: string): string => params[name] ?? "";

/** The route of a method and path with the path's parameters; 404 without a path, 405 without the method. */
export function findRoute(routes: readonly Route[], { method, path }: Occasion) {
  const matches = routes.flatMap((route) => {
    const params = paramsOf(route.path, path);
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

function paramsOf(pattern: string, path: string): Record<string, string> | undefined {
  const expected = pattern.split("/");
  const segments = path.split("/");
  if (expected.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, name] of expected.entries()) {
    const segment = segments[index] ?? "";
    if (!name.startsWith("{")) {
      if (name !== segment) return undefined;
    } else {
      if (segment === "") return undefined;
      params[name.slice(1, -1)] = decoded(segment);
    }
  }
  return params;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
