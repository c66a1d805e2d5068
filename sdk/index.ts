/** What a Pulumi program imports. */

export type { Container, Volume, VolumeMount } from "../provider/fields/containers";
export type { SourceConfig, SourceRevisionConfig } from "../provider/fields/deployment";
export type { ResourceSpec } from "../provider/fields/resourceSpec";
export { Deployment, type DeploymentArgs } from "./deployment";
export { Listener, type ListenerArgs } from "./listener";
export {
  type FoundDeployment,
  type FoundListener,
  type FoundRepository,
  type FoundRevision,
  type GetDeploymentsArgs,
  type GetListenersArgs,
  type GetRepositoriesArgs,
  type GetRevisionsArgs,
  getDeployments,
  getDeploymentsOutput,
  getListeners,
  getListenersOutput,
  getRepositories,
  getRepositoriesOutput,
  getRevisions,
  getRevisionsOutput,
} from "./lookups";
export { Rollout, type RolloutArgs } from "./rollout";
export { SmokeTest, type SmokeTestArgs } from "./smokeTest";
export { TokenMetadata, type TokenMetadataArgs } from "./tokenMetadata";
