/** The endpoints of the service: those of each resource. */
import type { Route } from "./http/route";
import { deploymentRoutes } from "./resources/deployments/deployments";
import { revisionRoutes } from "./resources/deployments/revisions";
import { listenerRoutes } from "./resources/listeners";
import { repositoryRoutes } from "./resources/repositories";
import { runRoutes } from "./resources/runs";
import { threadRoutes } from "./resources/threads";
import { tokenRoutes } from "./resources/tokens";
import type { Service } from "./service";

const RESOURCES: readonly ((service: Service) => Route[])[] = [
  deploymentRoutes,
  revisionRoutes,
  listenerRoutes,
  repositoryRoutes,
  tokenRoutes,
  threadRoutes,
  runRoutes,
];

export function routesOf(service: Service): Route[] {
  return RESOURCES.flatMap((routes) => routes(service)).filter(
    ({ isBeyondContract }) => !isBeyondContract || service.profile.moreOperations,
  );
}
