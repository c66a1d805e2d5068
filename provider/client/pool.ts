/** The connections to one service: kept alive, and no more of them than requests may be in flight. */
import type { Agent } from "undici";

/** Longer than a pause between two polls of a rollout, so that a wait keeps its connection. */
const KEEP_ALIVE_MS = 10_000;

/** A pool without any connection yet. undici is loaded with the first pool: a run that sends nothing does without it. */
export function openPool(connections: number): Agent {
  const undici = require("undici") as typeof import("undici");
  return new undici.Agent({
    connections,
    // The whole of a request has a limit of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
}
