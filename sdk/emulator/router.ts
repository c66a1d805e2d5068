/** Routes requests, over HTTP or in the same process, to the endpoints of a service. */
import type { Profile } from "../../provider/profiles/profile";
import { Answer } from "./http/message";
import { findRoute, type Route, type RoutedRequest, readQuery } from "./http/route";
import { deploymentRoutes } from "./resources/deployments/deployments";
import { revisionRoutes } from "./resources/deployments/revisions";
import { listenerRoutes } from "./resources/listeners";
import { repositoryRoutes } from "./resources/repositories";
import { threadRoutes } from "./resources/threads";
import { tokenRoutes } from "./resources/tokens";
import type { EmulatedService } from "./service";

const RESOURCES: readonly ((service: EmulatedService) => Route[])[] = [
  deploymentRoutes,
  revisionRoutes,
  listenerRoutes,
  repositoryRoutes,
  threadRoutes,
  tokenRoutes,
];

/** A request whose route is not known yet. */
interface UnroutedRequest extends Pick<RoutedRequest, "method" | "path" | "key"> {
  readonly query: URLSearchParams;
  /** Called only if the route takes a body. */
  readonly body: () => unknown;
}

export class Router {
  readonly #routes = new Map<Profile, readonly Route[]>();

  constructor(private readonly service: EmulatedService) {}

  get routes(): readonly Route[] {
    const { profile } = this.service;
    const { capabilities } = profile;
    const routes =
      this.#routes.get(profile) ??
      RESOURCES.flatMap((routesOf) => routesOf(this.service)).filter(
        ({ needs }) => needs === undefined || capabilities[needs],
      );
    this.#routes.set(profile, routes);
    return routes;
  }

  /** Answers a request, or rejects with a Refusal. `hold` waits while the answer is held back. */
  async answer(
    { query, body, ...request }: UnroutedRequest,
    hold: (ms: number) => Promise<void>,
  ): Promise<Answer> {
    const { method } = request;
    const { route, params } = findRoute(this.routes, request);
    const hasBody = method === "POST" || method === "PATCH";
    const call = {
      ...request,
      params,
      query: readQuery(route.query ?? {}, query),
      body: hasBody ? body() : undefined,
    };
    const heldMs = route.heldMs?.(call) ?? 0;
    await hold(heldMs);
    const answer = route.handle(call);
    // Save before answering, so that an answered change survives a crash.
    if (method !== "GET") this.service.store.save();
    return new Answer(route.status ?? 200, answer, heldMs > 0 ? { lead: "\n" } : {});
  }
}
