/** What an endpoint of the service is, and the paths that several of them share. */
import type { Occasion } from "./faults";
import type { Query, QueryRows } from "./query";

/** A request that has found its route. */
export interface Call extends Occasion {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: unknown;
  /** The caller's API key. */
  readonly key: string | undefined;
}

export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Every parameter but `token_id` is a UUID. */
  readonly path: string;
  /** 200 unless given. */
  readonly status?: number;
  /** A POST that has no body. */
  readonly bodyless?: boolean;
  readonly query?: QueryRows;
  /** For how long the answer is held back, in milliseconds; white space is then sent before it. */
  readonly heldMs?: (call: Call) => number;
  readonly handle: (call: Call) => unknown;
}

export const DEPLOYMENTS = "/v2/deployments";
export const DEPLOYMENT = "/v2/deployments/{deployment_id}";
export const REVISIONS = "/v2/deployments/{deployment_id}/revisions";
export const LISTENERS = "/v2/listeners";
export const LISTENER = "/v2/listeners/{listener_id}";

export const param = ({ params }: Call, name: string): string => params[name] ?? "";
