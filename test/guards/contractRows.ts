/**
 * The contract as rows: every endpoint, query parameter and body field.
 *
 * The contract's text is the only source of the rows, with one exception: the contract does not name the filters' query
 * parameters, so their names are our defaults.
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
