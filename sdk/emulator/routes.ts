/** The service's endpoints. */

import { isUuid } from "../../provider/fields/value";
import { patchDeployment } from "./deploymentPatch";
import {
  createDeployment,
  deleteDeployment,
  deploymentQuery,
  getDeployment,
  listDeployments,
} from "./deployments";
import type { Occasion } from "./faults";
import { listRepositories, patchToken } from "./integrations";
import { createListener, deleteListener, getListener, listListeners, patchListener } from "./listeners";
import { pageRows, type Query, type QueryRows } from "./query";
import { invalid, notFound, Refusal } from "./refusal";
import { listRevisions, revisionQuery, revisionsAt, revisionView } from "./revisions";
import { runtimeRoutes } from "./runtimeRoutes";
import { deploymentById, type Service } from "./service";

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
  readonly query?: QueryRows;
  /** For how long the answer is held back, in milliseconds; white space is then sent before it. */
  readonly heldMs?: (call: Call) => number;
  readonly handle: (call: Call) => unknown;
}

const DEPLOYMENTS = "/v2/deployments";
const DEPLOYMENT = "/v2/deployments/{deployment_id}";
const REVISIONS = "/v2/deployments/{deployment_id}/revisions";
const LISTENERS = "/v2/listeners";
const LISTENER = "/v2/listeners/{listener_id}";

export function routesOf(service: Service): readonly Route[] {
  return [
    ...contractRoutes(service),
    ...runtimeRoutes(service),
    ...(service.profile.moreOperations ? furtherRoutes(service) : []),
  ];
}

const param = ({ params }: Call, name: string): string => params[name] ?? "";

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

function furtherRoutes(service: Service): Route[] {
  const deployment = (call: Call) => param(call, "deployment_id");
  const listener = (call: Call) => param(call, "listener_id");
  return [
    { method: "GET", path: DEPLOYMENT, handle: (call) => getDeployment(service, deployment(call)) },
    {
      method: "DELETE",
      path: DEPLOYMENT,
      status: 204,
      query: { delete_tracing_project: { type: "boolean" } },
      handle: (call) => deleteDeployment(service, deployment(call)),
    },
    {
      method: "GET",
      path: `${REVISIONS}/{revision_id}`,
      handle: (call) => getRevision(service, deployment(call), param(call, "revision_id")),
    },
    { method: "POST", path: LISTENERS, status: 201, handle: ({ body }) => createListener(service, body) },
    { method: "GET", path: LISTENER, handle: (call) => getListener(service, listener(call)) },
    {
      method: "DELETE",
      path: LISTENER,
      status: 204,
      handle: (call) => deleteListener(service, listener(call)),
    },
  ];
}

function getRevision(service: Service, deploymentId: string, id: string) {
  const now = Date.now();
  const revisions = revisionsAt(deploymentById(service, deploymentId), now);
  const revision = revisions.find((other) => other.id === id.toLowerCase());
  if (!revision) throw notFound("Revision", id);
  return revisionView(service, revision, now);
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
