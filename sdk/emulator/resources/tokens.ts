/** Patches the metadata of providers' tokens. The public service also lists the tokens. */

import { computed, text } from "../../../provider/schema/kind";
import {
  tokenIdRow,
  tokenMetadataOutputRows,
  tokenMetadataRows,
} from "../../../provider/schema/tokenMetadata";
import type { Properties } from "../../../provider/schema/value";
import { notFound, Refusal } from "../http/message";
import { param, type Route, type RoutedRequest, route } from "../http/route";
import { withoutNulls } from "../json";
import { Collection, changedAt, type EmulatedService, timestampOf } from "../service";
import { wiresOf } from "../table";
import { checkBody, nullIsLeftOut, patchRules } from "../validation";

interface StoredToken {
  id: string;
  provider_id: string;
  created_at: string;
  updated_at: string;
  provider_account_label: string | null;
  scopes: unknown[];
  expires_at: string | null;
  is_default: boolean;
  /** The API key of the token's owner; null if every caller may change the token. */
  owner: string | null;
}

/** A token. Omitted fields have defaults. Only a caller with the API key `owner` may change the token. */
export type NewToken = Partial<StoredToken> & { id: string };

export const tokens = new Collection<StoredToken>("tokens", "Token");

const table = { rows: tokenMetadataRows, readOnly: wiresOf({ id: tokenIdRow, ...tokenMetadataOutputRows }) };

export function tokenRoutes(service: EmulatedService): Route[] {
  const patch = patchRules(service.profile, table, nullIsLeftOut(service.profile));
  return [
    route("PATCH /v2/auth/tokens/{token_id}/metadata", (call) =>
      patchToken(ownToken(service, call), checkBody(patch, call.body)),
    ),
    route("GET /v2/auth/tokens", (call) => listTokens(service, call), {
      needs: "getDeployment",
      query: { provider_id: computed(text) },
    }),
  ];
}

/** Refuses with 403 if the caller is not the token's owner. */
function ownToken(service: EmulatedService, call: RoutedRequest): StoredToken {
  const id = param(call, "token_id");
  const token = tokens.all(service).find((each) => each.id === id);
  if (!token) throw notFound("Token", id);
  if (isOpenTo(token, call)) return token;
  throw new Refusal(403, `Token ${id} can be changed only by its owner.`);
}

const isOpenTo = ({ owner }: StoredToken, { key }: RoutedRequest): boolean => owner === null || owner === key;

function patchToken(token: StoredToken, body: Properties) {
  Object.assign(token, withoutNulls(body), { updated_at: changedAt(token.updated_at) });
  return tokenView(token);
}

/** If the query names a provider, returns only the tokens for this provider. */
function listTokens(service: EmulatedService, call: RoutedRequest) {
  const { provider_id: provider } = call.query;
  return tokens
    .all(service)
    .filter((token) => isOpenTo(token, call))
    .filter((token) => provider === undefined || token.provider_id === provider)
    .map(tokenView);
}

function tokenView({ owner: _owner, ...view }: StoredToken) {
  return view;
}

export function addToken(service: EmulatedService, token: NewToken): void {
  const now = timestampOf(Date.now());
  tokens.add(service, {
    provider_id: "repohost",
    created_at: now,
    updated_at: now,
    provider_account_label: null,
    scopes: [],
    expires_at: null,
    is_default: false,
    owner: null,
    ...token,
  });
}
