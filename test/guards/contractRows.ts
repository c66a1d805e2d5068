/**
 * The contract as rows: every endpoint, query parameter and body field.
 *
 * The rows come only from the contract's text, apart from the names of the filters' query parameters: the contract does
 * not name them, so these are our defaults.
 */
import { deploymentRequest, listener, type Shape } from "./contractList";

type Fields = { readonly [field: string]: Shape };

const without = (shape: Shape, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(shape as Fields).filter(([name]) => !names.includes(name)));
const only = (shape: Shape, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(shape as Fields).filter(([name]) => names.includes(name)));

const page = ["limit", "offset"];

/** The query parameters of each endpoint. */
export const queries: { readonly [endpoint: string]: readonly string[] } = {
  "GET /v2/deployments": [
    ...page,
    "name",
    "status",
    "remote_reconciled",
    "tag_value_ids",
    "image_version",
    "deployment_type",
    "deployment_ids",
  ],
  "GET /v2/deployments/{deployment_id}/revisions": [...page, "status", "remote_reconciled"],
  "GET /v2/listeners": page,
};

/** The fields of each endpoint's request body. */
export const bodies: { readonly [endpoint: string]: Fields } = {
  "POST /v2/deployments": without(deploymentRequest, "revision_source"),
  "PATCH /v2/deployments/{deployment_id}": without(deploymentRequest, "name", "source"),
  "PATCH /v2/listeners/{listener_id}": only(listener, "version", "compute_config"),
  "PATCH /v2/auth/tokens/{token_id}/metadata": { provider_account_label: "string", is_default: "boolean" },
  "POST /threads/{thread_id}/runs": {
    assistant_id: "string",
    input: { messages: [{ role: "string", content: "string" }] },
    multitask_strategy: "reject",
  },
};

/** The dotted paths of the fields; the elements of an array have the path of the array. */
function pathsOf(shape: Shape, prefix = ""): string[] {
  if (typeof shape === "string") return [];
  if (Array.isArray(shape)) return pathsOf(shape[0] as Shape, prefix);
  return Object.entries(shape).flatMap(([name, each]) => [
    `${prefix}${name}`,
    ...pathsOf(each, `${prefix}${name}.`),
  ]);
}

/**
 * The rows of the endpoints, such as `GET /v2/listeners`, `GET /v2/listeners ?limit`, `POST /v2/deployments
 * source_config.repo_url`.
 */
export const rowsOf = (endpoints: readonly string[]): string[] =>
  endpoints.flatMap((endpoint) => [
    endpoint,
    ...(queries[endpoint] ?? []).map((name) => `${endpoint} ?${name}`),
    ...pathsOf(bodies[endpoint] ?? {}).map((path) => `${endpoint} ${path}`),
  ]);

/** A sample value of `shape`, with the first value of each enum and the same text for every string. */
export function sampleOfShape(shape: Shape): unknown {
  if (Array.isArray(shape)) return [sampleOfShape(shape[0] as Shape)];
  if (typeof shape !== "string")
    return Object.fromEntries(Object.entries(shape).map(([name, each]) => [name, sampleOfShape(each)]));
  return samples[shape] ?? shape.split(" | ")[0];
}

const samples: { readonly [type: string]: unknown } = {
  string: "text",
  uuid: "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21",
  integer: 1,
  number: 1,
  boolean: true,
  object: { text: "text" },
};
