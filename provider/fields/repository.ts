/** Repository: an entry of a repository-host integration. Read only. */
import { part, signedInteger, text, uuid } from "./kind";

export const repositoryRows = {
  /** Use as `sourceConfig.integrationId`. */
  hostIntegrationId: part("host_integration_id", uuid),
  /** Id of the repository. */
  id: part("id", signedInteger),
  /** Name of the repository. */
  name: part("name", text),
  /** Its owner. */
  owner: part("owner", text),
  /** Use as `sourceConfig.repoUrl`. */
  url: part("url", text),
  /** Use as `sourceRevisionConfig.repoRef`. */
  defaultBranch: part("default_branch", text),
} as const;
