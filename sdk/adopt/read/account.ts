/** The account: every deployment and every listener that the service shows, read page by page. */
import type { Connection } from "../../../provider/client/connection";
import { httpEndpoints } from "../../../provider/client/endpoints";
import { isForbidden, UnexpectedAnswerError } from "../../../provider/client/errors";
import { deploymentAnswerRows, listenerAnswerRows } from "../../../provider/client/resources";
import { faultInWords, faultsIn } from "../../../provider/fields/check";
import { part, type Rows, required, uuid } from "../../../provider/fields/kind";
import { isProperties, isUuid, type Properties } from "../../../provider/fields/value";
import { rowsFromWire } from "../../../provider/fields/wire";
import { refuseStrange } from "../../../provider/lookups";

/** One deployment or listener as the service has it. */
export interface Live {
  readonly id: string;
  /** In the names of the program. */
  readonly values: Properties;
  /** As it was answered. */
  readonly wire: Properties;
}

export interface Account {
  readonly connection: Connection;
  /** The oldest first. */
  readonly deployments: readonly Live[];
  /** The oldest first; undefined where the service does not show them to this key. */
  readonly listeners: readonly Live[] | undefined;
}

/** Status of a deployment that counts as gone. */
export const BEING_DELETED = "AWAITING_DELETE";

/** Throws a ServiceError, also for an answer that is none of the contract. */
export async function readAccount(connection: Connection): Promise<Account> {
  const endpoints = httpEndpoints(connection, connection.profile);
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
    return { connection, deployments, listeners };
  } finally {
    await endpoints.close();
  }
}

function noneIfForbidden(error: unknown): undefined {
  if (!isForbidden(error)) throw error;
}

/** An entry that moves while the pages are read is answered twice, the last time as it is now. */
async function all(
  pages: AsyncIterable<readonly Properties[]>,
  rows: Rows,
  operation: string,
  connection: Connection,
): Promise<Live[]> {
  const found = new Map<string, Live>();
  for await (const page of pages) {
    for (const wire of page) {
      const values = withoutSecretValues(rowsFromWire(rows, wire, connection.profile));
      found.set(values.id as string, { id: values.id as string, values, wire });
    }
  }
  const entries = [...found.values()];
  refuseStrange(
    entries.map(({ values }) => values),
    rows,
    operation,
    connection,
  );
  refuseBadIds(entries, operation, connection);
  return entries.sort((one, other) => ordered(ageOf(one), ageOf(other)) || ordered(one.id, other.id));
}

/** What a service shows of them may be the values themselves, and nothing is done with those here. */
function withoutSecretValues(values: Properties): Properties {
  const { secrets } = values;
  if (!isProperties(secrets)) return values;
  return { ...values, secrets: Object.fromEntries(Object.keys(secrets).map((name) => [name, ""])) };
}

const idRows = { id: required(part("id", uuid)) };

/** By its id a resource is taken over. */
function refuseBadIds(entries: readonly Live[], operation: string, { baseUrl }: Connection): void {
  const stranger = entries.find(({ id }) => !isUuid(id));
  if (stranger === undefined) return;
  const [fault] = faultsIn(idRows, { id: stranger.id }, () => false);
  const words = `with an entry that is none of its contract: ${fault && faultInWords(fault)}`;
  throw new UnexpectedAnswerError({ operation, method: "GET", url: baseUrl }, words);
}

const ageOf = ({ values }: Live): string => String(values.createdAt ?? "");
const ordered = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
