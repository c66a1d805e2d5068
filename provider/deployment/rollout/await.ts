/** The end of a create or update: the rollout is awaited, a failure is remembered and, if asked for, undone. */

import { RefusedError, UnfinishedError } from "../../failure";
import { sourceRevisionConfigRows } from "../../fields/deployment";
import { isProperties, type Properties } from "../../fields/value";
import { rowsFromWire } from "../../fields/wire";
import { programName, timeoutSeconds, urnOf } from "../../host/carried";
import type { JournalConflict } from "../../journal/journal";
import type { Service, Session } from "../../service/session";
import { plain, sentence } from "../../verdict/describe";
import { by } from "../../waiting/deadline";
import { revisionsOf } from "../../waiting/revisions";
import { type Outcome, waitForRollout } from "../../waiting/rollout";
import { describeSteps } from "../../waiting/statusLog";
import { restoreBody } from "../request";
import { outputsOf, type Rollout, type Told } from "../state";

const DEFAULT_TIMEOUT_SECONDS = 1_800;

/** One operation on one deployment, from its first request on. */
export interface Operation {
  readonly session: Session;
  readonly service: Service;
  readonly kind: "create" | "update";
  readonly id: string;
  readonly inputs: Properties;
  readonly told: Told;
}

/** Tells the user something about the deployment. Words that do not arrive must not fail what they are about. */
export async function tell(session: Session, properties: Properties, words: string): Promise<void> {
  await session.reporter.info(urnOf(properties), `${labelOf(properties)}: ${words}`).catch(() => undefined);
}

export async function warn(session: Session, properties: Properties, words: string): Promise<void> {
  await session.reporter.warn(urnOf(properties), `${labelOf(properties)}: ${words}`).catch(() => undefined);
}

export function labelOf(properties: Properties): string {
  return `deployment "${plain(programName(properties))}"`;
}

/** Another run has the journal's entry of the resource. */
export function conflicted(inputs: Properties, conflict: JournalConflict): RefusedError {
  return new RefusedError(
    `${labelOf(inputs)}: ${conflict.message}, so nothing was sent. When no other run of this stack is under way, run up again`,
  );
}

export function waits(inputs: Properties): boolean {
  return !(isProperties(inputs.rollout) && inputs.rollout.wait === false);
}

/** The outputs once nothing more is awaited. */
export function settled(operation: Operation, resource: Properties, rollout: Rollout): Properties {
  return outputsOf(operation.inputs, resource, rollout, operation.service.connection, operation.told);
}

/**
 * Waits for the revision and returns the final outputs. Throws an UnfinishedError that keeps the deployment in the
 * state when the revision fails, the time is over, or the service can no longer be asked.
 */
export async function awaitRollout(operation: Operation, resource: Properties): Promise<Properties> {
  let outcome: Outcome;
  try {
    outcome = await waitOn(operation, resource);
  } catch (error) {
    throw lost(operation, resource, error);
  }
  const latest = outcome.resource ?? (await lookAgain(operation, outcome)) ?? resource;
  if (outcome.end === "deployed") {
    await tell(
      operation.session,
      operation.inputs,
      `revision ${outcome.revisionId} is DEPLOYED and serves, after ${outcome.seconds} s`,
    );
    const revisionId = operation.told.revisionId ?? outcome.revisionId;
    const told = { ...operation.told, revisionId };
    return settled({ ...operation, told }, latest, { status: outcome.status, state: "deployed" });
  }
  if (outcome.end === "failed" && restores(operation.inputs)) return restore(operation, latest, outcome);
  throw failure(operation, latest, outcome, "");
}

/** The deployment as the rollout left it; after a time-out only as far as the service says so at once. */
async function lookAgain(
  { service, session, id }: Operation,
  outcome: Outcome,
): Promise<Properties | undefined> {
  const look = service.directory.look(id).catch(() => undefined);
  return outcome.end === "timeout" ? by(session.clock.now(), session.clock, look) : look;
}

/** `resource`: the deployment as it was just answered. */
function waitOn(operation: Operation, resource: Properties): Promise<Outcome> {
  const { session, service, inputs, kind } = operation;
  const rollout = isProperties(inputs.rollout) ? inputs.rollout : {};
  const configured =
    typeof rollout.timeoutSeconds === "number" ? rollout.timeoutSeconds : DEFAULT_TIMEOUT_SECONDS;
  return waitForRollout(service.poller, {
    deploymentId: operation.id,
    resource,
    timeoutSeconds: timeoutSeconds(inputs, kind, configured),
    tell: (words) => tell(session, inputs, words),
  });
}

/** After the write went through, an error must not lose the deployment: what is known is kept. */
export function lost(operation: Operation, resource: Properties, error: unknown): UnfinishedError {
  if (error instanceof UnfinishedError) return error;
  const outputs = whatIsKnown(operation, resource);
  const reason = `${labelOf(operation.inputs)}: was written (id ${operation.id}), but its rollout could not be followed: ${sentence((error as Error).message)} The next up resumes`;
  return new UnfinishedError(operation.id, outputs, reason, { cause: error });
}

