/** TokenMetadata: what the service stores about a token. Two of its fields can be written. */
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

/** What the service says about a token. */
export const tokenMetadataOutputRows = {
  /** Id of the token. */
  id: part("id", text),
  /** Provider that issued the token. */
  providerId: nullable(part("provider_id", text)),
  /** When it was stored, ISO 8601. */
  createdAt: nullable(part("created_at", timestamp)),
  /** When it was last changed, ISO 8601. */
  updatedAt: nullable(part("updated_at", timestamp)),
  /** What it allows, as the provider names it. */
  scopes: nullable(part("scopes", listOf(json))),
  /** When it ends, ISO 8601; null for one that does not. */
  expiresAt: nullable(part("expires_at", timestamp)),
} as const;

/** What the provider adds to what the service says about a token. */
export const tokenMetadataComputedRows = {
  /** Base URL of the service that stores it. */
  serviceUrl: required(computed(text)),
} as const;
