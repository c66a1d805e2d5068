/** `read`, for a refresh and for `Deployment.get`. */

import type { Call, ReadResult } from "../call";
import { UNCHANGED } from "../diff/recorded";
import { RefusedError } from "../failure";
import { findRevision } from "../polling/revisions";
import type { Service } from "../run/run";
import { sameValue } from "../schema/compare";
import { deploymentOutputRows, deploymentRows, isBeingDeleted } from "../schema/deployment";
import { allowed, uuid } from "../schema/kind";
import type { State } from "../schema/recorded";
import { printable } from "../schema/secrecy";
import { isAbsent, isUuid, type Properties, valueAt, withValueAt } from "../schema/value";
import { isUnproven } from "../schema/verification";
import { everyArgumentFromWire } from "../schema/wire";
import { inputsIn } from "./arguments";
import { alteredSecrets, type Live, liveIn } from "./live";
import { hasFailed, isDoubtful, isLost, isUnfinished } from "./record";
import { applicable } from "./sourceRules";
import { deploymentOutputs, type RolloutState, refreshedState, reportedOutputs } from "./state";
import { refuseOtherTenant } from "./tenant";
import { foreignWords } from "./variables";

export async function readDeployment(call: Call, id: string, state: State): Promise<ReadResult> {
  call.confirm(id, state);
  if (call.readOnly && !isUuid(id))
    throw new RefusedError(`got the id "${printable(id)}"; allowed: ${allowed(uuid)}`, "Deployment.get");
  const resource = (await call.service.directory.byId(id)) ?? (await lookAgain(call, id, state));
  if (resource === undefined || isBeingDeleted(resource.status)) {
    if (call.readOnly) throw missingError(call, id, resource?.status);
    if (resource === undefined) await refuseOtherTenant(call, state);
    else await call.warn(`is being deleted on the service (id ${printable(id)}); it counts as gone`);
    return { id: undefined };
  }
  if (resource.status === "UNUSED")
    await call.warn(
      `the service calls it UNUSED (id ${printable(id)}): it may not be running, so its address may not answer. It stays in the state, and a new revision may put it to use`,
    );
  const status = await latestStatus(call.service, id, resource);
  if (call.readOnly) return readOnlyResult(call, state, resource, status);
  const live = liveIn(resource, call.profile);
  const altered = isDoubtful(state) ? [] : alteredSecrets(state, live);
  for (const name of altered)
    await call.warn(
      `secret ${printable(name)} has another value on the service; the next update sets it again`,
    );
  const reading = refreshResult(call, id, state, live, status, altered);
  const { outputs = {} } = reading;
  if (isLost(status) && !hasFailed(outputs))
    await call.warn(
      `revision ${printable(outputs.latestRevisionId)}, which no update of this stack made, ended ${status}; it is not made again`,
    );
  const foreign = foreignWords(outputs);
  if (foreign !== undefined) await call.warn(foreign);
  return reading;
}

/** A deployment up to this age counts as young. Reads may still lag behind its creation. */
const YOUTH_MS = 600_000;
const LOOKS_AT_THE_YOUNG = 10;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

/** Looks again for several seconds, so that the state keeps a young deployment that only seems to be missing. */
async function lookAgain(call: Call, id: string, state: State): Promise<Properties | undefined> {
  if (call.readOnly) return undefined;
  const { directory, endpoints } = call.service;
  const { clock } = call.run;
  const age = clock.now() + endpoints.clockAhead - Date.parse(String(state.createdAt));
  if (!(age < YOUTH_MS)) return undefined;
  for (let look = 0; look < LOOKS_AT_THE_YOUNG; look += 1) {
    await clock.sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 1.5 ** look));
    const resource = await directory.fresh(id);
    if (resource !== undefined) return resource;
  }
  return undefined;
}

function missingError({ baseUrl }: Call, id: string, status: unknown): RefusedError {
  const how =
    status === undefined ? "has no deployment with the id" : "is just deleting the deployment with the id";
  return new RefusedError(`${baseUrl} ${how} ${id}`, "Deployment.get");
}

