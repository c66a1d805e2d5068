/** The endpoints of a service, and what answers a call of one: over HTTP, or in the same process. */
import { Answer } from "./http/message";
import { type Call, findRoute, type Route, readQuery } from "./http/route";
import { deploymentRoutes } from "./resources/deployments/deployments";
import { revisionRoutes } from "./resources/deployments/revisions";
import { listenerRoutes } from "./resources/listeners";
import { repositoryRoutes } from "./resources/repositories";
import { threadRoutes } from "./resources/threads";
import { tokenRoutes } from "./resources/tokens";
import type { Service } from "./service";

const RESOURCES: readonly ((service: Service) => Route[])[] = [
  deploymentRoutes,
  revisionRoutes,
  listenerRoutes,
  repositoryRoutes,
  threadRoutes,
  tokenRoutes,
];

/** A request that has not found its route. */
export interface Asked extends Pick<Call, "method" | "path" | "key"> {
  readonly query: URLSearchParams;
  /** Read only where the route takes a body. */
  readonly body: () => unknown;
}

export class Router {
  readonly routes: readonly Route[];

  constructor(private readonly service: Service) {
    const { capabilities } = service.profile;
    const all = RESOURCES.flatMap((routesOf) => routesOf(service));
    this.routes = all.filter(({ needs }) => needs === undefined || capabilities[needs]);
  }

  /** What the service answers; `hold` passes the milliseconds for which it holds an answer back. Rejects with a Refusal. */
  async answer({ query, body, ...asked }: Asked, hold: (ms: number) => Promise<void>): Promise<Answer> {
    const { method } = asked;
    const { route, params } = findRoute(this.routes, asked);
    const hasBody = (method === "POST" || method === "PATCH") && !route.bodyless;
    const call = {
      ...asked,
      params,
      query: readQuery(route.query ?? {}, query),
      body: hasBody ? body() : undefined,
    };
    const heldMs = route.heldMs?.(call) ?? 0;
    await hold(heldMs);
    const result = route.handle(call);
    // On disk before the answer leaves: a change that was answered survives a crash.
    if (method !== "GET") this.service.store.save();
    if (result instanceof Answer) return result;
    return new Answer(route.status ?? 200, result, heldMs > 0 ? { lead: "\n" } : {});
  }
}
