/** The arguments of look-ups, one row each. */
import { deploymentFilterRows, rangeRows, revisionFilterRows } from "./filters";
import { nonEmptyText, notSent, required, uuid } from "./kind";
import { pluginTypeToken } from "./naming";

export const onConnectionRows = {
  /** Name of the connection in the configuration; defaults to the default connection. */
  connection: notSent("inPlace", nonEmptyText),
} as const;

export const ofDeploymentRows = {
  /** Id of the deployment. */
  deploymentId: required(notSent("inPlace", uuid)),
} as const;

export const ofIntegrationRows = {
  /** Id of the repository-host integration. */
  integrationId: required(notSent("inPlace", uuid)),
} as const;

export const lookUpRows = {
  getDeployments: { ...deploymentFilterRows, ...rangeRows, ...onConnectionRows },
  getRevisions: { ...ofDeploymentRows, ...revisionFilterRows, ...rangeRows, ...onConnectionRows },
  getListeners: { ...rangeRows, ...onConnectionRows },
  getRepositories: { ...ofIntegrationRows, ...onConnectionRows },
  getIntegrations: onConnectionRows,
} as const;

/** The filters with which the plugin lists the resources of a type. */
export const listRows = {
  Deployment: { ...deploymentFilterRows, ...onConnectionRows },
  Listener: onConnectionRows,
} as const;

/** The name of a look-up, which is also the name of its function in a program. */
export type LookUp = keyof typeof lookUpRows;

/** The name of the list in each look-up's result. A mock must return an object with a list of that name. */
export const LOOK_UPS = {
  getDeployments: "deployments",
  getRevisions: "revisions",
  getListeners: "listeners",
  getRepositories: "repositories",
  getIntegrations: "integrations",
} as const;

/** The look-up with this token; undefined if no look-up has the token. */
export const lookUpNamed = (token: string): LookUp | undefined =>
  (Object.keys(LOOK_UPS) as LookUp[]).find((name) => pluginTypeToken(name) === token);
