/** `delete`: follows the policy that was last applied. If the service has no DELETE, the deployment is left running. */

import type { Call } from "../call";
import { isUnsupported } from "../client/errors";
import type { Properties } from "../fields/value";
import { undeletedWords } from "../run/failureWords";
import { say } from "../verdict/sentences";
import { onDestroyOf } from "./plan";
import { wayOutOfForce } from "./replaced";

const DEFAULT_TIMEOUT_SECONDS = 600;
/** The first look may be answered by a part of the service that lags behind. */
const LOOKS_AFTER_REFUSAL = 2;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

export async function destroyDeployment(call: Call, id: string, state: Properties): Promise<void> {
  const { profile } = call;
  const policy = onDestroyOf(state, profile, call.retained);
  if (await isKept(call, id)) return;
  if (policy === "fail") {
    throw call.refuse(
      `onDestroy is "fail": the deployment ${id} is not to be destroyed. Apply another onDestroy first (pulumi up)`,
    );
  }
  if (policy === "delete" && profile.capabilities.deleteDeployment) return deleteAndWait(call, id);
  const why = policy === "delete" ? "its service has no DELETE" : 'onDestroy is "retain"';
  // The engine deletes the old one first only to create one of the same name, which could not be done.
  if (call.service.fleet.names.isCreatedBy(call.urn, state.name))
    throw call.refuse(
      `is to be replaced under its own name, which ${id} keeps, since it stays: ${why}. ${wayOutOfForce(call)}`,
    );
  await call.warn(`leaves the deployment running on ${call.baseUrl} (id ${id}): ${why}`);
}

/** Whether the program still manages it under this name. Throws a RefusedError if it does so under another name. */
async function isKept(call: Call, id: string): Promise<boolean> {
  const keeper = call.service.fleet.keeperOf(id);
  if (keeper === undefined) return false;
  if (keeper === "" || keeper !== call.urn) {
    throw call.refuse(
      `will not delete ${id}, which this very run created or adopted under another name in the program. Remove this old entry from the state: pulumi state delete '${call.urn}'. (The option aliases would have told the engine of the renaming before)`,
    );
  }
  // A creation that the engine forces looks like any other, and may have taken over what it was to replace.
  if (!call.run.shown.has(call.urn))
    throw call.refuse(
      `was not replaced: this up took ${id} over, the very deployment that was to be replaced, by adopt or by the journal of the run that made it. The next up forgets the old entry. ${wayOutOfForce(call)}`,
    );
  // An earlier run has left the entry.
  await call.warn(`stays as it is (id ${id}): the program goes on managing it under this very name`);
  return true;
}

async function deleteAndWait(call: Call, id: string): Promise<void> {
  const { clock } = call.run;
  const refusal = await deletionOf(call, id);
  const deadline = clock.now() + call.timeoutSeconds(DEFAULT_TIMEOUT_SECONDS) * 1000;
  let pause = FIRST_PAUSE_MS;
  for (let looks = 1; ; looks += 1) {
    const resource = await call.service.directory.fresh(id);
    if (resource === undefined) return call.tell(say.deleted({ id }));
    if (refusal !== undefined && looks === LOOKS_AFTER_REFUSAL && resource.status !== "AWAITING_DELETE")
      throw call.refuse(undeletedWords(id, call.profile.name, refusal), refusal);
    if (clock.now() > deadline) {
      throw call.refuse(
        `the service has taken the deletion of ${id}, but still has it. Run the command again`,
      );
    }
    await clock.sleep(pause);
    pause = Math.min(LONGEST_PAUSE_MS, pause * 1.5);
  }
}

/** Asks for the deletion. Returns an answer that may mean that the deployment is gone, or that the service deletes none. */
async function deletionOf(call: Call, id: string): Promise<Error | undefined> {
  try {
    await call.service.endpoints.deleteDeployment(id);
    return undefined;
  } catch (error) {
    if (isUnsupported(error)) return error;
    throw error;
  }
}
