/** Deletes a deployment by its id, after a fresh look at it, and looks again. */
import type { Connection } from "../../provider/client/connection";
import type { Endpoints } from "../../provider/client/endpoints";
import { isNotFound } from "../../provider/client/errors";
import { deploymentAnswerRows } from "../../provider/client/resources";
import { isBeingDeleted } from "../../provider/fields/deployment";
import type { Properties } from "../../provider/fields/value";
import { rowsFromWire } from "../../provider/fields/wire";
import { failureWords } from "../../provider/run/failureWords";
import type { Live } from "../adopt/read/account";

export interface Removed {
  /** Whether the service no longer has it, or is deleting it. */
  readonly isGone: boolean;
  readonly words: string;
}

/** The first look may reach a part of the service that lags behind. */
const LOOKS = 3;
const PAUSE_MS = 300;

/** Never throws: the other deployments are still to be deleted. */
export async function remove(live: Live, endpoints: Endpoints, connection: Connection): Promise<Removed> {
  try {
    const fresh = await lookAt(live.id, endpoints, connection);
    if (fresh === undefined) return removed("is gone already");
    if (fresh.name !== live.values.name)
      return { isGone: false, words: `stays: its name is now ${JSON.stringify(fresh.name)}` };
    if (isBeingDeleted(fresh.status)) return removed("is being deleted already");
    // A deletion may be done although its answer is lost.
    const failure = await endpoints.deleteDeployment(live.id).then(
      () => undefined,
      (error: unknown) => error,
    );
    return await lookAfterwards(live.id, endpoints, connection, failure);
  } catch (error) {
    return { isGone: false, words: `is not deleted: ${failureWords(error)}` };
  }
}

const removed = (words: string): Removed => ({ isGone: true, words });

async function lookAfterwards(id: string, endpoints: Endpoints, connection: Connection, failure: unknown) {
  for (let looks = 1; ; looks += 1) {
    const fresh = await lookAt(id, endpoints, connection);
    if (fresh === undefined) return removed("is deleted");
    if (isBeingDeleted(fresh.status)) return removed("is being deleted");
    if (looks === LOOKS) break;
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
  const why = failure === undefined ? "the service took the deletion" : failureWords(failure);
  return { isGone: false, words: `is not deleted: the service still has it (${why})` };
}

/** The deployment as it is now; undefined if the service no longer has it. */
async function lookAt(
  id: string,
  endpoints: Endpoints,
  { profile }: Connection,
): Promise<Properties | undefined> {
  const wire = profile.capabilities.getDeployment
    ? await endpoints.getDeployment(id).catch(undefinedIfGone)
    : await findInList(id, endpoints);
  return wire && rowsFromWire(deploymentAnswerRows, wire, profile);
}

function undefinedIfGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

async function findInList(id: string, endpoints: Endpoints): Promise<Properties | undefined> {
  for await (const page of endpoints.listDeployments({}, { isSteady: true })) {
    const entry = page.find((each) => each.id === id);
    if (entry !== undefined) return entry;
  }
  return undefined;
}
