/**
 * The requests of an update: a PATCH for changes that make no revision, then the call that makes a revision. If the
 * service has no such call, one PATCH carries all changes.
 */
import { isUnsupported, mayHaveBeenApplied } from "../../client/errors";
import { touchesRevision } from "../../diff/changes";
import { format } from "../../diff/sentences";
import type { Intent } from "../../journal/attempt";
import type { Answered } from "../../journal/carry";
import type { Tried } from "../../journal/resolve";
import { type Profile, withoutCreateRevision } from "../../profiles/profiles";
import { REFRESH } from "../../run/failureWords";
import { printable } from "../../schema/secrecy";
import { mergedOver, type Properties, withValueAt } from "../../schema/value";
import { sentence } from "../../schema/words";
import { inputsIn } from "../arguments";
import { updateIntent } from "../intent";
import { placeOf, replacesSpec } from "../live";
import { permitUpdate } from "../permits";
import { planCall, revises } from "../plan";
import { isEmpty, plannedUpdate, type Update } from "../request";
import { keepOnFailure, keepPart, stateBetween } from "../state";
import { variablesOf } from "../variables";
import { latestIn, type Observation, observeUpdate, refuseGone, revisionAfter } from "./arrival";
import { carriedUnchanged, showsChanges, unchangedPaths, withCurrentValues } from "./current";
import { refuseLosses } from "./losses";
import { proveThePlan } from "./proof";

/** The update that was sent, the deployment after the update, and the revision that the update made. */
interface SentUpdate extends Observation {
  readonly update: Update;
}

/** Sends the update. `resource`: the deployment, if the caller has just read it; otherwise, it is read when needed. */
export async function sendUpdate(update: Update, resource?: Properties): Promise<SentUpdate> {
  const { call, id, body } = update;
  const { connection, directory } = call.service;
  const sendsLists = body.secrets !== undefined || body.secret_references !== undefined;
  const needsRead =
    revises(update) ||
    replacesSpec(body, call.profile) ||
    sendsLists ||
    carriedUnchanged(body, update).length > 0;
  if (resource === undefined && !needsRead) {
    // If nobody has set the profile, only an answer can show that the default profile does not fit the service.
    if (connection.unsetProfile !== undefined) await directory.byId(id);
    return patch(update);
  }
  // A revision cannot be taken back, so it gets a separate read. Updates in place share a listing of the last seconds.
  const current = resource ?? (await (revises(update) ? directory.fresh(id) : directory.byId(id)));
  return sendOver(update, current ?? refuseGone(update));
}

/**
 * Sends the update with the service's current values, unless the service already has the update. Makes a revision with
 * the call for revisions. If the service lacks this call, makes the revision with a PATCH and tells the user.
 */
async function sendOver(update: Update, current: Properties): Promise<SentUpdate> {
  const { call, id, state, inputs, revision, rollout } = update;
  const [latest, recorded] = [current.latest_revision_id, state.latestRevisionId].map(latestIn);
  if (rollout === "remake" && latest && latest !== recorded)
    throw call.refuse(
      `another tool made revision ${printable(latest)} after revision ${recorded} failed. ${REFRESH}`,
    );
  if (latest && latest !== recorded && isApplied(update, current)) {
    await call.tell(format.updateTakenOver({ id: latest }));
    // The values that the update does not change may come from another tool.
    return {
      update: { ...update, current: unchangedPaths(update) },
      resource: current,
      newRevision: { id: latest },
    };
  }
  refuseLosses(update, current);
  if (isEmpty(revision)) return patch(update, current);
  try {
    return await revise(update, current);
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  }
  const plan = planCall(call, state, inputs, withoutCreateRevision(call.profile));
  const sentUpdate = await patch(plannedUpdate(call, id, plan), current);
  // The failed call could also mean that the deployment is gone. But the PATCH has succeeded, so the deployment exists,
  // and only the call that makes revisions is missing.
  await call.tell(format.lacksRevisionCall());
  return sentUpdate;
}

/**
 * Whether the deployment already shows all of the update's changes, so that a second revision would change nothing.
 * This happens if an earlier run was killed after it sent the request, and this run is on a different machine.
 */
const isApplied = (update: Update, current: Properties): boolean =>
  revises(update) && showsChanges(update.body, update, current);

/**
 * Adds the service's current values that the request must also carry, and tells the user about these values. Permits
 * the request. Returns the update and its record for the journal. `current`: the freshly read deployment.
 */
async function prepare(planned: Update, current: Properties | undefined): Promise<[Update, Intent]> {
  const { call, patch, revision, state } = planned;
  const part = isEmpty(revision) ? "patch" : "revision";
  const values = current && withCurrentValues(planned[part], planned, current);
  const idsBefore = planned.known ?? [...new Set([state.latestRevisionId, current?.latest_revision_id])];
  const update = values
    ? {
        ...planned,
        [part]: values.body,
        body: part === "patch" ? values.body : mergedOver(patch, values.body),
        current: values.current,
        known: idsBefore,
      }
    : planned;
  const paths = (values?.current ?? []).map(printable).join(", ");
  if (paths !== "") await call.tell(format.keepsRelease({ paths }));
  permitUpdate(update);
  return [update, updateIntent(update)];
}

