/** What the service answers, in the program's names: the tables of the answers and their types. */
import { deploymentOutputRows, deploymentRows } from "../fields/deployment";
import { part, required, type ValuesOf } from "../fields/kind";
import { listenerIdRow, listenerOutputRows, listenerRows } from "../fields/listener";
import type { repositoryRows } from "../fields/repository";
import type { revisionRows } from "../fields/revision";
import { tokenMetadataOutputRows, tokenMetadataRows } from "../fields/tokenMetadata";

const { name, source, sourceConfig, sourceRevisionConfig, secrets, secretReferences, revisionSource } =
  deploymentRows;

/** The arguments of a POST. */
export const newDeploymentRows = {
  name,
  source,
  sourceConfig,
  sourceRevisionConfig,
  secrets,
  secretReferences,
} as const;
/** The arguments of a PATCH. */
export const deploymentChangeRows = {
  revisionSource,
  sourceConfig,
  sourceRevisionConfig,
  secrets,
  secretReferences,
} as const;
export const deploymentAnswerRows = {
  /** System-assigned id. */
  id: required(part("id", deploymentOutputRows.tenantId.kind)),
  ...newDeploymentRows,
  ...deploymentOutputRows,
} as const;
export const listenerChangeRows = {
  computeConfig: listenerRows.computeConfig,
  version: listenerRows.version,
} as const;
/** The arguments of a POST, where the service has it. */
export const newListenerRows = {
  computeType: listenerRows.computeType,
  computeId: listenerRows.computeId,
  ...listenerChangeRows,
} as const;
export const listenerAnswerRows = {
  /** System-assigned id. */
  id: required(listenerIdRow),
  ...newListenerRows,
  ...listenerOutputRows,
} as const;
export const tokenAnswerRows = {
  ...tokenMetadataOutputRows,
  /** Id of the token. */
  id: required(tokenMetadataOutputRows.id),
  ...tokenMetadataRows,
} as const;

/** What a new deployment is made of. */
export type NewDeployment = ValuesOf<typeof newDeploymentRows>;
/** A deployment as the service answers it; secrets as it shows them. */
export type DeploymentAnswer = ValuesOf<typeof deploymentAnswerRows>;
/** A revision as the service answers it. */
export type RevisionAnswer = ValuesOf<typeof revisionRows>;
/** What a new listener is made of. */
export type NewListener = ValuesOf<typeof newListenerRows>;
/** A listener as the service answers it. */
export type ListenerAnswer = ValuesOf<typeof listenerAnswerRows>;
/** A repository of an integration. */
export type RepositoryAnswer = ValuesOf<typeof repositoryRows>;
/** Metadata of a stored token. */
export type TokenMetadataAnswer = ValuesOf<typeof tokenAnswerRows>;
