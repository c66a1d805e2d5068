/** Tables of the fields that the service takes and returns, under the names that programs use. */
import { deploymentOutputRows, deploymentRows } from "../schema/deployment";
import { computed, listOf, part, required, text } from "../schema/kind";
import { listenerIdRow, listenerOutputRows, listenerRows } from "../schema/listener";
import { repositoryRows } from "../schema/repository";
import { revisionRows } from "../schema/revision";
import { tokenIdRow, tokenMetadataOutputRows, tokenMetadataRows } from "../schema/tokenMetadata";

const { name, source, sourceConfig, sourceRevisionConfig, secrets, secretReferences } = deploymentRows;
const { displayName, revisionSource } = deploymentRows;

/** The arguments of the POST that creates a deployment. */
export const newDeploymentRows = {
  name,
  source,
  sourceConfig,
  sourceRevisionConfig,
  secrets,
  secretReferences,
} as const;
/** The arguments of the PATCH that changes a deployment. */
export const deploymentChangeRows = {
  displayName,
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
  displayName,
  ...deploymentOutputRows,
} as const;
const { secrets: _byNameOnly, ...shownRows } = deploymentAnswerRows;
/** A deployment as a look-up returns it, with only the names of its secrets. */
export const foundDeploymentRows = {
  ...shownRows,
  /** Names of the deployment's secrets, as far as the service shows them. */
  secretNames: required(computed(listOf(text))),
} as const;
export const listenerChangeRows = {
  computeConfig: listenerRows.computeConfig,
  version: listenerRows.version,
} as const;
/** The arguments of the POST that creates a listener, for services that have this call. */
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
/** The fields of the entries that each look-up returns. */
export const foundRows = {
  getDeployments: foundDeploymentRows,
  getRevisions: revisionRows,
  getListeners: listenerAnswerRows,
  getRepositories: repositoryRows,
} as const;
export const tokenAnswerRows = {
  /** Id of the token. */
  id: required(tokenIdRow),
  ...tokenMetadataOutputRows,
  ...tokenMetadataRows,
} as const;
