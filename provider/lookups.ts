/** Look-ups: what a program asks the service while it runs, over the connection that its resources have. */
import { refuseFaults } from "./client/bodies";
import type { Connection } from "./client/connection";
import {
  ControlClient,
  type DeploymentFilters,
  type ListenerAnswer,
  type Range,
  type RepositoryAnswer,
  type RevisionAnswer,
  type RevisionFilters,
} from "./client/control";
import { BadRequestError, ServiceError, UnexpectedAnswerError } from "./client/errors";
import { foundRows } from "./client/resources";
import { ANSWERS, faultInWords, faultsIn } from "./fields/check";
import type { Rows, ValuesOf } from "./fields/kind";
import { ofDeploymentRows, ofIntegrationRows, onConnectionRows } from "./fields/lookups";
import { isAbsent, isProperties, type Properties } from "./fields/value";
import { ConfigurationError, type ConfigurationSource, connectionFrom } from "./run/configuration";
import { failureWords } from "./run/failureWords";
import { keepSecret } from "./run/secrecy";

/** A deployment as a look-up shows it: its secrets by name only. */
export type FoundDeployment = ValuesOf<typeof foundRows.getDeployments>;

type LookUpRange = Omit<Range, "pageSize">;
type Arguments = Properties;

/** Opens the connection of that name; the default one where it is undefined. Throws a ConfigurationError. */
export type Opening = (name: string | undefined) => {
  readonly connection: Connection;
  readonly client: ControlClient;
};

/** Opens what that configuration and the environment say. */
export const configured =
  (source: ConfigurationSource): Opening =>
  (name) => {
    const connection = connectionFrom(source, process.env, name);
    return { connection, client: clientOf(connection) };
  };

export async function getDeployments(open: Opening, args: Arguments): Promise<FoundDeployment[]> {
  const { client, connection, others } = opened(open, args, {});
  const found = await client.listDeployments(others as DeploymentFilters & LookUpRange);
  const shown = found.map(({ secrets, ...deployment }) => ({
    ...deployment,
    secretNames: Object.keys(secrets ?? {}).sort(),
  }));
  return refuseStrange(shown, foundRows.getDeployments, "list deployments", connection);
}

export async function getRevisions(open: Opening, args: Arguments): Promise<RevisionAnswer[]> {
  const { client, connection, own, others } = opened(open, args, ofDeploymentRows);
  const filters = others as RevisionFilters & LookUpRange;
  const found = await client.listRevisions(own.deploymentId as string, filters);
  return refuseStrange(found, foundRows.getRevisions, "list revisions", connection);
}

export async function getListeners(open: Opening, args: Arguments): Promise<ListenerAnswer[]> {
  const { client, connection, others } = opened(open, args, {});
  const found = await client.listListeners(others as LookUpRange);
  return refuseStrange(found, foundRows.getListeners, "list listeners", connection);
}

export async function getRepositories(open: Opening, args: Arguments): Promise<RepositoryAnswer[]> {
  const { client, connection, own, others } = opened(open, args, ofIntegrationRows);
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) throw new BadRequestError("repositories are not filtered by it", stranger);
  const found = await client.listRepositories(own.integrationId as string);
  return refuseStrange(found, foundRows.getRepositories, "list repositories", connection);
}

/** One sentence that is fit to be shown, without secrets; undefined for an error that nobody foresaw. */
export function wordsOfFailure(error: unknown): string | undefined {
  const foreseen = [ConfigurationError, ServiceError, BadRequestError, RangeError];
  return foreseen.some((family) => error instanceof family) ? failureWords(error) : undefined;
}

/** What the program gave, with the client of its connection. `ids`: what is looked up of what. */
function opened(open: Opening, args: Arguments, ids: Rows) {
  if (!isProperties(args)) throw new BadRequestError("allowed: an object of arguments");
  const given = Object.entries(args).filter(([, value]) => !isAbsent(value));
  const rows = { ...ids, ...onConnectionRows };
  const own = Object.fromEntries(given.filter(([name]) => Object.hasOwn(rows, name)));
  refuseFaults(rows, own);
  const others = Object.fromEntries(given.filter(([name]) => !Object.hasOwn(rows, name)));
  if ("pageSize" in others) throw new BadRequestError("is not an argument; give limit", "pageSize");
  const { client, connection } = open(own.connection as string | undefined);
  keepSecret(connection.secrets);
  return { client, connection, own, others };
}

/** One for each connection, so that its look-ups share what limits them. */
const clients = new Map<string, ControlClient>();

function clientOf(connection: Connection): ControlClient {
  const key = JSON.stringify(connection);
  const client = clients.get(key) ?? new ControlClient(connection);
  clients.set(key, client);
  return client;
}

/** The entries, if each is what its table says. Throws an UnexpectedAnswerError. */
export function refuseStrange<T>(entries: T[], rows: Rows, operation: string, { baseUrl }: Connection): T[] {
  for (const entry of entries) {
    const [fault] = faultsIn(rows, entry, () => false, ANSWERS);
    if (fault === undefined) continue;
    const words = `with an entry that is none of its contract: ${faultInWords(fault)}`;
    throw new UnexpectedAnswerError({ operation, method: "GET", url: baseUrl }, words);
  }
  return entries;
}
