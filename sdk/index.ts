/** The package's entry point for Pulumi programs. */

export type { SourceConfig, SourceRevisionConfig } from "../provider/schema/deployment";
export type { Container, ResourceSpec, Volume, VolumeMount } from "../provider/schema/resourceSpec";
export { Deployment } from "./resources/deployment";
export { Listener } from "./resources/listener";
export {
  type FoundDeployment,
  type FoundIntegration,
  type FoundListener,
  type FoundRepository,
  type FoundRevision,
  getDeployments,
  getDeploymentsOutput,
  getIntegrations,
  getIntegrationsOutput,
  getListeners,
  getListenersOutput,
  getRepositories,
  getRepositoriesOutput,
  getRevisions,
  getRevisionsOutput,
} from "./resources/lookups";
export { Rollout, type RolloutArgs } from "./resources/rollout";
export { type DeploymentTestArgs, SmokeTest } from "./resources/smokeTest";
export { TokenMetadata } from "./resources/tokenMetadata";
export type {
  ContainerArgs,
  DeploymentArgs,
  DeploymentRolloutArgs,
  DeploymentRolloutVerifyArgs,
  DeploymentSecretReferenceArgs,
  GetDeploymentsArgs,
  GetDeploymentsOutputArgs,
  GetIntegrationsArgs,
  GetIntegrationsOutputArgs,
  GetListenersArgs,
  GetListenersOutputArgs,
  GetRepositoriesArgs,
  GetRepositoriesOutputArgs,
  GetRevisionsArgs,
  GetRevisionsOutputArgs,
  ListenerArgs,
  ListenerComputeConfigArgs,
  ResourceSpecArgs,
  SmokeTestArgs,
  SmokeTestExpectArgs,
  SmokeTestMessageArgs,
  SourceConfigArgs,
  SourceRevisionConfigArgs,
  TokenMetadataArgs,
  VolumeArgs,
  VolumeMountArgs,
} from "./resources/types";
