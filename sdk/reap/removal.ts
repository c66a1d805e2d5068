/** Deletes a deployment by its id: reads the deployment before the request, and checks afterwards that it is gone. */
import type { Connection } from "../../provider/client/connection";
import type { Endpoints } from "../../provider/client/endpoints";
import { isBeingDeleted } from "../../provider/fields/deployment";
import { Directory } from "../../provider/finding/directory";
import { failureWords } from "../../provider/run/failureWords";
import type { Live } from "../adopt/read/account";

interface Removed {
  /** Whether the service no longer has the deployment, or is deleting it. */
  readonly isGone: boolean;
  readonly words: string;
}

/**
 * How many times to read a deployment after its deletion, because a read may reach a part of the service that lags
 * behind.
 */
const LOOKS = 3;
const PAUSE_MS = 300;

/** Deletes the deployment. Never throws, so that the caller can continue with the other deployments. */
export async function remove(live: Live, endpoints: Endpoints, connection: Connection): Promise<Removed> {
  const directory = new Directory(endpoints, connection.profile);
  try {
    const fresh = await directory.fresh(live.id);
    if (fresh === undefined) return removed("is gone already");
    if (fresh.name !== live.values.name)
      return { isGone: false, words: `stays: its name is now ${JSON.stringify(fresh.name)}` };
    if (isBeingDeleted(fresh.status)) return removed("is being deleted already");
    // If the request fails, the deployment is read anyway: the service may have deleted it even if the answer was lost.
    const failure = await endpoints.deleteDeployment(live.id).then(
      () => undefined,
      (error: unknown) => error,
    );
    return await lookAfterwards(live.id, directory, failure);
  } catch (error) {
    return { isGone: false, words: `is not deleted: ${failureWords(error)}` };
  }
}

const removed = (words: string): Removed => ({ isGone: true, words });

async function lookAfterwards(id: string, directory: Directory, failure: unknown) {
  for (let looks = 1; ; looks += 1) {
    const fresh = await directory.fresh(id);
    if (fresh === undefined) return removed("is deleted");
    if (isBeingDeleted(fresh.status)) return removed("is being deleted");
    if (looks === LOOKS) break;
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
  const why = failure === undefined ? "the service took the deletion" : failureWords(failure);
  return { isGone: false, words: `is not deleted: the service still has it (${why})` };
}
