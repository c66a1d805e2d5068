/** `onFailure: "restore"`: sends the settings of the last deployed revision again. The operation still fails. */

import { sourceRevisionConfigRows } from "../../fields/deployment";
import { isProperties, type Properties } from "../../fields/value";
import { rowsFromWire } from "../../fields/wire";
import { say } from "../../verdict/sentences";
import { revisionsOf } from "../../waiting/revisions";
import type { Outcome } from "../../waiting/rollout";
import { describeSteps } from "../../waiting/statusLog";
import { type Operation, settled } from "../operation";
import { restoreBody } from "../request";

type Wait = (resource: Properties) => Promise<Outcome>;

/**
 * Sends those settings and waits for them. Throws an UnfinishedError that says how that went; returns what to add to the
 * failure where there is nothing to restore, or it could not be done.
 */
export async function restore(
  operation: Operation,
  resource: Properties,
  failed: Outcome,
  wait: Wait,
): Promise<string> {
  const { call, inputs, id } = operation;
  const good = await lastDeployed(operation, resource);
  if (good === undefined)
    return ' onFailure is "restore", but no revision of it was ever deployed: nothing to restore.';
  const settings = settingsOf(good, operation);
  await call.tell(say.restores({ id: failed.revisionId, status: failed.status, good: good.id }));
  const sent = restoreBody(settings, inputs, call.profile);
  let restored: Properties;
  let outcome: Outcome;
  try {
    const answer = await call.service.endpoints.updateDeployment(id, sent);
    outcome = await wait(answer.resource);
    restored = outcome.resource ?? (await call.service.directory.look(id)) ?? answer.resource;
  } catch (error) {
    return ` Restoring the settings of revision ${good.id} failed too: ${(error as Error).message}`;
  }
  const { end, status, revisionId } = outcome;
  // The state says what runs now, so that the next plan shows the asked settings as a change again.
  const now = { ...operation, sent, revisionId, inputs: withSettings(inputs, settings) };
  const outputs = settled(now, restored, { status, state: end === "deployed" ? "deployed" : "failed" });
  throw call.unfinished(id, outputs, story(failed, good, outcome));
}

async function lastDeployed({ call, id }: Operation, resource: Properties): Promise<Properties | undefined> {
  const revisions = await revisionsOf(call.service.endpoints, id).catch(() => []);
  const active = revisions.find((revision) => revision.id === resource.active_revision_id);
  return active ?? revisions.find((revision) => revision.status === "DEPLOYED");
}

function settingsOf({ source_revision_config: config }: Properties, { call }: Operation): Properties {
  return rowsFromWire(sourceRevisionConfigRows, config, call.profile, "sourceRevisionConfig");
}

/** The inputs with the managed revision fields as they run now. */
function withSettings(inputs: Properties, settings: Properties): Properties {
  const managed = isProperties(inputs.sourceRevisionConfig) ? Object.keys(inputs.sourceRevisionConfig) : [];
  const now = managed.filter((name) => settings[name] !== undefined).map((name) => [name, settings[name]]);
  return { ...inputs, sourceRevisionConfig: Object.fromEntries(now) };
}

function story(failed: Outcome, good: Properties, { end, revisionId, status }: Outcome): string {
  const how =
    end === "deployed"
      ? `deployed as revision ${revisionId}`
      : `revision ${revisionId} of them ended ${status}`;
  return `revision ${failed.revisionId} ended ${failed.status} after ${failed.seconds} s${describeSteps(failed.steps)}. The settings of the last deployed revision, ${good.id}, were restored: ${how}.`;
}
