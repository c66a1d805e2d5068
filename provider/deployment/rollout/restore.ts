/** `onFailure: "restore"`: sends the settings of the last deployed revision again. The operation still fails. */

import { sourceRevisionConfigRows } from "../../fields/deployment";
import { isProperties, type Properties } from "../../fields/value";
import { rowsFromWire } from "../../fields/wire";
import { say } from "../../verdict/sentences";
import { revisionsOf } from "../../waiting/revisions";
import type { WaitEnd } from "../../waiting/rollout";
import { describeSteps } from "../../waiting/statusLog";
import { restoreBody } from "../request";
import { outputsOf, type Write } from "../state";

type Wait = (resource: Properties) => Promise<WaitEnd>;

/**
 * Sends those settings and waits for them. Throws an UnfinishedError that says how that went; returns what to add to the
 * failure where there is nothing to restore, or it could not be done.
 */
export async function restore(
  write: Write,
  resource: Properties,
  failed: WaitEnd,
  wait: Wait,
): Promise<string> {
  const { call, news, id } = write;
  const good = await lastDeployed(write, resource);
  if (good === undefined)
    return ' onFailure is "restore", but no revision of it was ever deployed: nothing to restore.';
  const settings = settingsOf(good, write);
  await call.tell(say.restores({ id: failed.revisionId, status: failed.status, good: good.id }));
  const body = restoreBody(settings, news, call.profile);
  let restored: Properties;
  let outcome: WaitEnd;
  try {
    const answered = await call.service.endpoints.updateDeployment(id, body);
    outcome = await wait(answered);
    restored = outcome.resource ?? (await call.service.directory.look(id)) ?? answered;
  } catch (error) {
    return ` Restoring the settings of revision ${good.id} failed too: ${(error as Error).message}`;
  }
  const { end, status, revisionId } = outcome;
  // The state says what runs now, so that the next plan shows the asked settings as a change again.
  const restoring = { ...write, body, revisionId, news: withSettings(news, settings) };
  const outputs = outputsOf(restoring, restored, {
    status,
    state: end === "deployed" ? "deployed" : "failed",
  });
  throw call.unfinished(id, outputs, story(failed, good, outcome));
}

async function lastDeployed({ call, id }: Write, resource: Properties): Promise<Properties | undefined> {
  const revisions = await revisionsOf(call.service.endpoints, id).catch(() => []);
  const active = revisions.find((revision) => revision.id === resource.active_revision_id);
  return active ?? revisions.find((revision) => revision.status === "DEPLOYED");
}

function settingsOf({ source_revision_config: config }: Properties, { call }: Write): Properties {
  return rowsFromWire(sourceRevisionConfigRows, config, call.profile, "sourceRevisionConfig");
}

/** The inputs with the managed revision fields as they run now. */
function withSettings(news: Properties, settings: Properties): Properties {
  const managed = isProperties(news.sourceRevisionConfig) ? Object.keys(news.sourceRevisionConfig) : [];
  const running = managed
    .filter((name) => settings[name] !== undefined)
    .map((name) => [name, settings[name]]);
  return { ...news, sourceRevisionConfig: Object.fromEntries(running) };
}

function story(failed: WaitEnd, good: Properties, { end, revisionId, status }: WaitEnd): string {
  const how =
    end === "deployed"
      ? `deployed as revision ${revisionId}`
      : `revision ${revisionId} of them ended ${status}`;
  return `revision ${failed.revisionId} ended ${failed.status} after ${failed.seconds} s${describeSteps(failed.steps)}. The settings of the last deployed revision, ${good.id}, were restored: ${how}.`;
}
