/** The connections to one service: kept alive, and no more of them than requests may be in flight. */
import type { Agent, Dispatcher } from "undici";

/** Longer than a pause between two looks at a rollout, so that a wait keeps its connection. */
const KEEP_ALIVE_MS = 10_000;

export interface Pool {
  request(url: URL, options: Omit<Dispatcher.RequestOptions, "path">): Promise<Dispatcher.ResponseData>;
  close(): Promise<void>;
}

/**
 * A pool without any connection yet. The two parts of undici that it takes load in a third of the time of the whole,
 * and a plan that sends nothing loads none.
 */
export function openPool(connections: number): Pool {
  const { Agent, request } = undici();
  const agent = new Agent({
    connections,
    // The whole of a request has a limit of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  return {
    request: (url, options) =>
      request.call(agent, { ...options, origin: url.origin, path: url.pathname + url.search }),
    close: () => agent.close(),
  };
}

type Request = (this: Agent, options: Dispatcher.RequestOptions) => Promise<Dispatcher.ResponseData>;

/** Its version is pinned, and these files have been where they are since its fifth major version. */
function undici(): { Agent: new (options: Agent.Options) => Agent; request: Request } {
  return {
    Agent: require("undici/lib/dispatcher/agent.js"),
    request: require("undici/lib/api/api-request.js"),
  };
}
