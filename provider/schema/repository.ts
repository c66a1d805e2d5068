/** Repository: an entry of a repository-host integration. Read only. */
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