/** Also where the service has answered what cannot be read: the id alone must then do. */
function whatIsKnown(operation: Operation, resource: Properties): Properties {
  try {
    return settled(operation, resource, { status: undefined, state: "unfinished" });
  } catch {
    const { baseUrl } = operation.service.connection;
    return { ...operation.told.olds, ...operation.inputs, rolloutState: "unfinished", serviceUrl: baseUrl };
  }
}

function failure(
  operation: Operation,
  resource: Properties,
  outcome: Outcome,
  further: string,
): UnfinishedError {
  const state = outcome.end === "timeout" ? "unfinished" : "failed";
  const outputs = settled(operation, resource, { status: outcome.status, state });
  return new UnfinishedError(
    operation.id,
    outputs,
    `${labelOf(operation.inputs)}: ${story(outcome, resource)}${further}`,
  );
}

function story(outcome: Outcome, resource: Properties): string {
  const revision = `revision ${outcome.revisionId ?? "(none was made yet)"}`;
  const serving =
    typeof resource.active_revision_id === "string"
      ? ` Revision ${resource.active_revision_id} goes on serving.`
      : " No revision serves.";
  if (outcome.end === "timeout") {
    const at = outcome.status === undefined ? "" : `, last seen ${outcome.status}`;
    return `${revision} was not deployed within ${outcome.seconds} s${at} (${describeSteps(outcome.steps)}).${serving} The next up resumes the wait.`;
  }
  return `${revision} ended ${outcome.status} after ${outcome.seconds} s (${describeSteps(outcome.steps)}).${serving} The next up makes the revision again.`;
}

function restores(inputs: Properties): boolean {
  return isProperties(inputs.rollout) && inputs.rollout.onFailure === "restore";
}

/** Sends the settings of the last deployed revision again and waits for them; the operation still fails. */
async function restore(operation: Operation, resource: Properties, outcome: Outcome): Promise<never> {
  const { session, service, inputs, id } = operation;
  const good = await lastDeployed(operation, resource);
  if (good === undefined) {
    throw failure(
      operation,
      resource,
      outcome,
      ' onFailure is "restore", but no revision of it was ever deployed: nothing to restore.',
    );
  }
  const { profile } = service.connection;
  const settings = rowsFromWire(
    sourceRevisionConfigRows,
    good.source_revision_config,
    profile,
    "sourceRevisionConfig",
  );
  await tell(
    session,
    inputs,
    `revision ${outcome.revisionId} ended ${outcome.status}; restoring the settings of revision ${good.id}`,
  );
  const body = restoreBody(settings, inputs, profile);
  let restored: Properties;
  let end: Outcome;
  try {
    restored = (await service.endpoints.updateDeployment(id, body)).resource;
    end = await waitOn(operation, restored);
    restored = end.resource ?? (await service.directory.look(id)) ?? restored;
  } catch (error) {
    throw failure(
      operation,
      resource,
      outcome,
      ` Restoring the settings of revision ${good.id} failed too: ${(error as Error).message}`,
    );
  }
  const how =
    end.end === "deployed"
      ? `deployed as revision ${end.revisionId}`
      : `revision ${end.revisionId} of them ended ${end.status}`;
  // The state says what runs now, so that the next plan shows the asked settings as a change again.
  const told = { ...operation.told, body, revisionId: end.revisionId };
  const outputs = settled({ ...operation, told, inputs: withSettings(inputs, settings) }, restored, {
    status: end.status,
    state: end.end === "deployed" ? "deployed" : "failed",
  });
  throw new UnfinishedError(
    id,
    outputs,
    `${labelOf(inputs)}: revision ${outcome.revisionId} ended ${outcome.status} after ${outcome.seconds} s (${describeSteps(outcome.steps)}). ` +
      `The settings of the last deployed revision, ${good.id}, were restored: ${how}.`,
  );
}

async function lastDeployed(operation: Operation, resource: Properties): Promise<Properties | undefined> {
  const revisions = await revisionsOf(operation.service.endpoints, operation.id).catch(() => []);
  const active = revisions.find((revision) => revision.id === resource.active_revision_id);
  return active ?? revisions.find((revision) => revision.status === "DEPLOYED");
}

/** The inputs with the managed revision fields as they run now. */
function withSettings(inputs: Properties, settings: Properties): Properties {
  const managed = isProperties(inputs.sourceRevisionConfig) ? Object.keys(inputs.sourceRevisionConfig) : [];
  const now = managed.filter((name) => settings[name] !== undefined).map((name) => [name, settings[name]]);
  return { ...inputs, sourceRevisionConfig: Object.fromEntries(now) };
}
