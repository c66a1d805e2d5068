/**
 * The requests of an update: a PATCH for changes that make no revision, then the call that makes a revision. If the
 * service has no such call, one PATCH carries all changes.
 */
import { isUnsupported, mayHaveBeenApplied } from "../../client/errors";
import { touchesRevision } from "../../diff/changes";
import { format } from "../../diff/sentences";
import type { Answered } from "../../journal/carry";
import type { Tried } from "../../journal/resolve";
import { findRevision } from "../../polling/revisions";
import { type Profile, withoutCreateRevision } from "../../profiles/profiles";
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
import { showsChanges, withCurrentValues } from "./current";
import {
  latestIn,
  type NewRevision,
  type Observation,
  observeUpdate,
  proveThePlan,
  refuseGone,
  revisionMade,
} from "./proof";

/** The update that was sent, the deployment after the update, and the revision that the update made. */
interface SentUpdate {
  readonly update: Update;
  readonly resource: Properties;
  readonly newRevision: NewRevision;
}

/**
 * Sends the update, unless the service shows that it has the update already. `resource`: the deployment, if the caller
 * has just read it. To make a revision, uses the service's call for that. If the service lacks this call, sends a PATCH
 * instead, and reports the lack.
 */
export async function sendUpdate(update: Update, resource?: Properties): Promise<SentUpdate> {
  const { call, id, state, inputs, revision } = update;
  const needsCurrent = revises(update) || replacesSpec(update.body, call.profile);
  const before = resource ?? (needsCurrent ? await read(update) : undefined);
  if (before === undefined) return patch(update, before);
  const shown = await shownRevision(update, before);
  if (shown !== undefined) return { update, resource: before, newRevision: shown };
  if (isEmpty(revision)) return patch(update, before);
  try {
    return await revise(update, before);
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  }
  const plan = planCall(call, state, inputs, withoutCreateRevision(call.profile));
  const sentUpdate = await patch(plannedUpdate(call, id, plan), before);
  // The failed call could also mean that the deployment is gone. The PATCH has succeeded, so the deployment exists, and
  // only the call that makes revisions is missing.
  await call.tell(format.lacksRevisionCall());
  return sentUpdate;
}

/**
 * The latest revision, if the state does not have it, and the deployment shows all that the update changes: a second
 * revision would change nothing. Such a revision remains if the provider alone is killed, and the next run is on
 * another machine. `resource`: the deployment as just read.
 */
async function shownRevision(update: Update, resource: Properties): Promise<Properties | undefined> {
  const { call, id, state, body } = update;
  const latest = latestIn(resource.latest_revision_id);
  if (latest === null || latest === state.latestRevisionId || !revises(update)) return undefined;
  if (!showsChanges(body, update, resource)) return undefined;
  await call.tell(format.updateTakenOver({ id: latest }));
  return (await findRevision(call.service.endpoints, id, latest)) ?? { id: latest };
}

async function patch(planned: Update, before: Properties | undefined): Promise<SentUpdate> {
  const { call } = planned;
  const update = before ? { ...planned, ...withCurrentValues(planned.body, planned, before) } : planned;
  await tellCurrent(update);
  permitUpdate(update);
  const { answer: resource, tried } = await (revises(update) ? sendPatch(update) : sendInPlace(update));
  return keepOnFailure(update, resource, async () => {
    call.service.directory.remember(resource);
    const newRevision = await revisionMade(call, update.id, tried, resource);
    const isMissing = newRevision === false && update.verdict === "newRevision";
    return (isMissing && (await lateRevision(update, tried))) || { update, resource, newRevision };
  });
}

/** How often to ask again for a revision that the plan announced and the answer to its PATCH did not name. */
const LATE_LOOKS = 5;
const BETWEEN_LATE_LOOKS_MS = 2_000;

/** The revision that an answer of the service did not name yet; undefined if none appears within ten seconds. */
async function lateRevision(update: Update, tried: Tried): Promise<SentUpdate | undefined> {
  const { call, id } = update;
  for (let looks = 0; looks < LATE_LOOKS; looks += 1) {
    await call.run.clock.sleep(BETWEEN_LATE_LOOKS_MS);
    const resource = await read(update);
    const answer = latestIn(resource.latest_revision_id);
    if (answer === null || tried.known.includes(answer)) continue;
    await call.run.journal.answer(tried, answer);
    return { update, resource, newRevision: await revisionMade(call, id, { ...tried, answer }, resource) };
  }
  return undefined;
}

/** Names the values that the update sends as the service has them, so that no reader takes them for the program's. */
async function tellCurrent({ call, current = [] }: Update): Promise<void> {
  const paths = current.map(printable).join(", ");
  if (paths !== "") await call.tell(format.keepsRelease({ paths }));
}

const read = async (update: Update): Promise<Properties> =>
  (await update.call.service.directory.fresh(update.id)) ?? refuseGone(update);

async function revise(update: Update, before: Properties): Promise<SentUpdate> {
  if (isEmpty(update.patch)) return sendRevision(update, before);
  const inPlace: Update = { ...update, verdict: "inPlace", body: update.patch, revision: {} };
  const { resource, newRevision } = await patch(inPlace, before);
  const between = stateBetween(inPlace, resource);
  if (newRevision) {
    const changes = update.changes.filter((change) => !touchesRevision(change));
    await proveThePlan({ ...inPlace, changes, inputs: inputsIn(between) }, newRevision);
  }
  const rest = { ...update, before: update.before ?? update.state, state: between };
  return keepPart(update, between, "was changed in place, but its new revision was not made", () =>
    sendRevision(rest, resource),
  );
}

async function sendRevision(planned: Update, before: Properties): Promise<SentUpdate> {
  const { call, id, patch } = planned;
  const { body, current } = withCurrentValues(planned.revision, planned, before);
  const update = { ...planned, current, body: mergedOver(patch, body) };
  permitUpdate(update);
  await tellCurrent(update);
  const { answer: newRevision } = await call.carry<Properties>({
    ...revising(update, ({ newRevision }) => newRevision || undefined),
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

function sendPatch(update: Update): Promise<Answered<Properties>> {
  const { call, id, body } = update;
  return call.carry<Properties>({
    ...revising(update, ({ newRevision, resource }) => (newRevision === undefined ? undefined : resource)),
    send: (beforeSending) => call.service.endpoints.updateDeployment(id, body, beforeSending),
    noteOf: ({ latest_revision_id: latest }) => latestIn(latest),
    isRepeatable: true,
  });
}

/** Sends a PATCH that makes no revision. After a lost answer, sends it again: it has the same effect twice as once. */
async function sendInPlace(update: Update): Promise<Answered<Properties>> {
  const { call, id, body } = update;
  const { endpoints } = call.service;
  const moment = call.moment();
  const send = () => endpoints.updateDeployment(id, body);
  const answer = await send().catch((error: unknown) => {
    if (!mayHaveBeenApplied(error) || endpoints.isFailing) throw error;
    return send();
  });
  const note = latestIn(answer.latest_revision_id);
  return { answer, tried: { ...updateIntent(update), ...moment, answer: note } };
}

/** The attempt of a request that makes, or may make, a revision, and the search for its effect if its answer is lost. */
function revising(update: Update, resultIn: (observation: Observation) => Properties | undefined) {
  const { call, id, state, body, inputs } = update;
  return {
    intent: updateIntent(update),
    find: async (tried: Tried, lost: Error) => {
      // If the service fails all requests, looking for each resource's update would only add to its load.
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
