/** Repositories behind the integrations that reach them; the public service also lists the integrations themselves. */
import { notFound } from "../http/message";
import { param, type Route, route } from "../http/route";
import type { Service } from "../service";

interface StoredRepository {
  host_integration_id: string;
  id: number;
  name: string;
  owner: string;
  url: string;
  default_branch: string;
}

/** A repository; what is left out is derived from its owner and name. */
export type NewRepository = Partial<StoredRepository> & { name: string; owner: string };

/** The repositories by the id of their integration. */
export function repositories({ store }: Service): Record<string, StoredRepository[]> {
  return store.section("repositories", {});
}

export function repositoryRoutes(service: Service): Route[] {
  return service.profile.integrations.flatMap((place) => [
    route(`GET ${place}/{integration_id}/repos`, (call) =>
      listRepositories(service, param(call, "integration_id")),
    ),
    route(`GET ${place}/install`, () => listIntegrations(service), { needs: "getDeployment" }),
  ]);
}

function listRepositories(service: Service, integrationId: string): readonly StoredRepository[] {
  const known = Object.entries(repositories(service)).find(
    ([id]) => id.toLowerCase() === integrationId.toLowerCase(),
  );
  if (!known) throw notFound("Integration", integrationId);
  return known[1];
}

/** Each integration has the name of the account whose repositories it reaches. */
function listIntegrations(service: Service) {
  return Object.entries(repositories(service)).map(([id, reached], index) => ({
    id,
    installation_id: index + 1,
    name: reached[0]?.owner ?? `account-${index + 1}`,
  }));
}

export function addRepositories(
  service: Service,
  integrationId: string,
  given: readonly NewRepository[],
): void {
  const all = repositories(service);
  const known = all[integrationId] ?? [];
  all[integrationId] = known;
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
