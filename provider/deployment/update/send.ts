/** The requests of an update: a PATCH for what makes no revision, then the call that makes one; a PATCH for all where the service lacks that. */
import { isUnsupported } from "../../client/errors";
import { UnfinishedError } from "../../failure";
import { laidOver, type Properties, withValueAt } from "../../fields/value";
import { sentence } from "../../fields/words";
import type { Moment } from "../../journal/entry";
import type { LostAnswer } from "../../journal/sendOnce";
import { type Profile, withoutCreateRevision } from "../../profiles/profiles";
import { say } from "../../verdict/sentences";
import { updateIntent } from "../intent";
import { liveIn, placeOf, replacesSpec, withUnmanaged } from "../live";
import { planUpdate, revises } from "../plan";
import { isEmpty, plannedUpdate, type Update } from "../request";
import { keeping, recordedDeployment, stateBetween } from "../state";
import { answerNote, type Made, proveThePlan, refuseGone, revisionMade, type Sight, sightOf } from "./proof";

/** The update that was sent, the deployment after it, and the revision that it made. */
interface Written {
  readonly update: Update;
  readonly resource: Properties;
  readonly made: Made;
}

/**
 * Sends the update. `before`: the deployment before it. Makes a revision by the service's own call, or by PATCH on an
 * installation without the call, which is said once and remembered for the run.
 */
export async function write(
  update: Update,
  before = recordedDeployment(update.olds, update.call.profile),
): Promise<Written> {
  const { call, id, olds, news, revision } = update;
  if (isEmpty(revision)) return patch(update);
  try {
    return await revise(update, before);
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  }
  const plan = planUpdate(olds, news, withoutCreateRevision(call.profile), call);
  const written = await patch(plannedUpdate(call, id, plan));
  // Only a PATCH that succeeds tells such an installation from a deployment that is gone.
  const { service, profile } = call;
  service.profile = withoutCreateRevision(profile);
  if (profile.capabilities.createRevision) await call.tell(say.lacksRevisionCall());
  return written;
}

async function patch(update: Update): Promise<Written> {
  const { call } = update;
  const body = await wholeBody(update, update.body);
  const sentAt = call.run.clock.now();
  const resource = await sendPatch(update, body, sentAt);
  const made = await keeping(update, resource, () => {
    call.service.directory.remember(resource);
    return revisionMade(update, call.moment(sentAt), resource.latest_revision_id);
  });
  return { update: { ...update, body }, resource, made };
}

/** The body with what it must carry of a spec that the service replaces whole, which is read right before. */
async function wholeBody(update: Update, body: Properties): Promise<Properties> {
  const { profile, service } = update.call;
  if (!replacesSpec(body, profile)) return body;
  const resource = (await service.directory.fresh(update.id)) ?? refuseGone(update);
  return withUnmanaged(body, liveIn(resource, profile), update);
}

async function revise(update: Update, before: Properties): Promise<Written> {
  if (isEmpty(update.patch)) return sendRevision(update, before);
  const inPlace: Update = { ...update, verdict: "inPlace", body: update.patch, revision: {} };
  const { resource, made } = await patch(inPlace);
  if (made) await proveThePlan(inPlace, made);
  const state = stateBetween(inPlace, resource);
  try {
    return await sendRevision({ ...update, olds: state }, resource);
  } catch (error) {
    if (error instanceof UnfinishedError || isUnsupported(error)) throw error;
    const reason = `was changed in place, but its new revision was not made: ${sentence((error as Error).message)} The next plan shows what is left`;
    throw update.call.unfinished(update.id, state, reason, error);
  }
}

async function sendRevision(update: Update, before: Properties): Promise<Written> {
  const { call, id, patch } = update;
  const body = await wholeBody(update, update.revision);
  const made = await call.sendOnce<Properties>({
    ...request(
      update,
      call.run.clock.now(),
      ({ made }) => made || undefined,
      (error) => error,
    ),
    send: (beforeSending) => call.service.endpoints.createRevision(id, body, beforeSending),
    noteOf: (answer) => answerNote(answer.id),
  });
  call.service.directory.forget(id);
  const resource = revised(before, body, made, call.profile);
  return { update: { ...update, body: laidOver(patch, body) as Properties }, resource, made };
}

/** The deployment after the call, whose answer shows the revision alone. */
function revised(before: Properties, body: Properties, made: Properties, profile: Profile): Properties {
  const rest = replacesSpec(body, profile) ? withValueAt(before, placeOf(profile), undefined) : before;
  const after = laidOver(rest, body) as Properties;
  return {
    ...after,
    latest_revision_id: made.id,
    updated_at: made.created_at ?? after.updated_at,
    source_revision_config: made.source_revision_config ?? after.source_revision_config,
  };
}

function sendPatch(update: Update, body: Properties, sentAt: number): Promise<Properties> {
  const { call, id } = update;
  return call.sendOnce<Properties>({
    ...request(update, sentAt, ({ resource }) => resource, "send again"),
    send: (beforeSending) => call.service.endpoints.updateDeployment(id, body, beforeSending),
    noteOf: ({ latest_revision_id: latest }) => answerNote(latest),
  });
}

/** How often to look for an update whose answer was lost. */
const LOOKS = 3;

/** A request that goes through the journal if it may make a revision. After a lost answer it asks the service whether it was applied. */
function request(
  update: Update,
  sentAt: number,
  answerIn: (sight: Sight) => Properties | undefined,
  otherwise: LostAnswer<Properties>["otherwise"],
) {
  const { call, id, olds } = update;
  return {
    journalled: revises(update) ? { journal: call.run.updates, intent: updateIntent(update) } : undefined,
    // The first of several tries may have made the revision.
    moment: () => ({ ...call.moment(), sentAt }),
    lost: {
      begin: (error: Error) => call.tell(say.updateUncertain({ message: error.message })),
      looks: LOOKS,
      find: async (error: Error, moment: Moment) => {
        // If the service fails all requests, one look per resource would only add to its load.
        if (call.service.endpoints.isFailing) throw error;
        const sight = await sightOf({ ...update, moment, isInPlace: !revises(update) });
        return sight?.made === undefined ? undefined : answerIn(sight);
      },
      otherwise,
      explain: (failure: Error) => {
        const reason = `it is not known whether the update was applied: ${sentence(failure.message)} The next up looks first, and makes no second revision`;
        const inDoubt = { ...olds, uncertainSince: sentAt, rolloutState: "unfinished" };
        return call.unfinished(id, inDoubt, reason, failure);
      },
    },
  };
}
