/** Reads an account: every deployment and every listener that the service lists. */
import type { Connection } from "../../../provider/client/connection";
import { Endpoints } from "../../../provider/client/endpoints";
import { isForbidden, UnexpectedAnswerError } from "../../../provider/client/errors";
import { oldestFirst } from "../../../provider/client/listed";
import { deploymentAnswerRows, listenerAnswerRows } from "../../../provider/client/resources";
import { refuseMalformedEntries } from "../../../provider/lookups";
import type { Rows } from "../../../provider/schema/kind";
import { printable } from "../../../provider/schema/secrecy";
import { isProperties, isUuid, type Properties } from "../../../provider/schema/value";
import { rowsFromWire } from "../../../provider/schema/wire";

/** One deployment or listener of the account. */
export interface AccountEntry {
  readonly id: string;
  /** The entry's values, under the names that a program uses. */
  readonly values: Properties;
  /** The service's answer, unchanged. */
  readonly wire: Properties;
}

export type AccountSnapshot = Awaited<ReturnType<typeof readAccount>>;

/** Reads the whole account, oldest entry first. Preview deployments are in a separate list. Throws a ServiceError. */
export async function readAccount(connection: Connection) {
  const endpoints = new Endpoints(connection, connection.profile);
  try {
    const deployments = await all(
      endpoints.listDeployments(),
      deploymentAnswerRows,
      "list deployments",
      connection,
    );
    const listeners = await all(
      endpoints.listListeners(),
      listenerAnswerRows,
      "list listeners",
      connection,
    ).catch(noneIfForbidden);
    endpoints.refuseMisfit();
    const lasting = deployments.filter(({ values }) => values.isPreview !== true);
    const previews = deployments.filter(({ values }) => values.isPreview === true);
    return { connection, deployments: lasting, previews, listeners };
  } finally {
    await endpoints.close();
  }
}

function noneIfForbidden(error: unknown): undefined {
  if (!isForbidden(error)) throw error;
}

async function all(
  pages: AsyncIterable<readonly Properties[]>,
  rows: Rows,
  operation: string,
  connection: Connection,
): Promise<AccountEntry[]> {
  const entries: AccountEntry[] = [];
  for await (const page of pages) {
    for (const wire of page) {
      const values = withoutSecretValues(rowsFromWire(rows, wire, connection.profile));
      entries.push({ id: values.id as string, values, wire });
    }
  }
  refuseMalformedEntries(
    // Secrets are not checked. Adoption reads only their names, so a blank name does no harm.
    entries.map(({ values: { secrets: _names, ...values } }) => values),
    rows,
    operation,
    connection,
  );
  refuseBadIds(entries, operation, connection);
  return entries.sort((first, second) => oldestFirst(aged(first), aged(second)));
}

/** Some services return the values of secrets. */
function withoutSecretValues(values: Properties): Properties {
  const { secrets } = values;
  if (!isProperties(secrets)) return values;
  return { ...values, secrets: Object.fromEntries(Object.keys(secrets).map((name) => [name, ""])) };
}

/** Throws a ServiceError if an id is not a UUID, because the program adopts each resource by its id. */
function refuseBadIds(entries: readonly AccountEntry[], operation: string, { baseUrl }: Connection): void {
  const badEntry = entries.find(({ id }) => !isUuid(id));
  if (badEntry === undefined) return;
  const words = `with an entry that does not match the contract: id: got ${printable(JSON.stringify(badEntry.id))}; allowed: a UUID`;
  throw new UnexpectedAnswerError({ operation, method: "GET", url: baseUrl }, words);
}

const aged = ({ id, values }: AccountEntry) => ({ id, createdAt: String(values.createdAt ?? "") });
