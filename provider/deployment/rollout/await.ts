/** The end of a create or update: it waits for the rollout, remembers a failure and, if asked to, restores. */

import type { UnfinishedError } from "../../failure";
import { ROLLOUT_TIMEOUT_SECONDS } from "../../fields/deployment";
import { isProperties, type Properties } from "../../fields/value";
import { say } from "../../verdict/sentences";
import { by } from "../../waiting/poller";
import { type Outcome, waitForRollout } from "../../waiting/rollout";
import { describeSteps } from "../../waiting/statusLog";
import { keeping, type Operation, settled } from "../operation";
import { restore } from "./restore";

/**
 * Waits for the revision and returns the final outputs. Throws an UnfinishedError that keeps the deployment in the
 * state when the revision fails, the time is over, or the service can no longer be asked. `resource`: the deployment as
 * it was just answered.
 */
export async function awaitRollout(operation: Operation, resource: Properties): Promise<Properties> {
  const outcome = await keeping(operation, resource, () => waitOn(operation, resource));
  const latest = outcome.resource ?? (await lookAgain(operation, outcome)) ?? resource;
  if (outcome.end === "deployed") return deployed(operation, latest, outcome);
  if (outcome.end === "failed" && restores(operation.inputs)) {
    const further = await restore(operation, latest, outcome, (body) => waitOn(operation, body));
    throw failure(operation, latest, outcome, further);
  }
  throw failure(operation, latest, outcome, "");
}

function waitOn({ call, inputs, id }: Operation, resource: Properties): Promise<Outcome> {
  const { rollout } = inputs;
  const given = isProperties(rollout) ? rollout.timeoutSeconds : undefined;
  return waitForRollout(call.service.poller, {
    deploymentId: id,
    resource,
    timeoutSeconds: call.timeoutSeconds(typeof given === "number" ? given : ROLLOUT_TIMEOUT_SECONDS),
    tell: (words) => call.tell(words),
    progress: (words) => call.progress(words),
  });
}

/** The deployment after the rollout; after a time-out only if the service answers at once. */
async function lookAgain({ call, id }: Operation, { end }: Outcome): Promise<Properties | undefined> {
  const look = call.service.directory.look(id).catch(() => undefined);
  const { clock } = call.run;
  return end === "timeout" ? by(clock.now(), clock, look) : look;
}

async function deployed(operation: Operation, latest: Properties, outcome: Outcome): Promise<Properties> {
  const { status, revisionId, seconds } = outcome;
  await operation.call.tell(say.deployed({ id: revisionId, seconds }));
  const described = { ...operation, revisionId: operation.revisionId ?? revisionId };
  return settled(described, latest, { status, state: "deployed" });
}

function restores({ rollout }: Properties): boolean {
  return isProperties(rollout) && rollout.onFailure === "restore";
}

function failure(
  operation: Operation,
  resource: Properties,
  outcome: Outcome,
  further: string,
): UnfinishedError {
  const { call, id } = operation;
  const state = outcome.end === "timeout" ? "unfinished" : "failed";
  const outputs = settled(operation, resource, { status: outcome.status, state });
  return call.unfinished(id, outputs, `${story(outcome, resource)}${further}`);
}

function story({ end, revisionId, status, seconds, steps }: Outcome, resource: Properties): string {
  const revision = `revision ${revisionId ?? "(none was made yet)"}`;
  const active = resource.active_revision_id;
  const serving =
    typeof active === "string" ? ` Revision ${active} goes on serving.` : " No revision serves.";
  if (end !== "timeout")
    return `${revision} ended ${status} after ${seconds} s${describeSteps(steps)}.${serving} The next up makes the revision again.`;
  const at = status === undefined ? "" : `, last seen ${status}`;
  return `${revision} was not deployed within ${seconds} s${at}${describeSteps(steps)}.${serving} The next up resumes the wait.`;
}
