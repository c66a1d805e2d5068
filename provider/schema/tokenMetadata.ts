/** TokenMetadata: the service's record of a token. Two fields of the record can be written. */
import {
  boolean,
  type ClassedRows,
  computed,
  inPlace,
  json,
  listOf,
  nonEmptyText,
  notSent,
  nullable,
  part,
  required,
  text,
  timestamp,
} from "./kind";

export const tokenMetadataRows = {
  /** Label of the token. */
  providerAccountLabel: inPlace("provider_account_label", text),
  /** Whether the token is the default token of its provider. */
  isDefault: inPlace("is_default", boolean),
} as const satisfies ClassedRows;

/** The arguments of the resource. The request has the token's id in its path, not in its body. */
export const tokenMetadataArgumentRows = {
  /** Id of the stored token, which must belong to the key's owner. */
  tokenId: required(notSent("replace", nonEmptyText)),
  ...tokenMetadataRows,
  /**
   * Name of the connection in the configuration; defaults to the default connection. Switching to another connection
   * to the same service does not replace the resource.
   */
  connection: notSent("replace", nonEmptyText),
} as const satisfies ClassedRows;

/** Outputs that the service reports. */
export const tokenMetadataOutputRows = {
  /** Provider that issued the token. */
  providerId: nullable(part("provider_id", text)),
  /** Time at which the token was stored, ISO 8601. */
  createdAt: nullable(part("created_at", timestamp)),
  /** Time of the last change, ISO 8601. */
  updatedAt: nullable(part("updated_at", timestamp)),
  /** Permissions of the token, as the provider names them. */
  scopes: nullable(part("scopes", listOf(json))),
  /** Time at which the token expires, ISO 8601; null if it never expires. */
  expiresAt: nullable(part("expires_at", timestamp)),
} as const;

/** Outputs that the provider adds. */
export const tokenMetadataComputedRows = {
  /** Base URL of the service that stores the token. */
  serviceUrl: required(computed(text)),
} as const;

export const tokenIdRow = part("id", text);
