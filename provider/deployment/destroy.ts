/** `delete`: by the policy that was last applied. Without a DELETE of the service a deployment is left running. */
import { isNotFound } from "../client/errors";
import { RefusedError } from "../failure";
import type { Properties } from "../fields/value";
import { timeoutSeconds, urnOf } from "../host/carried";
import type { Service, Session } from "../service/session";
import { onDestroyOf } from "./plan";
import { labelOf, tell, warn } from "./rollout/await";

const DEFAULT_TIMEOUT_SECONDS = 600;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

export async function destroyDeployment(session: Session, id: string, state: Properties): Promise<void> {
  const service = session.serviceOf(state);
  const policy = onDestroyOf(state, service.connection.profile);
  const keeper = service.ours.get(id);
  if (keeper !== undefined && keeper !== "" && keeper === urnOf(state)) {
    // The engine was told to replace what adopts itself: refused, the old entry would fail every later up.
    await warn(
      session,
      state,
      `stays as it is (id ${id}): the program goes on managing it under this very name`,
    );
    return;
  }
  if (keeper !== undefined) {
    throw new RefusedError(
      `${labelOf(state)}: will not delete ${id}, which this very run created or adopted under another name in the program. ` +
        "Remove the old entry with `pulumi state delete`, or tell the engine of the renaming with the option `aliases`",
    );
  }
  if (policy === "fail") {
    throw new RefusedError(
      `${labelOf(state)}: onDestroy is "fail": the deployment ${id} is not to be destroyed. Apply another onDestroy first (pulumi up)`,
    );
  }
  if (policy !== "delete" || !service.connection.profile.capabilities.deleteDeployment) {
    await warn(
      session,
      state,
      `leaves the deployment running on ${service.connection.baseUrl} (id ${id}): ${why(policy)}`,
    );
    return;
  }
  await deleteAndWait(session, service, id, state);
}

function why(policy: string): string {
  return policy === "delete" ? "its service has no DELETE" : 'onDestroy is "retain"';
}

async function deleteAndWait(
  session: Session,
  service: Service,
  id: string,
  state: Properties,
): Promise<void> {
  try {
    await service.endpoints.deleteDeployment(id);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  const deadline = session.clock.now() + timeoutSeconds(state, "delete", DEFAULT_TIMEOUT_SECONDS) * 1000;
  for (
    let pause = FIRST_PAUSE_MS;
    (await service.directory.fresh(id)) !== undefined;
    pause = Math.min(LONGEST_PAUSE_MS, pause * 1.5)
  ) {
    if (session.clock.now() > deadline) {
      throw new Error(
        `${labelOf(state)}: the service has taken the deletion of ${id}, but still has it. Run the command again`,
      );
    }
    await session.clock.sleep(pause);
  }
  await tell(session, state, `deleted (id ${id})`);
}
