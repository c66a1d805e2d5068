import { filterQuery } from "../fields/filters";
import { type Bound, contract, type Profile, type SourceRule, type SourceRules } from "./profile";

const cpu: Bound = { minimum: 0.1, maximum: 8, decimals: 1 };
const cpuLimit: Bound = { ...cpu, maximum: 16 };

const remedy = "Leave it out";
const repository: SourceRule = { sources: ["repohost"], remedy };
const ownInfrastructure: SourceRule = { sources: ["external_docker"], remedy };
const built = ["repohost", "internal_source"] as const;

const sources: SourceRules = {
  notOffered: ["internal_template"],
  only: {
    ...contract.sources.only,
    "sourceConfig.integrationId": repository,
    "sourceConfig.repoUrl": repository,
    // The reference says the same of it as of the two above, but the service's own client creates the others with it.
    "sourceConfig.deploymentType": { sources: ["repohost", "internal_docker", "internal_source"], remedy },
    "sourceConfig.buildOnPush": repository,
    "sourceConfig.customUrl": {
      sources: ["external_docker"],
      remedy: "Leave it out: the service sets it, and the output url has it",
    },
    "sourceConfig.resourceSpec": ownInfrastructure,
    "sourceConfig.listenerId": ownInfrastructure,
    "sourceConfig.listenerConfig": ownInfrastructure,
    "sourceRevisionConfig.repoRef": repository,
    "sourceRevisionConfig.graphConfigPath": {
      sources: built,
      remedy: "Leave it out: what an image runs is settled when it is built",
    },
    "sourceRevisionConfig.imageUri": {
      sources: ["external_docker", "internal_docker"],
      remedy: "Leave it out: the service builds the image",
    },
    "sourceRevisionConfig.sourceTarballPath": { sources: ["internal_source"], remedy },
  },
  requiredOnCreate: {
    "sourceRevisionConfig.graphConfigPath": {
      sources: built,
      remedy: "Give the path of the graph configuration file within the source",
    },
  },
  conflicts: [
    {
      path: "sourceConfig.buildOnPush",
      value: true,
      against: "sourceRevisionConfig.repoRef",
      prefix: "refs/tags/",
      remedy: "A tag does not move: set buildOnPush to false, or give a branch as repoRef",
    },
  ],
};

/** The public service that speaks the contract. */
export const langsmith: Profile = {
  name: "langsmith",
  wire: { "sourceRevisionConfig.graphConfigPath": "langgraph_config_path" },
  values: { source: { repohost: "github" }, revisionSource: { repohost: "github" } },
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
  query: filterQuery({ deployments: { name: "name_contains" } }),
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
  sources,
};
