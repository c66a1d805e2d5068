import { DEPLOYMENT_STATUSES, DEPLOYMENT_TYPES, SOURCES } from "../schema/deployment";
import { filterQuery } from "../schema/filters";
import { choice, integer, listOf, mapOf, openChoice, text } from "../schema/kind";
import { resourceSpecRows, SPEC } from "../schema/resourceSpec";
import { REVISION_STATUSES } from "../schema/revision";
import {
  type Bound,
  contract,
  type Default,
  type FieldRule,
  type Profile,
  type SourceRule,
  type SourceRules,
} from "./profile";

const cpu: Bound = { minimum: 0.1, maximum: 8, decimals: 1 };
const cpuLimit: Bound = { ...cpu, maximum: 16 };

const remedy = "Leave it out";
const repository: SourceRule = { sources: ["repohost"], remedy };
const ownInfrastructure: SourceRule = { sources: ["external_docker"], remedy };
const built = ["repohost", "internal_source"] as const;

const sources: SourceRules = {
  only: {
    ...contract.sources.only,
    "sourceConfig.integrationId": repository,
    "sourceConfig.repoUrl": repository,
    // The API reference allows `deploymentType` only with sources that have `repoUrl`, but the service's command
    // also sets it for other sources.
    "sourceConfig.deploymentType": {
      sources: ["repohost", "internal_docker", "internal_source", "internal_template"],
      remedy,
    },
    "sourceConfig.templateId": { sources: ["internal_template"], remedy },
    "sourceConfig.buildOnPush": repository,
    "sourceConfig.customUrl": {
      sources: ["external_docker"],
      remedy: "Leave it out: the service sets it and returns it as the output url",
    },
    [SPEC]: ownInfrastructure,
    "sourceConfig.listenerId": ownInfrastructure,
    "sourceConfig.listenerConfig": ownInfrastructure,
    "sourceRevisionConfig.repoRef": repository,
    "sourceRevisionConfig.graphConfigPath": { sources: [...built, "internal_template"], remedy },
    "sourceRevisionConfig.imageUri": {
      sources: ["external_docker", "internal_docker"],
      remedy: "Leave it out: the service builds the image",
    },
    "sourceRevisionConfig.sourceTarballPath": { sources: ["internal_source"], remedy },
  },
  requiredOnCreate: {
    "sourceRevisionConfig.graphConfigPath": {
      sources: built,
      remedy: "Set the path of the graph configuration file within the source",
    },
  },
  runs: contract.sources.runs,
  nothingToRun: "refused",
  conflicts: [
    {
      path: "sourceConfig.buildOnPush",
      value: true,
      against: "sourceRevisionConfig.repoRef",
      prefix: "refs/tags/",
      remedy: "A tag does not move: set buildOnPush to false, or set repoRef to a branch",
    },
  ],
};

const inSpec = <R>(rule: R, ...names: readonly string[]): { [path: string]: R } =>
  Object.fromEntries(names.map((name) => [`${SPEC}.${name}`, rule]));
const inContainers = (rule: FieldRule, ...names: readonly string[]) =>
  inSpec(rule, ...["initContainers", "sidecars"].flatMap((list) => names.map((name) => `${list}.${name}`)));

const deploymentType = { kind: openChoice(...DEPLOYMENT_TYPES, "dev_zero", "dev_free_zero") };

/** Values that the service has in addition to the contract's values. The service may add more values. */
const open = {
  "sourceConfig.deploymentType": deploymentType,
  "deployments.deploymentType": deploymentType,
  "deployments.status": { kind: openChoice(...DEPLOYMENT_STATUSES, "AWAITING_FINAL_DELETE") },
  "revisions.statuses": { kind: listOf(openChoice(...REVISION_STATUSES)) },
};

const stricter = {
  ...inSpec({ kind: integer }, "orchestratorMemoryMb", "orchestratorMemoryLimitMb"),
  ...inSpec({ kind: integer }, "orchestratorMinScale", "orchestratorMaxScale"),
  ...inSpec({ kind: integer }, "executorMemoryMb", "executorMemoryLimitMb"),
  ...inSpec({ kind: integer }, "dbMemoryMb", "dbMemoryLimitMb", "dbStorageGi", "dbMaxConnections"),
  ...inSpec({ required: true }, "imagePullSecrets.name"),
  ...inContainers({ required: true }, "name", "image", "env.name"),
  ...inContainers({ kind: mapOf(text) }, "resources.limits", "resources.requests"),
};
/** A default that is a multiple of another member of the resource spec. */
const multiple = (name: string, from: string, times: number): [path: string, Default] => [
  `${SPEC}.${name}`,
  { from: `${SPEC}.${from}`, times },
];

