/**
 * The endpoints of each profile. A client or provider under a profile sends requests only to the profile's endpoints.
 */
import { controlEndpoints, runtimeEndpoints } from "../guards/contractList";

export type ProfileName = "contract" | "langsmith";

const REPOSITORIES = "GET /v1/integrations/forge/repohost/{integration_id}/repos";

const langsmith = [
  ...controlEndpoints.filter((endpoint) => endpoint !== REPOSITORIES),
  "GET /v1/integrations/github/{integration_id}/repos",
  "GET /v1/integrations/github/install",
  "GET /v2/deployments/{deployment_id}",
  "DELETE /v2/deployments/{deployment_id}",
  "GET /v2/deployments/{deployment_id}/revisions/{revision_id}",
  "POST /v2/deployments/{deployment_id}/revisions",
  "POST /v1/projects/{deployment_id}/revisions/{revision_id}/build_logs",
  "POST /v1/projects/{deployment_id}/revisions/{revision_id}/deploy_logs",
  "POST /v2/listeners",
  "GET /v2/listeners/{listener_id}",
  "DELETE /v2/listeners/{listener_id}",
];

/** The endpoints of the control API, by profile, as `METHOD /path/{parameter}`. */
export const CONTROL: Readonly<Record<ProfileName, readonly string[]>> = {
  contract: controlEndpoints,
  langsmith,
};

/** The endpoint that a request uses; undefined if the profile has no such endpoint. */
export function endpointOf(profile: ProfileName, method: string, path: string): string | undefined {
  const requested = `${method} ${path}`;
  return [...CONTROL[profile], ...runtimeEndpoints].find((endpoint) => patternOf(endpoint).test(requested));
}

/** A deployment's runtime may have any path. In the embedded service, the path is `/runtime/{deployment_id}`. */
function patternOf(endpoint: string): RegExp {
  const [method, path] = endpoint.split(" ") as [string, string];
  const prefix = runtimeEndpoints.includes(endpoint) ? "(/runtime/[^/]+)?" : "";
  return new RegExp(`^${method} ${prefix}${path.replace(/\{\w+\}/g, "[^/]+")}$`);
}
