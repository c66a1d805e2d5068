/** Look-ups: functions that a running program calls to read from the service. */
import { refuseFaults } from "./client/bodies";
import type { Connection } from "./client/connection";
import { ControlClient, type DeploymentFilters, type Range, type RevisionFilters } from "./client/control";
import { BadRequestError, ConfigurationError, ServiceError, UnexpectedAnswerError } from "./client/errors";
import { type Listed, oldestFirst } from "./client/listed";
import { whichEntry } from "./client/paging";
import { type FoundDeployment, foundRows } from "./client/resources";
import { type ConfigurationSource, connectionFrom } from "./run/configuration";
import { failureWords } from "./run/failureWords";
import { ANSWERS, faultInWords, faultsIn } from "./schema/check";
import { rangeRows } from "./schema/filters";
import type { Rows } from "./schema/kind";
import {
  LOOK_UPS,
  type LookUp,
  listRows,
  ofDeploymentRows,
  ofIntegrationRows,
  onConnectionRows,
} from "./schema/lookups";
import type { Arguments } from "./schema/recorded";
import { keepSecret } from "./schema/secrecy";
import { isAbsent, isProperties, type Properties } from "./schema/value";
import { suggestion } from "./schema/words";

type LookUpRange = Omit<Range, "pageSize">;

/** Opens the named or the default connection. Throws a ConfigurationError if the settings are invalid. */
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

/** The look-ups, by the names of their functions in a program. */
export const LOOK_UP_CALLS = {
  getDeployments: lookUp("getDeployments", {}, async (client, filters): Promise<FoundDeployment[]> => {
    const deployments = await client.listDeployments(filters as DeploymentFilters & LookUpRange);
    return deployments.map(({ secrets, ...deployment }) => ({
      ...deployment,
      secretNames: Object.keys(secrets ?? {}).sort(),
    }));
  }),
  getRevisions: lookUp("getRevisions", ofDeploymentRows, (client, filters, { deploymentId }) =>
    client.listRevisions(deploymentId as string, filters as RevisionFilters & LookUpRange),
  ),
  getListeners: lookUp("getListeners", {}, (client, filters) => client.listListeners(filters as LookUpRange)),
  getRepositories: lookUp("getRepositories", ofIntegrationRows, (client, filters, { integrationId }) => {
    refuseFilters("repositories", filters);
    return client.listRepositories(integrationId as string);
  }),
  getIntegrations: lookUp("getIntegrations", {}, (client, filters) => {
    refuseFilters("integrations", filters);
    return client.listIntegrations();
  }),
} satisfies { readonly [name in LookUp]: unknown };

function refuseFilters(list: string, filters: Properties): void {
  const [unknownName] = Object.keys(filters);
  if (unknownName !== undefined) throw new BadRequestError(`is not a filter of ${list}`, unknownName);
}

/** `list` receives the filters and, in a separate object, the arguments that `scopeRows` defines. */
function lookUp<T>(
  name: LookUp,
  scopeRows: Rows,
  list: (client: ControlClient, filters: Properties, scope: Properties) => PromiseLike<T[]>,
) {
  return async (open: Opening, args: Arguments): Promise<T[]> => {
    if (!isProperties(args)) throw new BadRequestError("allowed: an object of arguments");
    const pairs = Object.entries(args).filter(([, value]) => !isAbsent(value));
    const rows = { ...scopeRows, ...onConnectionRows };
    const scope = Object.fromEntries(pairs.filter(([argument]) => Object.hasOwn(rows, argument)));
    refuseFaults(rows, scope);
    const filters = Object.fromEntries(pairs.filter(([argument]) => !Object.hasOwn(rows, argument)));
    if ("pageSize" in filters) throw new BadRequestError("is not an argument; set limit", "pageSize");
    const { client, connection } = open(scope.connection as string | undefined);
    keepSecret(connection.secrets);
    const entries = await list(client, filters, scope);
    return refuseMalformedEntries(entries, foundRows[name], `list ${LOOK_UPS[name]}`, connection);
  };
}

/** The functions that list all resources of a type. These functions throw the same errors as the look-ups. */
export const LIST_CALLS = {
  Deployment: listing("Deployment", LOOK_UP_CALLS.getDeployments, ({ name }) => name),
  Listener: listing("Listener", LOOK_UP_CALLS.getListeners, ({ computeId }) => computeId),
};

/** Lists oldest first, without preview deployments. Refuses `offset` and `limit`, which assume the service's order. */
function listing<
  T extends { readonly id: string; readonly createdAt?: string; readonly isPreview?: boolean },
>(
  type: keyof typeof listRows,
  read: (open: Opening, filters: Properties) => Promise<T[]>,
  nameOf: (entry: T) => string | undefined,
) {
  return async (open: Opening, filters: Properties): Promise<Listed[]> => {
    const rangeName = Object.keys(rangeRows).find((name) => Object.hasOwn(filters, name));
    if (rangeName !== undefined) {
      const words = suggestion(rangeName, Object.keys(listRows[type]));
      throw new BadRequestError(`is not a filter of a list; ${words}`, rangeName);
    }
    const entries = await read(open, filters);
    return entries
      .filter((entry) => entry.isPreview !== true)
      .map((entry) => ({ id: entry.id, name: nameOf(entry) ?? "", createdAt: entry.createdAt ?? "" }))
      .sort(oldestFirst);
  };
}

/** The error in one sentence for users, without secrets; undefined for an unexpected error. */
export function wordsOfFailure(error: unknown): string | undefined {
  const expectedErrors = [ConfigurationError, ServiceError, BadRequestError, RangeError];
  return expectedErrors.some((family) => error instanceof family) ? failureWords(error) : undefined;
}

/** All look-ups over a connection share one client, so they share the connection's limits. */
const clients = new Map<string, ControlClient>();

function clientOf(connection: Connection): ControlClient {
  const key = JSON.stringify(connection);
  const client = clients.get(key) ?? new ControlClient(connection);
  clients.set(key, client);
  return client;
}

/** Throws an UnexpectedAnswerError if an entry does not match the table. */
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
