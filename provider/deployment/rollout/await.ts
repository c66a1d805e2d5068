/** The end of a create or update: waits for the rollout, records a failure, may restore the last good settings. */
import type { UnfinishedError } from "../../failure";
import { ROLLOUT_TIMEOUT_SECONDS, sourceRevisionConfigRows } from "../../fields/deployment";
import { isProperties, type Properties } from "../../fields/value";
import { rowsFromWire } from "../../fields/wire";
import { sentence } from "../../fields/words";
import { say } from "../../verdict/sentences";
import { by } from "../../waiting/poller";
import { revisionsOf } from "../../waiting/revisions";
import { type WaitEnd, waitForRollout } from "../../waiting/rollout";
import { describeSteps } from "../../waiting/statusLog";
import { settingsBody } from "../request";
import { outputsOf, type Write, warnOfChange } from "../state";
import { byRevisionCall } from "../update/send";

/**
 * Waits for the revision and returns the final outputs. If the revision fails, the time is over or the service can no
 * longer be reached, throws an UnfinishedError, which keeps the deployment in the state. `resource`: the deployment
 * that the service just returned. `revision`: the revision to wait for, if the caller has just read it.
 */
export async function awaitRollout(
  write: Write,
  resource: Properties,
  revision?: Properties,
): Promise<Properties> {
  const waitEnd = await waitOn(write, resource, revision);
  const latest = waitEnd.resource ?? (await lookAgain(write, waitEnd)) ?? resource;
  await warnOfChange(write, latest);
  if (waitEnd.end === "deployed") return deployed(write, latest, waitEnd);
  if (waitEnd.end === "failed" && restores(write.news)) {
    const further = await restore(write, latest, waitEnd);
    throw failure(write, latest, waitEnd, further);
  }
  throw failure(write, latest, waitEnd, "");
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

/** Reads the deployment after the rollout; after a time-out only if the service answers at once. */
async function lookAgain({ call, id }: Write, { end }: WaitEnd): Promise<Properties | undefined> {
  const look = call.service.directory.look(id).catch(() => undefined);
  const { clock } = call.run;
  return end === "timeout" ? by(clock.now(), clock, look) : look;
}

async function deployed(write: Write, latest: Properties, waitEnd: WaitEnd): Promise<Properties> {
  const { status, revisionId, seconds } = waitEnd;
  await write.call.tell(say.deployed({ id: revisionId, seconds }));
  const described = { ...write, revisionId: write.revisionId ?? revisionId };
  return outputsOf(described, latest, { status, state: "deployed" });
}

function restores({ rollout }: Properties): boolean {
  return isProperties(rollout) && rollout.onFailure === "restore";
}

function failure(write: Write, resource: Properties, waitEnd: WaitEnd, further: string): UnfinishedError {
  const { call, id } = write;
  const state = waitEnd.end === "timeout" ? "unfinished" : "failed";
  const outputs = outputsOf(write, resource, { status: waitEnd.status, state });
  return call.unfinished(id, outputs, `${story(waitEnd, resource)}${further}`);
}

/** The service's words on the failure, as a sentence to add. */
const saying = ({ reason }: WaitEnd): string =>
  reason === undefined ? "" : ` The service says: ${sentence(reason)}`;

function story(waitEnd: WaitEnd, resource: Properties): string {
  const { end, revisionId, status, seconds, steps } = waitEnd;
  const revision = `revision ${revisionId ?? "(none was made yet)"}`;
  const active = resource.active_revision_id;
  const serving =
    typeof active === "string" ? ` Revision ${active} goes on serving.` : " No revision serves.";
  if (end !== "timeout")
    return `${revision} ended ${status} after ${seconds} s${describeSteps(steps)}.${saying(waitEnd)}${serving} The next up makes the revision again.`;
  const at = status === undefined ? "" : `, last seen ${status}`;
  return `${revision} was not deployed within ${seconds} s${at}${describeSteps(steps)}.${serving} The next up resumes the wait.`;
}

/**
 * `onFailure: "restore"`: sends the settings of the last deployed revision again and waits for the revision that this
 * makes. The operation still fails: throws an UnfinishedError that says how the restoring went. If there is nothing to
 * restore, or restoring fails, returns the words to add to the failure.
 */
async function restore(write: Write, resource: Properties, failed: WaitEnd): Promise<string> {
  const { call, news, id } = write;
  const good = await lastDeployed(write, resource);
  if (good === undefined)
    return ' onFailure is "restore", but no revision of it was ever deployed: nothing to restore.';
  const settings = settingsOf(good, write);
  await call.tell(say.restores({ id: failed.revisionId, status: failed.status, good: good.id }));
  const body = settingsBody(settings, news, call.profile);
  let restored: Properties;
  let waitEnd: WaitEnd;
  try {
    const answered = await makeAgain(write, resource, body);
    waitEnd = await waitOn(write, answered);
    restored = waitEnd.resource ?? (await call.service.directory.look(id)) ?? answered;
  } catch (error) {
    return ` Restoring the settings of revision ${good.id} failed too: ${(error as Error).message}`;
  }
  const { end, status, revisionId } = waitEnd;
  // The state gets the settings that run now, so that the next plan shows the program's as a change again.
  const restoring = { ...write, body, revisionId, news: withSettings(news, settings) };
  const outputs = outputsOf(restoring, restored, {
    status,
    state: end === "deployed" ? "deployed" : "failed",
  });
  throw call.unfinished(id, outputs, restoredStory(failed, good, waitEnd));
}

/** The deployment with the revision that its settings make. */
function makeAgain({ call, id }: Write, resource: Properties, body: Properties): Promise<Properties> {
  const { endpoints } = call.service;
  const patch = () => endpoints.updateDeployment(id, body);
  if (!call.profile.capabilities.createRevision) return patch();
  const revise = async () => {
    const revision = await endpoints.createRevision(id, body);
    return { ...resource, latest_revision_id: revision.id, updated_at: undefined };
  };
  return byRevisionCall(call, revise, patch);
}

async function lastDeployed({ call, id }: Write, resource: Properties): Promise<Properties | undefined> {
  const revisions = await revisionsOf(call.service.endpoints, id).catch(() => []);
  const active = revisions.find((revision) => revision.id === resource.active_revision_id);
  return active ?? revisions.find((revision) => revision.status === "DEPLOYED");
}

function settingsOf({ source_revision_config: config }: Properties, { call }: Write): Properties {
  return rowsFromWire(sourceRevisionConfigRows, config, call.profile, "sourceRevisionConfig");
}

/** The inputs, with the values of the managed revision fields that run now. */
function withSettings(news: Properties, settings: Properties): Properties {
  const managed = isProperties(news.sourceRevisionConfig) ? Object.keys(news.sourceRevisionConfig) : [];
  const running = managed
    .filter((name) => settings[name] !== undefined)
    .map((name) => [name, settings[name]]);
  return { ...news, sourceRevisionConfig: Object.fromEntries(running) };
}

function restoredStory(failed: WaitEnd, good: Properties, { end, revisionId, status }: WaitEnd): string {
  const how =
    end === "deployed"
      ? `deployed as revision ${revisionId}`
      : `revision ${revisionId} of them ended ${status}`;
  return `revision ${failed.revisionId} ended ${failed.status} after ${failed.seconds} s${describeSteps(failed.steps)}.${saying(failed)} The settings of the last deployed revision, ${good.id}, were restored: ${how}.`;
}
