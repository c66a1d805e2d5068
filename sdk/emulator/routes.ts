/** The service's endpoints. */

import { isUuid } from "../../provider/fields/value";
import { patchDeployment } from "./deploymentPatch";
import { createDeployment, deploymentQuery, listDeployments } from "./deployments";
import type { Occasion } from "./faults";
import { furtherRoutes } from "./furtherRoutes";
import { listRepositories, patchToken } from "./integrations";
import { listListeners, patchListener } from "./listeners";
import { pageRows } from "./query";
import { invalid, Refusal } from "./refusal";
import { listRevisions, revisionQuery } from "./revisions";
import {
  type Call,
  DEPLOYMENT,
  DEPLOYMENTS,
  LISTENER,
  LISTENERS,
  param,
  REVISIONS,
  type Route,
} from "./route";
import { runtimeRoutes } from "./runtimeRoutes";
import type { Service } from "./service";

export function routesOf(service: Service): readonly Route[] {
  return [
    ...contractRoutes(service),
    ...runtimeRoutes(service),
    ...(service.profile.moreOperations ? furtherRoutes(service) : []),
  ];
}

function contractRoutes(service: Service): Route[] {
  const deployment = (call: Call) => param(call, "deployment_id");
  return [
    {
      method: "POST",
      path: DEPLOYMENTS,
      status: 201,
      handle: (call) => createDeployment(service, call.body, call),
    },
    {
      method: "GET",
      path: DEPLOYMENTS,
      query: deploymentQuery(service),
      handle: ({ query }) => listDeployments(service, query),
    },
    {
      method: "PATCH",
      path: DEPLOYMENT,
      handle: (call) => patchDeployment(service, deployment(call), call.body, call),
    },
    {
      method: "GET",
      path: REVISIONS,
      query: revisionQuery,
      handle: (call) => listRevisions(service, deployment(call), call.query),
    },
    { method: "GET", path: LISTENERS, query: pageRows, handle: ({ query }) => listListeners(service, query) },
    {
      method: "PATCH",
      path: LISTENER,
      handle: (call) => patchListener(service, param(call, "listener_id"), call.body),
    },
    ...service.profile.repositoryPaths.map(
      (path): Route => ({
        method: "GET",
        path,
        handle: (call) => listRepositories(service, param(call, "integration_id")),
      }),
    ),
    {
      method: "PATCH",
      path: "/v2/auth/tokens/{token_id}/metadata",
      handle: (call) => patchToken(service, param(call, "token_id"), call.body, call.key),
    },
  ];
}

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
