/** Repository entry of a repository-host integration, and token metadata: read, and for the token two fields written. */
import {
  boolean,
  type ClassedRows,
  inPlace,
  json,
  listOf,
  nonEmptyText,
  notSent,
  part,
  required,
  signedInteger,
  text,
  timestamp,
  uuid,
} from "./kind";

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

export const tokenMetadataRows = {
  /** Label of the token. */
  providerAccountLabel: inPlace("provider_account_label", text),
  /** Whether it is the default one of its provider. */
  isDefault: inPlace("is_default", boolean),
} as const satisfies ClassedRows;

/** The arguments of the resource: the token stands in the path of its request, not in the body. */
export const tokenMetadataArgumentRows = {
  /** Id of the stored token, of which the key's owner has to be the owner. */
  tokenId: required(notSent("replace", nonEmptyText)),
  ...tokenMetadataRows,
  /** Name of the connection in the configuration; the default one unless given. */
  connection: notSent("replace", nonEmptyText),
} as const satisfies ClassedRows;

export const tokenMetadataOutputRows = {
  /** Id of the token. */
  id: part("id", text),
  /** Provider that issued it. */
  providerId: part("provider_id", text),
  /** When it was stored. */
  createdAt: part("created_at", timestamp),
  /** When it was last changed. */
  updatedAt: part("updated_at", timestamp),
  /** What it allows. */
  scopes: part("scopes", listOf(json)),
  /** When it ends. */
  expiresAt: part("expires_at", timestamp),
} as const;
