/** `read`: what a refresh records, and what `Deployment.get` finds. */

import { INCOMPLETE, RefusedError } from "../failure";
import { deploymentOutputRows, deploymentRows } from "../fields/deployment";
import { allowed, uuid } from "../fields/kind";
import { isUuid, type Properties } from "../fields/value";
import { everyArgumentFromWire } from "../fields/wire";
import { carriedIn, READ_ONLY } from "../host/carried";
import type { Service, Session } from "../service/session";
import { plain } from "../verdict/describe";
import { findRevision } from "../waiting/revisions";
import { argumentsOf, COMPUTED } from "./arguments";
import { warn } from "./rollout/await";
import {
  hasFailed,
  isFailure,
  isUnfinished,
  outputsIn,
  outputsOf,
  type RolloutState,
  refreshedArguments,
} from "./state";

export interface Found {
  /** Undefined: gone. */
  readonly id: string | undefined;
  readonly outputs?: Properties;
  /** Left out when the recorded inputs have to stay. */
  readonly inputs?: Properties;
}

export async function readDeployment(session: Session, id: string, state: Properties): Promise<Found> {
  const service = session.serviceOf(state);
  if (state[READ_ONLY] === true && !isUuid(id)) {
    throw new RefusedError(`Deployment.get: got the id "${plain(id)}"; allowed: ${allowed(uuid)}`);
  }
  const resource = (await service.directory.byId(id)) ?? (await lookAgain(session, service, id, state));
  if (resource === undefined || resource.status === "AWAITING_DELETE") {
    if (state[READ_ONLY] === true) throw missing(id, service, resource?.status);
    if (resource !== undefined)
      await warn(session, state, `is being deleted on the service (id ${id}); it counts as gone`);
    return { id: undefined };
  }
  const status = await latestStatus(service, id, resource);
  return state[READ_ONLY] === true
    ? gotten(state, resource, status, service)
    : refreshed(state, resource, status, service);
}

/** A service that has just written may answer reads from a copy that has not: so long is a deployment young. */
const YOUTH_MS = 600_000;
const LOOKS_AT_THE_YOUNG = 10;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Once more before it counts as gone, as that drops it from the state, where the look at it has proved nothing. Where
 * it was made only lately, a service whose reads lag behind is given some seconds.
 */
async function lookAgain(
  session: Session,
  service: Service,
  id: string,
  state: Properties,
): Promise<Properties | undefined> {
  if (state[READ_ONLY] === true) return undefined;
  const age = session.clock.now() + service.endpoints.clockAhead - Date.parse(String(state.createdAt));
  const isYoung = age < YOUTH_MS;
  const looks = isYoung ? LOOKS_AT_THE_YOUNG : service.directory.provesAbsence ? 0 : 1;
  for (let look = 0; look < looks; look += 1) {
    if (isYoung) await session.clock.sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 1.5 ** look));
    const found = await service.directory.fresh(id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function missing(id: string, service: Service, status: unknown): RefusedError {
  const how =
    status === undefined ? "has no deployment with the id" : "is just deleting the deployment with the id";
  return new RefusedError(`Deployment.get: ${service.connection.baseUrl} ${how} ${id}`);
}

/** The status of the latest revision; asked for only where it can be another than deployed. */
async function latestStatus(service: Service, id: string, resource: Properties): Promise<string | undefined> {
  const latest = resource.latest_revision_id;
  if (typeof latest !== "string") return undefined;
  if (latest === resource.active_revision_id) return "DEPLOYED";
  return (await findRevision(service.endpoints, id, latest))?.status as string | undefined;
}

/** What counts changes of this program's arguments, of which what is only read has none. */
const NOTHING_COUNTED = { revisionGeneration: 0, secretGenerations: {} };

function gotten(
  state: Properties,
  resource: Properties,
  status: string | undefined,
  service: Service,
): Found {
  const { profile } = service.connection;
  const outputs = outputsOf(
    { ...state, ...everyArgumentFromWire(deploymentRows, resource, profile), ...NOTHING_COUNTED },
    resource,
    { status, state: "not awaited" },
    service.connection,
    { body: {}, olds: {}, revisionId: undefined },
  );
  return { id: resource.id as string, outputs };
}

function refreshed(
  state: Properties,
  resource: Properties,
  status: string | undefined,
  service: Service,
): Found {
  const { profile, baseUrl } = service.connection;
  const current = refreshedArguments(state, resource, profile);
  const recorded = Object.entries(current).filter(([name]) => !Object.hasOwn(deploymentOutputRows, name));
  const outputs = {
    ...Object.fromEntries(recorded),
    ...outputsIn(resource, state, profile),
    latestRevisionStatus: status ?? state.latestRevisionStatus ?? null,
    rolloutState: rolloutState(state, resource, status),
    serviceUrl: baseUrl,
  };
  // The engine marks returned inputs secret only where the recorded inputs are. After an update that failed those are
  // still the old ones, and a secret that it added would be written in clear: the recorded inputs stay. So they do
  // where nothing drifted, which also saves their way to the engine.
  if (state[INCOMPLETE] === true || !hasDrifted(state, current))
    return { id: resource.id as string, outputs };
  const computed = Object.fromEntries(
    COMPUTED.filter((name) => name in current).map((name) => [name, current[name]]),
  );
  return {
    id: resource.id as string,
    outputs,
    inputs: { ...carriedIn(current), ...argumentsOf(current), ...computed },
  };
}

/** Whether a refresh found other arguments: those that it found as they were, it has left as they are. */
function hasDrifted(state: Properties, current: Properties): boolean {
  return Object.keys(deploymentRows).some((name) => current[name] !== state[name]);
}

/** How the newest revision stands; what nobody waited for, or what a refresh finds healed, is owed nothing. */
function rolloutState(state: Properties, resource: Properties, status: string | undefined): RolloutState {
  const latest = resource.latest_revision_id;
  if (typeof latest === "string" && latest === resource.active_revision_id) return "deployed";
  // Skipped or interrupted, and nothing newer: nobody will deploy it.
  if (isFailure(status) || status === "SKIPPED" || status === "INTERRUPTED") return "failed";
  if (state[INCOMPLETE] === true && (hasFailed(state) || isUnfinished(state))) return "unfinished";
  return state.rolloutState === undefined || hasFailed(state)
    ? "not awaited"
    : (state.rolloutState as RolloutState);
}
