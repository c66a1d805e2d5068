/** `delete`: obeys the last applied `onDestroy`, but leaves the deployment running if the service has no DELETE. */

import type { Call } from "../call";
import { isUnsupported } from "../client/errors";
import { format } from "../diff/sentences";
import { FORCING_REPLACEMENT } from "../run/failureWords";
import { isBeingDeleted } from "../schema/deployment";
import { nameIn } from "../schema/naming";
import type { State } from "../schema/recorded";
import { printable } from "../schema/secrecy";
import { permitDeletion } from "./permits";
import { onDestroyOf } from "./plan";
import { refuseOtherTenant } from "./tenant";

const DEFAULT_TIMEOUT_SECONDS = 600;
/** How many times to look for the deployment after a refused DELETE. The answer to a single read may be out of date. */
const LOOKS_AFTER_REFUSAL = 2;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

export async function destroyDeployment(call: Call, id: string, state: State): Promise<void> {
  const { profile } = call;
  const policy = onDestroyOf(state, profile, call.retained);
  if (await isKept(call, id)) return;
  if (policy === "fail") {
    throw call.refuse(
      `onDestroy is "fail": the deployment ${id} is not to be destroyed. Apply another onDestroy first (pulumi up)`,
    );
  }
  if (policy === "delete" && profile.capabilities.deleteDeployment) return deleteAndWait(call, id, state);
  const why = policy === "delete" ? "its service has no DELETE" : 'onDestroy is "retain"';
  // Without this refusal, the engine would next create a deployment whose name the old deployment still has.
  if (call.service.fleet.names.isCreatedBy(call.urn, state.name))
    throw call.refuse(
      `is to be replaced under its own name, which ${id} keeps, since it stays: ${why}. Change name too, or take the cause away: ${FORCING_REPLACEMENT}`,
    );
  await call.warn(
    `leaves the deployment running on ${call.baseUrl} (id ${printable(id)}): ${why}. To manage it again, declare it with adopt: "${printable(id)}"`,
  );
}

/** Whether the program keeps the deployment. Throws a RefusedError if this run should have replaced the deployment. */
async function isKept(call: Call, id: string): Promise<boolean> {
  const keeper = call.service.fleet.keepers.of(id);
  if (keeper === undefined) return false;
  if (keeper !== call.urn) {
    // A refusal would leave the old entry in the state, so each later `pulumi up` would fail too.
    const name = printable(nameIn(keeper));
    await call.warn(`stays as it is (id ${printable(id)}): it is kept for "${name}" of this program`);
    return true;
  }
  // The provider sees a forced replacement as a creation, which may take over the old deployment.
  if (call.service.fleet.keepers.here.get(id) === call.urn && !call.run.planned.has(call.urn))
    throw call.refuse(
      `was not replaced: ${id} is kept for the resource that should replace it. Take the cause away: ${FORCING_REPLACEMENT}`,
    );
  // The state entry is left over from an earlier run, or from a different provider that managed the resource.
  await call.warn(`stays as it is (id ${printable(id)}): the program still manages it under this name`);
  return true;
}

async function deleteAndWait(call: Call, id: string, state: State): Promise<void> {
  permitDeletion(call, id);
  const { clock } = call.run;
  const refusal = await deletionOf(call, id);
  const deadline = clock.now() + call.timeoutSeconds(DEFAULT_TIMEOUT_SECONDS) * 1000;
  let pause = FIRST_PAUSE_MS;
  for (let looks = 1; ; looks += 1) {
    const resource = await call.service.directory.fresh(id);
    if (resource === undefined) {
      if (refusal !== undefined) await refuseOtherTenant(call, state);
      return call.tell(format.deleted({ id }));
    }
    if (refusal !== undefined && looks === LOOKS_AFTER_REFUSAL && !isBeingDeleted(resource.status))
      throw call.undeleted(id, refusal);
    if (clock.now() > deadline) {
      throw call.refuse(
        `the service has accepted the deletion of ${id}, but still has the deployment. Run the command again`,
      );
    }
    await clock.sleep(pause);
    pause = Math.min(LONGEST_PAUSE_MS, pause * 1.5);
  }
}

/** Sends the DELETE. Returns the error if the deployment may be gone or the service may have no DELETE. */
async function deletionOf(call: Call, id: string): Promise<Error | undefined> {
  try {
    await call.service.endpoints.deleteDeployment(id);
    return undefined;
  } catch (error) {
    if (isUnsupported(error)) return error;
    throw error;
  }
}
