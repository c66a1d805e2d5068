/** TokenMetadata: the service's record of a token. Two of its fields can be written. */
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
  /** Whether the token is the default one of its provider. */
  isDefault: inPlace("is_default", boolean),
} as const satisfies ClassedRows;

/** The arguments of the resource. The request has the token's id in its path, not in its body. */
export const tokenMetadataArgumentRows = {
  /** Id of the stored token, which must belong to the key's owner. */
  tokenId: required(notSent("replace", nonEmptyText)),
  ...tokenMetadataRows,
  /** Name of the connection in the configuration; the default connection unless given. */
  connection: notSent("replace", nonEmptyText),
} as const satisfies ClassedRows;

/** Outputs that the service reports. */
export const tokenMetadataOutputRows = {
  /** Provider that issued the token. */
  providerId: nullable(part("provider_id", text)),
  /** When it was stored, ISO 8601. */
  createdAt: nullable(part("created_at", timestamp)),
  /** When it was last changed, ISO 8601. */
  updatedAt: nullable(part("updated_at", timestamp)),
  /** Permissions of the token, in the provider's names. */
  scopes: nullable(part("scopes", listOf(json))),
  /** When it expires, ISO 8601; null if it does not. */
  expiresAt: nullable(part("expires_at", timestamp)),
} as const;

/** Outputs that the provider adds. */
export const tokenMetadataComputedRows = {
  /** Base URL of the service that stores it. */
  serviceUrl: required(computed(text)),
} as const;

export const tokenIdRow = part("id", text);
