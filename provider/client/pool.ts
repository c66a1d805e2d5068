/** The connections to one service: kept alive, and no more of them than requests may be in flight. */
import type { Dispatcher } from "undici";

/** Longer than a pause between two looks at a rollout, so that a wait keeps its connection. */
const KEEP_ALIVE_MS = 10_000;

export interface Pool {
  request(url: URL, options: Omit<Dispatcher.RequestOptions, "path">): Promise<Dispatcher.ResponseData>;
  close(): Promise<void>;
}

/** A pool without any connection yet. undici is loaded with the first: a plan that sends nothing starts faster. */
export function openPool(connections: number): Pool {
  const { Agent, request } = require("undici") as typeof import("undici");
  const agent = new Agent({
    connections,
    // The whole of a request has a limit of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  return {
    request: (url, options) => request(url, { ...options, dispatcher: agent }),
    close: () => agent.close(),
  };
}
