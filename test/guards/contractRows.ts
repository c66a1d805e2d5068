/**
 * The contract as rows: every endpoint, query parameter and body field, each with the test that sends it.
 *
 * The rows come only from the contract's text. The names of the filters' parameters are the defaults: the contract
 * gives none.
 */
import { controlEndpoints, deploymentRequest, listener, runtimeEndpoints, type Shape } from "./contractList";

type Fields = { readonly [field: string]: Shape };

const without = (shape: Shape, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(shape as Fields).filter(([name]) => !names.includes(name)));
const only = (shape: Shape, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(shape as Fields).filter(([name]) => names.includes(name)));

const page = ["limit", "offset"];

/** Query parameters of an endpoint. */
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

/** The body of an endpoint. */
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

/** Dotted paths of the fields; elements of an array have the array's path. */
function pathsOf(shape: Shape, prefix = ""): string[] {
  if (typeof shape === "string") return [];
  if (Array.isArray(shape)) return pathsOf(shape[0] as Shape, prefix);
  return Object.entries(shape).flatMap(([name, each]) => [
    `${prefix}${name}`,
    ...pathsOf(each, `${prefix}${name}.`),
  ]);
}

/** Such as `GET /v2/listeners`, `GET /v2/listeners ?limit`, `POST /v2/deployments source_config.repo_url`. */
export const rows: readonly string[] = [...controlEndpoints, ...runtimeEndpoints].flatMap((endpoint) => [
  endpoint,
  ...(queries[endpoint] ?? []).map((name) => `${endpoint} ?${name}`),
  ...pathsOf(bodies[endpoint] ?? {}).map((path) => `${endpoint} ${path}`),
]);

/** A value of a shape on the wire: the first value of an enum, the same text for every string. */
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

interface Sender {
  readonly file: string;
  readonly title: string;
}

const CONTROL = "test/provider/client/endpoints.every.test.ts";
const RUNTIME = "test/provider/client/runtime.every.test.ts";

/** The test that sends a row and the rows below it; a row's own entry takes precedence over its endpoint's. */
export const senders: { readonly [row: string]: Sender } = {
  "POST /v2/deployments": { file: CONTROL, title: "a deployment is created with every field" },
  "GET /v2/deployments": {
    file: CONTROL,
    title: "deployments are listed with offset and limit",
  },
  "GET /v2/deployments ?name": { file: CONTROL, title: "deployments are filtered by name" },
  "GET /v2/deployments ?status": { file: CONTROL, title: "deployments are filtered by status" },
  "GET /v2/deployments ?remote_reconciled": {
    file: CONTROL,
    title: "deployments are filtered by the remote-reconciled flag",
  },
  "GET /v2/deployments ?tag_value_ids": { file: CONTROL, title: "deployments are filtered by tag value ids" },
  "GET /v2/deployments ?image_version": { file: CONTROL, title: "deployments are filtered by image version" },
  "GET /v2/deployments ?deployment_type": {
    file: CONTROL,
    title: "deployments are filtered by deployment type",
  },
  "GET /v2/deployments ?deployment_ids": { file: CONTROL, title: "deployments are filtered by their ids" },
  "PATCH /v2/deployments/{deployment_id}": {
    file: CONTROL,
    title: "a deployment is updated with every field",
  },
  "GET /v2/deployments/{deployment_id}/revisions": {
    file: CONTROL,
    title: "revisions are listed with offset and limit",
  },
  "GET /v2/deployments/{deployment_id}/revisions ?status": {
    file: CONTROL,
    title: "revisions are filtered by any of several statuses",
  },
  "GET /v2/deployments/{deployment_id}/revisions ?remote_reconciled": {
    file: CONTROL,
    title: "revisions are filtered by the remote-reconciled flag",
  },
  "GET /v2/listeners": { file: CONTROL, title: "listeners are listed with offset and limit" },
  "PATCH /v2/listeners/{listener_id}": { file: CONTROL, title: "a listener is updated with every field" },
  "GET /v1/integrations/forge/repohost/{integration_id}/repos": {
    file: CONTROL,
    title: "the repositories of an integration are listed",
  },
  "PATCH /v2/auth/tokens/{token_id}/metadata": {
    file: CONTROL,
    title: "a token's metadata is updated with every field",
  },
  "POST /threads": { file: RUNTIME, title: "a thread is created" },
  "POST /threads/{thread_id}/runs": { file: RUNTIME, title: "a run is created with every field" },
  "GET /threads/{thread_id}/runs/{run_id}/join": { file: RUNTIME, title: "a run is joined" },
  "GET /threads/{thread_id}/state": { file: RUNTIME, title: "a thread's state is read" },
};

/** The endpoint of a row. */
const endpointOfRow = (row: string): string => row.split(" ").slice(0, 2).join(" ");

/** The test that sends the row; undefined if the table names none. */
export const senderOf = (row: string): Sender | undefined => senders[row] ?? senders[endpointOfRow(row)];
