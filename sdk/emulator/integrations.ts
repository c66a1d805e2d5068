/** What the service knows of others: repositories behind an integration, tokens of providers. */
import { withoutNulls } from "./mergePatch";
import type { Query } from "./query";
import { notFound, Refusal } from "./refusal";
import { changedAt, type Service, timestampOf } from "./service";
import type { StoredRepository, StoredToken } from "./store";
import { checkBody } from "./validation";

/** A repository; what is left out is made up from its owner and name. */
export type NewRepository = Partial<StoredRepository> & { name: string; owner: string };
/** A token; what is left out has a default. `owner` is the API key of the only caller who may change it. */
export type NewToken = Partial<StoredToken> & { id: string };

export function addRepositories(
  service: Service,
  integrationId: string,
  given: readonly NewRepository[],
): void {
  const { repositories } = service.store.state;
  const known = repositories[integrationId] ?? [];
  repositories[integrationId] = known;
  for (const repository of given) {
    known.push({
      id: known.length + 1,
      url: `https://repohost.example.test/${repository.owner}/${repository.name}`,
      default_branch: "main",
      ...repository,
      host_integration_id: integrationId,
    });
  }
}

export function listRepositories(service: Service, integrationId: string): readonly StoredRepository[] {
  const { repositories } = service.store.state;
  const known = Object.entries(repositories).find(([id]) => id.toLowerCase() === integrationId.toLowerCase());
  if (!known) throw notFound("Integration", integrationId);
  return known[1];
}

/** The integrations themselves, each under the name of the account whose repositories it reaches. */
export function listIntegrations(service: Service) {
  return Object.entries(service.store.state.repositories).map(([id, repositories], index) => ({
    id,
    installation_id: index + 1,
    name: repositories[0]?.owner ?? `account-${index + 1}`,
  }));
}

export function addToken(service: Service, given: NewToken): void {
  const now = timestampOf(Date.now());
  service.store.state.tokens.push({
    provider_id: "repohost",
    created_at: now,
    updated_at: now,
    provider_account_label: null,
    scopes: [],
    expires_at: null,
    is_default: false,
    owner: null,
    ...given,
  });
}

/** Changes a token's label or default flag; the caller's key must be its owner's. */
export function patchToken(service: Service, id: string, given: unknown, key: string | undefined) {
  const token = service.store.state.tokens.find((other) => other.id === id);
  if (!token) throw notFound("Token", id);
  if (token.owner !== null && token.owner !== key) {
    throw new Refusal(403, `Token ${id} can be changed only by its owner.`);
  }
  const body = checkBody(service.bodies.patchToken, given);
  Object.assign(token, withoutNulls(body), { updated_at: changedAt(token.updated_at) });
  return tokenView(token);
}

/** The tokens of the caller, of one provider where one is asked for. */
export function listTokens(service: Service, { provider_id: provider }: Query, key: string | undefined) {
  return service.store.state.tokens
    .filter(({ owner }) => owner === null || owner === key)
    .filter((token) => provider === undefined || token.provider_id === provider)
    .map(tokenView);
}

function tokenView({ owner: _kept, ...view }: StoredToken) {
  return view;
}
