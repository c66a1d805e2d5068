import { contract } from "./contract";
import type { Profile } from "./profile";

const cpu = [0.1, 8] as const;
const cpuLimit = [0.1, 16] as const;

/** The public service that speaks the contract. */
export const langsmith: Profile = {
  name: "langsmith",
  wire: {
    "sourceRevisionConfig.graphConfigPath": "langgraph_config_path",
  },
  values: {
    source: { repohost: "github" },
    revisionSource: { repohost: "github" },
  },
  paths: { repositories: "/v1/integrations/github/{integration_id}/repos" },
  classes: {
    "sourceConfig.integrationId": "replace",
    "sourceConfig.repoUrl": "replace",
    "sourceConfig.deploymentType": "replace",
    "sourceConfig.listenerId": "replace",
    "sourceConfig.listenerConfig.k8sNamespace": "replace",
    "sourceConfig.resourceSpec": "newRevision",
    "sourceConfig.installCommand": "mayRevise",
    "sourceConfig.buildCommand": "mayRevise",
    secrets: "newRevision",
    secretReferences: "newRevision",
  },
  query: {
    ...contract.query,
    deployments: { ...contract.query.deployments, name: "name_contains" },
  },
  capabilities: {
    getDeployment: true,
    deleteDeployment: true,
    createListener: true,
    deleteListener: true,
    nullClears: false,
    emptyListClears: false,
    resourceSpecOverwrites: true,
    shortPageIsLast: true,
  },
  onDestroy: "delete",
  bounds: {
    "sourceConfig.resourceSpec.cpu": cpu,
    "sourceConfig.resourceSpec.queueCpu": cpu,
    "sourceConfig.resourceSpec.redisCpu": cpu,
    "sourceConfig.resourceSpec.cpuLimit": cpuLimit,
    "sourceConfig.resourceSpec.queueCpuLimit": cpuLimit,
    "sourceConfig.resourceSpec.redisCpuLimit": cpuLimit,
  },
};
