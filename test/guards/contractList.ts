/**
 * The names in the contract, copied from its text: every field with its type, every enum value and every endpoint.
 *
 * The list is independent of our tables; tests compare the tables with the list. Types are `string`, `uuid`,
 * `timestamp`, `integer`, `number`, `boolean`, `object` (of anything) and `any`; bars separate the values of an enum;
 * `[x]` is an array of x.
 */
export type Shape = string | readonly [Shape] | { readonly [field: string]: Shape };

const source = "repohost | external_docker | internal_docker | internal_source | internal_template";
const deploymentType = "dev_free | dev | prod";

const volumeMount = {
  name: "string",
  mountPath: "string",
  subPath: "string",
  mountPropagation: "string",
  subPathExpr: "string",
  readOnly: "boolean",
} as const;

const volume = {
  name: "string",
  configMap: "object",
  secret: "object",
  emptyDir: "object",
  persistentVolumeClaim: "object",
  nfs: "object",
  projected: "object",
  downwardAPI: "object",
  csi: "object",
} as const;

const container = {
  name: "string",
  image: "string",
  imagePullPolicy: "string",
  workingDir: "string",
  restartPolicy: "string",
  command: ["string"],
  args: ["string"],
  env: [{ name: "string", value: "string", valueFrom: "object" }],
  envFrom: ["object"],
  resources: { limits: "object", requests: "object" },
  volumeMounts: [volumeMount],
  securityContext: "object",
} as const;

const resourceSpec = {
  min_scale: "integer",
  max_scale: "integer",
  cpu: "number",
  cpu_limit: "number",
  memory_mb: "integer",
  memory_limit_mb: "integer",
  queue_min_scale: "integer",
  queue_max_scale: "integer",
  queue_cpu: "number",
  queue_cpu_limit: "number",
  queue_memory_mb: "integer",
  queue_memory_limit_mb: "integer",
  orchestrator_cpu: "number",
  orchestrator_cpu_limit: "number",
  orchestrator_memory_mb: "number",
  orchestrator_memory_limit_mb: "number",
  orchestrator_min_scale: "number",
  orchestrator_max_scale: "number",
  executor_cpu: "number",
  executor_cpu_limit: "number",
  executor_memory_mb: "number",
  executor_memory_limit_mb: "number",
  redis_cpu: "number",
  redis_cpu_limit: "number",
  redis_memory_mb: "integer",
  redis_memory_limit_mb: "integer",
  db_cpu: "number",
  db_cpu_limit: "number",
  db_memory_mb: "number",
  db_memory_limit_mb: "number",
  db_storage_gi: "number",
  db_max_connections: "number",
  labels: "object",
  annotations: "object",
  service_account_name: "string",
  image_pull_secrets: [{ name: "string" }],
  volumes: [volume],
  volume_mounts: [volumeMount],
  init_containers: [container],
  sidecars: [container],
} as const;

const sourceConfig = {
  integration_id: "uuid",
  repo_url: "string",
  deployment_type: deploymentType,
  build_on_push: "boolean",
  custom_url: "string",
  resource_spec: resourceSpec,
  listener_id: "uuid",
  listener_config: { k8s_namespace: "string" },
  install_command: "string",
  build_command: "string",
} as const;

const sourceRevisionConfig = {
  repo_ref: "string",
  graph_config_path: "string",
  image_uri: "string",
  source_tarball_path: "string",
} as const;
const answeredSourceRevisionConfig = { ...sourceRevisionConfig, repo_commit_sha: "string" } as const;

const secret = { name: "string", value: "string" } as const;
const secretReference = { name: "string", secret_name: "string", secret_key: "string" } as const;

/** The fields of a deployment that a program can send in a POST or a PATCH. */
export const deploymentRequest: Shape = {
  name: "string",
  source,
  source_config: sourceConfig,
  source_revision_config: sourceRevisionConfig,
  secrets: [secret],
  secret_references: [secretReference],
  revision_source: "repohost | internal_docker | internal_source",
};

/** The fields that only the service sets. */
export const deploymentAnswer: Shape = {
  id: "uuid",
  tenant_id: "uuid",
  created_at: "timestamp",
  updated_at: "timestamp",
  status: "AWAITING_DATABASE | READY | UNUSED | AWAITING_DELETE | UNKNOWN",
  latest_revision_id: "uuid",
  active_revision_id: "uuid",
  image_version: "string",
  source_revision_config: { repo_commit_sha: "string" },
};

export const revision: Shape = {
  id: "uuid",
  created_at: "timestamp",
  updated_at: "timestamp",
  status:
    "CREATING | QUEUED | AWAITING_BUILD | BUILDING | AWAITING_DEPLOY | DEPLOYING | CREATE_FAILED | BUILD_FAILED | " +
    "DEPLOY_FAILED | DEPLOYED | SKIPPED | INTERRUPTED | UNKNOWN",
  source,
  source_revision_config: answeredSourceRevisionConfig,
};

export const listener: Shape = {
  compute_type: "k8s",
  compute_id: "string",
  compute_config: { k8s_namespaces: ["string"] },
  id: "uuid",
  created_at: "timestamp",
  updated_at: "timestamp",
  version: "string",
};

export const repository: Shape = {
  host_integration_id: "uuid",
  id: "integer",
  name: "string",
  owner: "string",
  url: "string",
  default_branch: "string",
};

export const tokenMetadata: Shape = {
  id: "string",
  provider_id: "string",
  created_at: "timestamp",
  updated_at: "timestamp",
  provider_account_label: "string",
  scopes: ["any"],
  expires_at: "timestamp",
  is_default: "boolean",
};

export const controlEndpoints = [
  "POST /v2/deployments",
  "GET /v2/deployments",
  "PATCH /v2/deployments/{deployment_id}",
  "GET /v2/deployments/{deployment_id}/revisions",
  "GET /v2/listeners",
  "PATCH /v2/listeners/{listener_id}",
  "GET /v1/integrations/forge/repohost/{integration_id}/repos",
  "PATCH /v2/auth/tokens/{token_id}/metadata",
];

export const runtimeEndpoints = [
  "POST /threads",
  "POST /threads/{thread_id}/runs",
  "GET /threads/{thread_id}/runs/{run_id}/join",
  "GET /threads/{thread_id}/state",
];

/**
 * The filters of each list, except `limit` and `offset`. The contract does not name the filters, so this package names
 * them.
 */
export const filters = {
  deployments: [
    "name",
    "status",
    "remoteReconciled",
    "tagValueIds",
    "imageVersion",
    "deploymentType",
    "deploymentIds",
  ],
  revisions: ["statuses", "remoteReconciled"],
};
