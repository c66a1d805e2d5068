/** The connections to one service: kept alive, and no more of them than requests may be in flight. */
import type * as undici from "undici";

/** Longer than a pause between two looks at a rollout, so that a wait keeps its connection. */
const KEEP_ALIVE_MS = 10_000;

type Send = (
  this: undici.Dispatcher,
  options: undici.Dispatcher.RequestOptions,
) => Promise<undici.Dispatcher.ResponseData>;

export interface Pool {
  request(
    url: URL,
    options: Omit<undici.Dispatcher.RequestOptions, "path">,
  ): Promise<undici.Dispatcher.ResponseData>;
  close(): Promise<void>;
}

/**
 * A pool without any connection yet. What it needs of undici is loaded with the first, and only that: the whole of
 * undici (fetch, caches, sockets, mocks) takes three times as long to load, and twice the memory. Its inner modules are
 * no public names, which is why package.json holds undici to one version.
 */
export function openPool(connections: number): Pool {
  const Agent: typeof undici.Agent = require("undici/lib/dispatcher/agent");
  const request: Send = require("undici/lib/api/api-request");
  const agent = new Agent({
    connections,
    // The whole of a request has a limit of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  return {
    request: ({ origin, pathname, search }, options) =>
      request.call(agent, { ...options, origin, path: pathname + search }),
    close: () => agent.close(),
  };
}