/** The status of the latest revision. Reads the revision unless it is the active revision. */
async function latestStatus(
  { endpoints }: Service,
  id: string,
  resource: Properties,
): Promise<string | undefined> {
  const latest = resource.latest_revision_id;
  if (typeof latest !== "string") return undefined;
  if (latest === resource.active_revision_id) return "DEPLOYED";
  return (await findRevision(endpoints, id, latest))?.status as string | undefined;
}

/** A deployment that the program only reads has no generations. */
const NOTHING_COUNTED = { revisionGeneration: 0, secretGenerations: {} };

function readOnlyResult(
  call: Call,
  state: State,
  resource: Properties,
  status: string | undefined,
): ReadResult {
  const args = applicable(everyArgumentFromWire(deploymentRows, resource, call.profile), call.profile);
  const id = resource.id as string;
  const inputs: Properties = { ...state, ...args, ...NOTHING_COUNTED };
  const rollout = { status, state: "not awaited" } as const;
  const write = { call, id, state: {}, inputs, body: {} };
  const { observed: _unmanaged, ...outputs } = deploymentOutputs(write, resource, rollout);
  return { id, outputs };
}

function refreshResult(
  call: Call,
  id: string,
  state: State,
  live: Live,
  status: string | undefined,
  altered: readonly string[],
): ReadResult {
  // The state drops each changed secret, so the next plan sets the program's value.
  const current = altered.reduce(
    (cleared, name) => withValueAt(cleared, ["secrets", name], undefined),
    refreshedState(state, live, call.hidden),
  );
  const entries = Object.entries(current).filter(([name]) => !Object.hasOwn(deploymentOutputRows, name));
  // The service knows whether the revision is deployed, but not whether the deployment replies as expected.
  const isStillUnproven =
    isUnproven(state.latestRevisionStatus) && live.outputs.latestRevisionId === state.latestRevisionId;
  const outputs = {
    ...Object.fromEntries(entries),
    ...reportedOutputs(live, call),
    latestRevisionStatus: (isStillUnproven ? undefined : status) ?? state.latestRevisionStatus ?? null,
    rolloutState: isStillUnproven ? state.rolloutState : rolloutState(state, current, live, status),
    serviceUrl: call.baseUrl,
  };
  // After a failed update, the engine still records the old inputs. The engine marks returned inputs secret
  // only where the old inputs are secret, so a secret that the update added would be stored in plaintext.
  if (state.incomplete === true || !hasDrifted(state, current)) return { id, outputs };
  return { id, outputs, inputs: inputsIn(current), plan: UNCHANGED };
}

/** Whether the refresh changed any argument. An unchanged argument is still the same object. */
function hasDrifted(state: State, current: State): boolean {
  return Object.keys(deploymentRows).some((name) => current[name] !== state[name]);
}

/** The rollout's state: `not awaited` if no run awaited the revision, or if the revision no longer counts as failed. */
function rolloutState(
  state: State,
  current: State,
  { outputs }: Live,
  status: string | undefined,
): RolloutState {
  const { latestRevisionId: latest, activeRevisionId: active } = outputs;
  // A revision that serves traffic may still have to pass its verification.
  const isUnverified = isUnfinished(state) && !isAbsent(valueAt(state, ["rollout", "verify"]));
  if (typeof latest === "string" && latest === active) return isUnverified ? "unfinished" : "deployed";
  if (isLost(status) && !isForeignRevision(state, current, latest)) return "failed";
  if (state.incomplete === true && (hasFailed(state) || isUnfinished(state))) return "unfinished";
  return state.rolloutState === undefined || hasFailed(state)
    ? "not awaited"
    : (state.rolloutState as RolloutState);
}

/** Whether another tool made the lost revision, as a push does: with the recorded `sourceRevisionConfig`. */
function isForeignRevision(state: State, current: State, latest: unknown): boolean {
  const { latestRevisionId, latestRevisionStatus: status, sourceRevisionConfig } = state;
  // If the last rollout has not ended well, the revision may be the one that this stack asked for.
  if (state.rolloutState !== "deployed" || isDoubtful(state) || typeof latestRevisionId !== "string")
    return false;
  return latest === latestRevisionId
    ? // An earlier refresh has recorded the revision.
      status !== "DEPLOYED"
    : sameValue(current.sourceRevisionConfig, sourceRevisionConfig);
}
