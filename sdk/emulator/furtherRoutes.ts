/** The operations that the public service has beyond the contract. */
import { redeploy } from "./deploymentPatch";
import { deleteDeployment, deleteDeployments, getDeployment } from "./deployments";
import { listIntegrations, listTokens } from "./integrations";
import { createListener, deleteListener, getListener } from "./listeners";
import { revisionById, revisionView } from "./revisions";
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
import type { Service } from "./service";

const REVISION = `${REVISIONS}/{revision_id}`;

export function furtherRoutes(service: Service): Route[] {
  return [...deploymentRoutes(service), ...listenerRoutes(service), ...accountRoutes(service)];
}

function deploymentRoutes(service: Service): Route[] {
  const deployment = (call: Call) => param(call, "deployment_id");
  const revision = (call: Call) => param(call, "revision_id");
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
      method: "DELETE",
      path: DEPLOYMENTS,
      // Published as a parameter that repeats; commas, as in the filter of that name, do as well.
      query: {
        deployment_ids: { type: "list", of: "uuid", repeats: true, maximum: 100, required: true },
      },
      handle: ({ query }) => deleteDeployments(service, query.deployment_ids as readonly string[]),
    },
    {
      method: "GET",
      path: REVISION,
      handle: (call) =>
        revisionView(service, revisionById(service, deployment(call), revision(call)), Date.now()),
    },
    {
      method: "POST",
      path: `${REVISION}/redeploy`,
      bodyless: true,
      handle: (call) => redeploy(service, deployment(call), revision(call), call),
    },
  ];
}

function listenerRoutes(service: Service): Route[] {
  const listener = (call: Call) => param(call, "listener_id");
  return [
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

function accountRoutes(service: Service): Route[] {
  return [
    ...service.profile.integrationPaths.map(
      (path): Route => ({ method: "GET", path, handle: () => listIntegrations(service) }),
    ),
    {
      method: "GET",
      path: "/v2/auth/tokens",
      query: { provider_id: { type: "text" } },
      handle: ({ query, key }) => listTokens(service, query, key),
    },
  ];
}
