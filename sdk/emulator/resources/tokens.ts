/** Tokens of providers: their owners change their metadata; the public service also lists them. */
import {
  tokenIdRow,
  tokenMetadataOutputRows,
  tokenMetadataRows,
} from "../../../provider/fields/tokenMetadata";
import { notFound, Refusal } from "../http/message";
import { type Call, param, type Route, route, text } from "../http/route";
import { type JsonRecord, withoutNulls } from "../json";
import { Collection, changedAt, type Service, timestampOf } from "../service";
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
  /** The API key of its owner; null: every caller may change it. */
  owner: string | null;
}

/** A token; what is left out has a default. `owner` is the API key of the only caller who may change it. */
export type NewToken = Partial<StoredToken> & { id: string };

export const tokens = new Collection<StoredToken>("tokens", "Token");

const table = { rows: tokenMetadataRows, readOnly: wiresOf({ id: tokenIdRow, ...tokenMetadataOutputRows }) };

export function tokenRoutes(service: Service): Route[] {
  const patch = patchRules(service.profile, table, nullIsLeftOut(service.profile));
  return [
    route("PATCH /v2/auth/tokens/{token_id}/metadata", (call) =>
      patchToken(service, ownToken(service, call), checkBody(patch, call.body)),
    ),
    route("GET /v2/auth/tokens", (call) => listTokens(service, call), {
      needs: "getDeployment",
      query: { provider_id: text },
    }),
  ];
}

/** The token of the call; 403 when its owner has another key. */
function ownToken(service: Service, call: Call): StoredToken {
  const id = param(call, "token_id");
  const token = tokens.all(service).find((other) => other.id === id);
  if (!token) throw notFound("Token", id);
  if (isOpenTo(token, call)) return token;
  throw new Refusal(403, `Token ${id} can be changed only by its owner.`);
}

const isOpenTo = ({ owner }: StoredToken, { key }: Call): boolean => owner === null || owner === key;

function patchToken(service: Service, token: StoredToken, body: JsonRecord) {
  Object.assign(token, withoutNulls(body), { updated_at: changedAt(service, token.updated_at) });
  return tokenView(token);
}

/** The tokens of the caller, of one provider when the query names it. */
function listTokens(service: Service, call: Call) {
  const { provider_id: provider } = call.query;
  return tokens
    .all(service)
    .filter((token) => isOpenTo(token, call))
    .filter((token) => provider === undefined || token.provider_id === provider)
    .map(tokenView);
}

function tokenView({ owner: _kept, ...view }: StoredToken) {
  return view;
}

export function addToken(service: Service, token: NewToken): void {
  const now = timestampOf(service.makes.now());
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
