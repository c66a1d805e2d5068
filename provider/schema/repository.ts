/** Repository, and the repository-host integration that reaches it. Read only. */
import { part, required, signedInteger, text, uuid } from "./kind";

export const repositoryRows = {
  /** Use as `sourceConfig.integrationId`. */
  hostIntegrationId: required(part("host_integration_id", uuid)),
  /** Id of the repository. */
  id: required(part("id", signedInteger)),
  /** Name of the repository. */
  name: required(part("name", text)),
  /** Owner of the repository. */
  owner: required(part("owner", text)),
  /** Use as `sourceConfig.repoUrl`. */
  url: required(part("url", text)),
  /** Use as `sourceRevisionConfig.repoRef`. */
  defaultBranch: required(part("default_branch", text)),
} as const;

export const integrationRows = {
  /** Use as `sourceConfig.integrationId`. */
  id: required(part("id", uuid)),
  /** Name of the account on the repository host. */
  name: required(part("name", text)),
  /** Id of the installation on the repository host. */
  installationId: part("installation_id", signedInteger),
} as const;
