/** The entry that a Pulumi program imports. */

export type { SourceConfig, SourceRevisionConfig } from "../provider/fields/deployment";
export type { Container, ResourceSpec, Volume, VolumeMount } from "../provider/fields/resourceSpec";
export { Deployment, type DeploymentArgs } from "./program/deployment";
export { Listener, type ListenerArgs } from "./program/listener";
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
} from "./program/lookups";
export { Rollout, type RolloutArgs } from "./program/rollout";
export { SmokeTest, type SmokeTestArgs } from "./program/smokeTest";
export { TokenMetadata, type TokenMetadataArgs } from "./program/tokenMetadata";
