/** Tables of the fields that the service takes and returns, under the names that programs use. */
import { deploymentLookUpRows, deploymentOutputRows, deploymentRows } from "../schema/deployment";
import type { deploymentFilterRows, revisionFilterRows } from "../schema/filters";
import { type ChangeOf, computed, listOf, part, picked, required, text, type ValuesOf } from "../schema/kind";
import { listenerIdRow, listenerOutputRows, listenerRows } from "../schema/listener";
import { integrationRows, repositoryRows } from "../schema/repository";
import { revisionRows } from "../schema/revision";
import { tokenIdRow, tokenMetadataOutputRows, tokenMetadataRows } from "../schema/tokenMetadata";

type DeploymentValues = ValuesOf<typeof deploymentRows>;
type ListenerValues = ValuesOf<typeof listenerRows>;

const sections = ["sourceConfig", "sourceRevisionConfig", "secrets", "secretReferences"] as const;
const ofNewDeployment = ["name", "source", ...sections] as const;
const ofDeploymentChange = ["displayName", "revisionSource", ...sections] as const;
const ofListenerChange = ["computeConfig", "version"] as const;
const ofNewListener = ["computeType", "computeId", ...ofListenerChange] as const;

/** The arguments of the POST that creates a deployment. */
export const newDeploymentRows = picked(deploymentRows, ofNewDeployment);
/** Fields of a new deployment. */
export interface NewDeployment extends Pick<DeploymentValues, (typeof ofNewDeployment)[number]> {}

/** The arguments of the PATCH that changes a deployment. */
export const deploymentChangeRows = picked(deploymentRows, ofDeploymentChange);
/** Changes for a PATCH of a deployment. Omitted fields stay unchanged; null clears a field if the service allows that. */
export interface DeploymentChange
  extends ChangeOf<Pick<DeploymentValues, (typeof ofDeploymentChange)[number]>> {}

export const deploymentAnswerRows = {
  /** System-assigned id. */
  id: required(part("id", deploymentOutputRows.tenantId.kind)),
  ...newDeploymentRows,
  displayName: deploymentRows.displayName,
  ...deploymentOutputRows,
  ...deploymentLookUpRows,
} as const;
/** A deployment as the service returns it. A secret is masked or missing if the service hides secrets. */
export interface DeploymentAnswer
  extends NewDeployment,
    Pick<DeploymentValues, "displayName">,
    ValuesOf<typeof deploymentOutputRows>,
    ValuesOf<typeof deploymentLookUpRows> {
  /** System-assigned id. */
  readonly id: string;
}

/** Filters for deployments. A deployment must match all of these filters. */
export interface DeploymentFilters extends ValuesOf<typeof deploymentFilterRows> {}

const { secrets: _byNameOnly, ...shownRows } = deploymentAnswerRows;
const foundDeploymentRows = {
  ...shownRows,
  /** Names of the deployment's secrets; empty if the service hides the names. */
  secretNames: required(computed(listOf(text))),
} as const;
/** A deployment as a look-up returns it, with the names of its secrets but without their values. */
export interface FoundDeployment extends Omit<DeploymentAnswer, "secrets"> {
  /** Names of the deployment's secrets; empty if the service hides the names. */
  readonly secretNames: string[];
}

/** A revision as the service returns it. */
export interface RevisionAnswer extends ValuesOf<typeof revisionRows> {}

/** Filters for revisions. A revision must match all of these filters. */
export interface RevisionFilters extends ValuesOf<typeof revisionFilterRows> {}

/** The arguments of the PATCH that changes a listener. */
export const listenerChangeRows = picked(listenerRows, ofListenerChange);
/** Changes for a PATCH of a listener. */
export interface ListenerChange extends ChangeOf<Pick<ListenerValues, (typeof ofListenerChange)[number]>> {}

/** The arguments of the POST that creates a listener, for services that have this call. */
export const newListenerRows = picked(listenerRows, ofNewListener);
/** Fields of a new listener. */
export interface NewListener extends Pick<ListenerValues, (typeof ofNewListener)[number]> {}

export const listenerAnswerRows = {
  /** System-assigned id. */
  id: required(listenerIdRow),
  ...newListenerRows,
  ...listenerOutputRows,
} as const;
/** A listener as the service returns it. */
export interface ListenerAnswer extends NewListener, ValuesOf<typeof listenerOutputRows> {
  /** System-assigned id. */
  readonly id: string;
}

/** A repository of an integration. */
export interface RepositoryAnswer extends ValuesOf<typeof repositoryRows> {}

/** An integration with a repository host. */
export interface IntegrationAnswer extends ValuesOf<typeof integrationRows> {}

/** The fields of the entries that each look-up returns. */
export const foundRows = {
  getDeployments: foundDeploymentRows,
  getRevisions: revisionRows,
  getListeners: listenerAnswerRows,
  getRepositories: repositoryRows,
  getIntegrations: integrationRows,
} as const;

export const tokenAnswerRows = {
  /** Id of the token. */
  id: required(tokenIdRow),
  ...tokenMetadataOutputRows,
  ...tokenMetadataRows,
} as const;
/** Metadata of a stored token. */
export interface TokenMetadataAnswer
  extends ValuesOf<typeof tokenMetadataOutputRows>,
    ValuesOf<typeof tokenMetadataRows> {
  /** Id of the token. */
  readonly id: string;
}
/** Changes for a PATCH of a token's metadata. */
export interface TokenMetadataChange extends ChangeOf<ValuesOf<typeof tokenMetadataRows>> {}
