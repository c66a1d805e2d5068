/** Look-ups: functions with which a running program reads from the service, over the connections of its resources. */
import { refuseFaults } from "./client/bodies";
import type { Connection } from "./client/connection";
import { ControlClient, type DeploymentFilters, type Range, type RevisionFilters } from "./client/control";
import { BadRequestError, ServiceError, UnexpectedAnswerError } from "./client/errors";
import { type Listed, oldestFirst } from "./client/listed";
import { whichEntry } from "./client/paging";
import { foundRows } from "./client/resources";
import type { ListenerAnswer, RepositoryAnswer, RevisionAnswer, ShownDeployment } from "./client/types";
import { ANSWERS, faultInWords, faultsIn } from "./fields/check";
import { rangeRows } from "./fields/filters";
import type { Rows } from "./fields/kind";
import {
  type LookUp,
  listRows,
  ofDeploymentRows,
  ofIntegrationRows,
  onConnectionRows,
} from "./fields/lookups";
import { isAbsent, isProperties, type Properties } from "./fields/value";
import { suggestion } from "./fields/words";
import { ConfigurationError, type ConfigurationSource, connectionFrom } from "./run/configuration";
import { failureWords } from "./run/failureWords";
import { keepSecret } from "./run/secrecy";

/** A deployment as a look-up returns it, with only the names of its secrets. */
export interface FoundDeployment extends ShownDeployment {}

type LookUpRange = Omit<Range, "pageSize">;
type Arguments = Properties;

/** Opens the connection of that name, or the default one. Throws a ConfigurationError. */
export type Opening = (name: string | undefined) => {
  readonly connection: Connection;
  readonly client: ControlClient;
};

/** Opens connections that the configuration and the environment describe. */
export const configured =
  (source: ConfigurationSource, environment = process.env): Opening =>
  (name) => {
    const connection = connectionFrom(source, environment, name);
    return { connection, client: clientOf(connection) };
  };

async function getDeployments(open: Opening, args: Arguments): Promise<FoundDeployment[]> {
  const { client, connection, filters } = prepare(open, args, {});
  const answers = await client.listDeployments(filters as DeploymentFilters & LookUpRange);
  const deployments = answers.map(({ secrets, ...deployment }) => ({
    ...deployment,
    secretNames: Object.keys(secrets ?? {}).sort(),
  }));
  return refuseMalformedEntries(deployments, foundRows.getDeployments, "list deployments", connection);
}

async function getRevisions(open: Opening, args: Arguments): Promise<RevisionAnswer[]> {
  const { client, connection, scope, filters } = prepare(open, args, ofDeploymentRows);
  const range = filters as RevisionFilters & LookUpRange;
  const revisions = await client.listRevisions(scope.deploymentId as string, range);
  return refuseMalformedEntries(revisions, foundRows.getRevisions, "list revisions", connection);
}

async function getListeners(open: Opening, args: Arguments): Promise<ListenerAnswer[]> {
  const { client, connection, filters } = prepare(open, args, {});
  const listeners = await client.listListeners(filters as LookUpRange);
  return refuseMalformedEntries(listeners, foundRows.getListeners, "list listeners", connection);
}

async function getRepositories(open: Opening, args: Arguments): Promise<RepositoryAnswer[]> {
  const { client, connection, scope, filters } = prepare(open, args, ofIntegrationRows);
  const [stranger] = Object.keys(filters);
  if (stranger !== undefined) throw new BadRequestError("is not a filter of repositories", stranger);
  const repositories = await client.listRepositories(scope.integrationId as string);
  return refuseMalformedEntries(repositories, foundRows.getRepositories, "list repositories", connection);
}

/** The look-ups by the names of their functions in a program. */
export const LOOK_UP_CALLS = { getDeployments, getRevisions, getListeners, getRepositories } satisfies {
  readonly [name in LookUp]: unknown;
};

/** The deployments that meet the filters of `listRows`, oldest first, as `adopt` writes them. Throws like `getDeployments`. */
export async function listDeployments(open: Opening, filters: Arguments): Promise<Listed[]> {
  refuseRange("Deployment", filters);
  const deployments = await getDeployments(open, filters);
  return deployments.map(({ name, ...entry }) => listEntry(entry, name)).sort(oldestFirst);
}

/** The same for listeners. */
export async function listListeners(open: Opening, filters: Arguments): Promise<Listed[]> {
  refuseRange("Listener", filters);
  const listeners = await getListeners(open, filters);
  return listeners.map(({ computeId, ...entry }) => listEntry(entry, computeId)).sort(oldestFirst);
}

const listEntry = ({ id, createdAt }: { id: string; createdAt?: unknown }, name: unknown): Listed => ({
  id,
  name: String(name ?? ""),
  createdAt: String(createdAt ?? ""),
});

/** A look-up's range counts in the service's order, which differs from the order of a list. */
function refuseRange(type: keyof typeof listRows, filters: Arguments): void {
  const name = Object.keys(rangeRows).find((each) => Object.hasOwn(filters, each));
  if (name === undefined) return;
  const words = suggestion(name, Object.keys(listRows[type]));
  throw new BadRequestError(`is not a filter of a list; ${words}`, name);
}

/** The error in one sentence for users, without secrets; undefined for an unexpected error. */
export function wordsOfFailure(error: unknown): string | undefined {
  const foreseen = [ConfigurationError, ServiceError, BadRequestError, RangeError];
  return foreseen.some((family) => error instanceof family) ? failureWords(error) : undefined;
}

/** Splits the arguments into `scope` (ids and connection) and filters, and opens the connection. */
function prepare(open: Opening, args: Arguments, scopeRows: Rows) {
  if (!isProperties(args)) throw new BadRequestError("allowed: an object of arguments");
  const entries = Object.entries(args).filter(([, value]) => !isAbsent(value));
  const rows = { ...scopeRows, ...onConnectionRows };
  const scope = Object.fromEntries(entries.filter(([name]) => Object.hasOwn(rows, name)));
  refuseFaults(rows, scope);
  const filters = Object.fromEntries(entries.filter(([name]) => !Object.hasOwn(rows, name)));
  if ("pageSize" in filters) throw new BadRequestError("is not an argument; give limit", "pageSize");
  const { client, connection } = open(scope.connection as string | undefined);
  keepSecret(connection.secrets);
  return { client, connection, scope, filters };
}

/** One client per connection, so that look-ups over one connection share its limits. */
const clients = new Map<string, ControlClient>();

function clientOf(connection: Connection): ControlClient {
  const key = JSON.stringify(connection);
  const client = clients.get(key) ?? new ControlClient(connection);
  clients.set(key, client);
  return client;
}

/** Returns the entries. Throws an UnexpectedAnswerError if one does not match its table. */
export function refuseMalformedEntries<T>(
  entries: T[],
  rows: Rows,
  operation: string,
  { baseUrl }: Connection,
): T[] {
  for (const [index, entry] of entries.entries()) {
    const [fault] = faultsIn(rows, entry, () => false, ANSWERS);
    if (fault === undefined) continue;
    const which = whichEntry(entry as Properties, index);
    const words = `with an entry ${which} that does not match the contract: ${faultInWords(fault)}`;
    throw new UnexpectedAnswerError({ operation, method: "GET", url: baseUrl }, words);
  }
  return entries;
}