/** Documented defaults of the resource spec. */
const defaults = Object.fromEntries([
  multiple("queueMinScale", "minScale", 1),
  multiple("queueMaxScale", "maxScale", 1),
  multiple("queueCpu", "cpu", 1),
  multiple("queueMemoryMb", "memoryMb", 1),
  multiple("cpuLimit", "cpu", 2),
  multiple("memoryLimitMb", "memoryMb", 2),
  multiple("queueCpuLimit", "queueCpu", 2),
  multiple("queueMemoryLimitMb", "queueMemoryMb", 2),
  multiple("redisCpuLimit", "redisCpu", 2),
  multiple("redisMemoryLimitMb", "redisMemoryMb", 1),
  multiple("dbCpuLimit", "dbCpu", 2),
  multiple("dbMemoryLimitMb", "dbMemoryMb", 2),
]);

const upperOf = (lower: string): string =>
  lower.endsWith("inScale") ? lower.replace(/inScale$/, "axScale") : lower.replace(/(Mb)?$/, "Limit$1");

/** Pairs of fields: a minimum and a maximum number of replicas, or a compute request and its limit. */
const ranges = ["minScale", "cpu", "memoryMb"].flatMap((name) =>
  ["", "queue", "orchestrator", "executor", "redis", "db"].flatMap((part) => {
    const lower = part === "" ? name : part + name[0]?.toUpperCase() + name.slice(1);
    return lower in resourceSpecRows ? [[`${SPEC}.${lower}`, `${SPEC}.${upperOf(lower)}`] as const] : [];
  }),
);

/** Names of variables that the service reserves. Some self-hosted installations let a program set a few of them. */
const reserved =
  /^(LANGGRAPH_.*|LSD?_.*|LANGCHAIN_(API_KEY|CALLBACKS_BACKGROUND|ENDPOINT|PROJECT|TRACING_V2)|LANGSMITH_(((AUTH|HOST|LANGGRAPH)_.*)|(CONTROL_PLANE_)?API_KEY|DEPLOYMENT_NAME|ENDPOINT|PROJECT|TENANT_ID|TRACING(_V2)?)|DATABASE_URI|POSTGRES_(PASSWORD|URI(_CUSTOM)?)|REDIS_URI(_CUSTOM)?|LOG_(JSON|DICT_TRACEBACKS)|DD_TRACE_(PSYCOPG|REDIS)_ENABLED|HOST|MOUNT_PREFIX|PATH|PORT)$/;

const cloud = /^https?:\/\/([^/]+\.)?(langchain|langsmith)\.com(:|\/|$)/;
const cloudOnly = [...built, "internal_docker", "internal_template"] as const;

/** The public service that implements the contract. */
export const langsmith: Profile = {
  name: "langsmith",
  wire: { "sourceRevisionConfig.graphConfigPath": "langgraph_config_path" },
  answersWith: "source_revision_config.langgraph_config_path",
  tenantHeader: "x-tenant-id",
  values: { source: { repohost: "github" }, revisionSource: { repohost: "github" } },
  integrations: ["/v1/integrations/github", "/v1/integrations/forge/github"],
  integrationList: "/v1/integrations/github/install",
  logs: "/v1/projects",
  plainName: /^[a-z0-9-]+$/,
  reserved,
  installations: [
    { name: "LangSmith", address: cloud, lacks: ["external_docker"], unless: "sourceConfig.listenerId" },
    { name: "self-hosted LangSmith", address: /\/api-host(\/|$)/, lacks: cloudOnly },
  ],
  classes: {
    "sourceConfig.integrationId": "replace",
    "sourceConfig.repoUrl": "replace",
    "sourceConfig.deploymentType": "replace",
    "sourceConfig.templateId": "replace",
    "sourceConfig.listenerId": "replace",
    "sourceConfig.listenerConfig.k8sNamespace": "replace",
    [SPEC]: "newRevision",
    "sourceConfig.installCommand": "newRevision",
    "sourceConfig.buildCommand": "newRevision",
    secrets: "newRevision",
    secretReferences: "newRevision",
  },
  // An older installation ignores `name`, which matches names exactly, so the filter also sends `name_contains`.
  query: filterQuery({ deployments: { name: ["name_contains", "name"] } }),
  capabilities: {
    getDeployment: true,
    deleteDeployment: true,
    createListener: true,
    deleteListener: true,
    createRevision: true,
    nullClears: false,
    resourceSpecOverwrites: true,
    showsSecretValues: true,
    shortPageIsLast: true,
  },
  ofRevisionCall: {
    [SPEC]: "newRevision",
    "sourceConfig.installCommand": "mayRevise",
    "sourceConfig.buildCommand": "mayRevise",
  },
  onDestroy: "delete",
  fields: { ...stricter, ...open },
  alwaysSent: ["sourceConfig", "sourceRevisionConfig", "secrets", "computeConfig"],
  bounds: {
    ...inSpec(cpu, "cpu", "queueCpu", "redisCpu"),
    ...inSpec(cpuLimit, "cpuLimit", "queueCpuLimit", "redisCpuLimit"),
  },
  ranges,
  lacks: [],
  sources,
  defaults,
  older: {
    fields: {
      ...stricter,
      source: {
        kind: choice(...SOURCES.filter((each) => each !== "internal_template")),
      },
    },
    lacks: contract.lacks,
  },
};
