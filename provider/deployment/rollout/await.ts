/** The end of a create or update: waits for the rollout, records a failure and, if asked to, restores the last good settings. */

import type { UnfinishedError } from "../../failure";
import { ROLLOUT_TIMEOUT_SECONDS } from "../../fields/deployment";
import { isProperties, type Properties } from "../../fields/value";
import { say } from "../../verdict/sentences";
import { by } from "../../waiting/poller";
import { type WaitEnd, waitForRollout } from "../../waiting/rollout";
import { describeSteps } from "../../waiting/statusLog";
import { outputsOf, type Write } from "../state";
import { restore } from "./restore";

/**
 * Waits for the revision and returns the final outputs. Throws an UnfinishedError that keeps the deployment in the
 * state when the revision fails, the time is over, or the service can no longer be asked. `resource`: the deployment as
 * it was just answered. `revision`: the revision to wait for, where it was just read.
 */
export async function awaitRollout(
  write: Write,
  resource: Properties,
  revision?: Properties,
): Promise<Properties> {
  const outcome = await waitOn(write, resource, revision);
  const latest = outcome.resource ?? (await lookAgain(write, outcome)) ?? resource;
  if (outcome.end === "deployed") return deployed(write, latest, outcome);
  if (outcome.end === "failed" && restores(write.news)) {
    const further = await restore(write, latest, outcome, (answer) => waitOn(write, answer));
    throw failure(write, latest, outcome, further);
  }
  throw failure(write, latest, outcome, "");
}

function waitOn({ call, news, id }: Write, resource: Properties, revision?: Properties): Promise<WaitEnd> {
  const { rollout } = news;
  const seconds = isProperties(rollout) ? rollout.timeoutSeconds : undefined;
  return waitForRollout(call.service.poller, {
    deploymentId: id,
    resource,
    ...(revision && { revision }),
    timeoutSeconds: call.timeoutSeconds(typeof seconds === "number" ? seconds : ROLLOUT_TIMEOUT_SECONDS),
    tell: (words) => call.tell(words),
    progress: (words) => call.progress(words),
  });
}

/** The deployment after the rollout; after a time-out only if the service answers at once. */
async function lookAgain({ call, id }: Write, { end }: WaitEnd): Promise<Properties | undefined> {
  const look = call.service.directory.look(id).catch(() => undefined);
  const { clock } = call.run;
  return end === "timeout" ? by(clock.now(), clock, look) : look;
}

async function deployed(write: Write, latest: Properties, outcome: WaitEnd): Promise<Properties> {
  const { status, revisionId, seconds } = outcome;
  await write.call.tell(say.deployed({ id: revisionId, seconds }));
  const described = { ...write, revisionId: write.revisionId ?? revisionId };
  return outputsOf(described, latest, { status, state: "deployed" });
}

function restores({ rollout }: Properties): boolean {
  return isProperties(rollout) && rollout.onFailure === "restore";
}

function failure(write: Write, resource: Properties, outcome: WaitEnd, further: string): UnfinishedError {
  const { call, id } = write;
  const state = outcome.end === "timeout" ? "unfinished" : "failed";
  const outputs = outputsOf(write, resource, { status: outcome.status, state });
  return call.unfinished(id, outputs, `${story(outcome, resource)}${further}`);
}

function story({ end, revisionId, status, seconds, steps }: WaitEnd, resource: Properties): string {
  const revision = `revision ${revisionId ?? "(none was made yet)"}`;
  const active = resource.active_revision_id;
  const serving =
    typeof active === "string" ? ` Revision ${active} goes on serving.` : " No revision serves.";
  if (end !== "timeout")
    return `${revision} ended ${status} after ${seconds} s${describeSteps(steps)}.${serving} The next up makes the revision again.`;
  const at = status === undefined ? "" : `, last seen ${status}`;
  return `${revision} was not deployed within ${seconds} s${at}${describeSteps(steps)}.${serving} The next up resumes the wait.`;
}
