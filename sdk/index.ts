/** The entry that a Pulumi program imports. */

export type {
  Container,
  ResourceSpec,
  SourceConfig,
  SourceRevisionConfig,
  Volume,
  VolumeMount,
} from "../provider/client/types";
export { Deployment } from "./program/deployment";
export { Listener } from "./program/listener";
export {
  type FoundDeployment,
  type FoundListener,
  type FoundRepository,
  type FoundRevision,
  getDeployments,
  getDeploymentsOutput,
  getListeners,
  getListenersOutput,
  getRepositories,
  getRepositoriesOutput,
  getRevisions,
  getRevisionsOutput,
} from "./program/lookups";
export { Rollout, type RolloutArgs } from "./program/rollout";
export { type DeploymentTestArgs, SmokeTest } from "./program/smokeTest";
export { TokenMetadata } from "./program/tokenMetadata";
export type {
  ContainerArgs,
  DeploymentArgs,
  DeploymentRolloutArgs,
  DeploymentRolloutVerifyArgs,
  DeploymentSecretReferenceArgs,
  GetDeploymentsArgs,
  GetDeploymentsOutputArgs,
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
} from "./program/types";