async function patch(planned: Update, before?: Properties): Promise<SentUpdate> {
  const { call } = planned;
  const [update, intent] = await prepare(planned, before);
  const { answer, tried } = await (revises(update) ? sendPatch(update, intent) : sendInPlace(update, intent));
  return keepOnFailure(update, answer, async () => {
    call.service.directory.remember(answer);
    return { update, ...(await revisionAfter(update, tried, answer)) };
  });
}

async function revise(update: Update, before: Properties): Promise<SentUpdate> {
  if (isEmpty(update.patch)) return sendRevision(update, before);
  const inPlace: Update = { ...update, verdict: "inPlace", body: update.patch, revision: {} };
  const { resource, newRevision } = await patch(inPlace, before);
  const between = stateBetween(inPlace, resource);
  const rest = { ...update, before: update.before ?? update.state, state: between };
  return keepPart(update, between, "was changed in place, but its new revision was not made", async () => {
    const changes = update.changes.filter((change) => !touchesRevision(change));
    if (newRevision) await proveThePlan({ ...inPlace, changes, inputs: inputsIn(between) }, newRevision);
    return sendRevision(rest, resource);
  });
}

async function sendRevision(planned: Update, before: Properties): Promise<SentUpdate> {
  const { call, id } = planned;
  const [update, intent] = await prepare(planned, before);
  const { revision: body } = update;
  const { answer: newRevision } = await call.carry<Properties>({
    ...revising(update, intent, ({ newRevision }) => newRevision || undefined),
    send: (beforeSending) => call.service.endpoints.createRevision(id, body, beforeSending),
    noteOf: (answer) => latestIn(answer.id),
  });
  call.service.directory.forget(id);
  return { update, resource: withRevision(before, body, newRevision, call.profile), newRevision };
}

/** The deployment after the call that made the revision, composed here because the answer shows only the revision. */
function withRevision(
  before: Properties,
  body: Properties,
  newRevision: Properties,
  profile: Profile,
): Properties {
  const base = replacesSpec(body, profile) ? withValueAt(before, placeOf(profile), undefined) : before;
  const after = mergedOver(base, body);
  return {
    ...after,
    latest_revision_id: newRevision.id,
    updated_at: newRevision.created_at ?? after.updated_at,
    source_revision_config: newRevision.source_revision_config ?? after.source_revision_config,
  };
}

function sendPatch(update: Update, intent: Intent): Promise<Answered<Properties>> {
  const { call, id, body } = update;
  return call.carry<Properties>({
    ...revising(update, intent, ({ newRevision, resource }) =>
      newRevision === undefined ? undefined : resource,
    ),
    send: (beforeSending) => call.service.endpoints.updateDeployment(id, body, beforeSending),
    noteOf: ({ latest_revision_id: latest }) => latestIn(latest),
    isRepeatable: true,
  });
}

/** Sends a PATCH that makes no revision. After a lost answer, resends the PATCH, because a repeat changes nothing. */
async function sendInPlace(update: Update, intent: Intent): Promise<Answered<Properties>> {
  const { call, id, body } = update;
  const { endpoints } = call.service;
  const moment = call.moment();
  const send = () => endpoints.updateDeployment(id, body);
  const answer = await send().catch((error: unknown) => {
    if (!mayHaveBeenApplied(error) || endpoints.isFailing) throw error;
    return send();
  });
  const note = latestIn(answer.latest_revision_id);
  return { answer, tried: { ...intent, ...moment, answer: note } };
}

/** The attempt of a request that may make a revision, and how to look for the effect if the answer is lost. */
function revising(
  update: Update,
  intent: Intent,
  resultIn: (observation: Observation) => Properties | undefined,
) {
  const { call, id, state, body, inputs } = update;
  return {
    intent,
    find: async (tried: Tried, lost: Error) => {
      // If the service fails all requests, a look-up for each resource's update would only add load.
      if (call.service.endpoints.isFailing) throw lost;
      const observation = await observeUpdate(call, id, tried, {
        body,
        variables: variablesOf(inputs) ?? {},
      });
      return observation && resultIn(observation);
    },
    inDoubt: (failure: Error, { sentAt }: Tried) => {
      const reason = `it is not known whether the update was applied: ${sentence(failure.message)} The next update looks first, and makes no second revision`;
      const doubtful = { ...state, uncertainSince: sentAt, rolloutState: "unfinished" };
      return call.unfinished(id, doubtful, reason, failure);
    },
  };
}
