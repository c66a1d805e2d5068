/** Lists integrations and their repositories. Each integration is named after its first repository's owner. */
import { notFound } from "../http/message";
import { param, type Route, route } from "../http/route";
import type { EmulatedService } from "../service";

interface StoredRepository {
  host_integration_id: string;
  id: number;
  name: string;
  owner: string;
  url: string;
  default_branch: string;
}

/** A repository. Omitted fields are derived from its owner and name. */
export type NewRepository = Partial<StoredRepository> & { name: string; owner: string };

function repositories({ store }: EmulatedService): Record<string, StoredRepository[]> {
  return store.section("repositories", {});
}

export function repositoryRoutes(service: EmulatedService): Route[] {
  const { integrations, integrationList: list } = service.profile;
  return [
    ...integrations.map((place) =>
      route(`GET ${place}/{integration_id}/repos`, (call) =>
        listRepositories(service, param(call, "integration_id")),
      ),
    ),
    ...(list === undefined ? [] : [route(`GET ${list}`, () => listIntegrations(service))]),
  ];
}

function listIntegrations(service: EmulatedService) {
  const entries = Object.entries(repositories(service));
  return entries.map(([id, [first]], index) => ({
    id,
    installation_id: index + 1,
    name: first?.owner ?? "",
  }));
}

function listRepositories(service: EmulatedService, integrationId: string): readonly StoredRepository[] {
  const entry = Object.entries(repositories(service)).find(
    ([id]) => id.toLowerCase() === integrationId.toLowerCase(),
  );
  if (!entry) throw notFound("Integration", integrationId);
  return entry[1];
}

export function addRepositories(
  service: EmulatedService,
  integrationId: string,
  newRepositories: readonly NewRepository[],
): void {
  const all = repositories(service);
  const entries = all[integrationId] ?? [];
  all[integrationId] = entries;
  for (const repository of newRepositories) {
    entries.push({
      id: entries.length + 1,
      url: `https://repohost.example.test/${repository.owner}/${repository.name}`,
      default_branch: "main",
      ...repository,
      host_integration_id: integrationId,
    });
  }
}
