/** The requests of an update: a PATCH for what makes no revision, then the call that makes one; a PATCH for all where the service lacks that. */
import type { Call } from "../../call";
import { isUnsupported } from "../../client/errors";
import { UnfinishedError } from "../../failure";
import { withValueAt } from "../../fields/compare";
import { deploymentRows } from "../../fields/deployment";
import type { Field } from "../../fields/kind";
import { laidOver, type Properties, valueAt } from "../../fields/value";
import { sentence } from "../../fields/words";
import type { Moment } from "../../journal/entry";
import type { LostAnswer } from "../../journal/sendOnce";
import { withoutCreateRevision } from "../../profiles/profiles";
import { say } from "../../verdict/sentences";
import { updateIntent } from "../intent";
import { planUpdate, revises } from "../plan";
import { isEmpty } from "../request";
import { carries, NOTED, outputsOf, recordedDeployment } from "../state";
import { keeping, plannedUpdate, resting, type Update } from "../write";
import { answerNote, appliedUpdate, type Sight } from "./doubt";
import { type Made, proveThePlan, revisionMade } from "./proof";
import { changedMeanwhile, withUnmanaged } from "./wholeSpec";

/** The update that was sent, the deployment after it, and the revision that it made. */
interface Written {
  readonly update: Update;
  readonly resource: Properties;
  readonly made: Made;
}

/** Sends the update. `resource`: the deployment before it, if it was just read. */
export function write(update: Update, resource?: Properties): Promise<Written> {
  const { call, id, olds, news, revision } = update;
  if (isEmpty(revision)) return patch(update);
  const profile = withoutCreateRevision(call.profile);
  return byRevisionCall(
    call,
    () => revise(update, resource),
    () => patch(plannedUpdate(call, id, planUpdate(olds, news, profile, call), profile)),
  );
}

/**
 * Makes a revision by the service's own call, or by PATCH where the installation lacks that, which is said once and
 * remembered for the run. Only a PATCH that succeeds tells such an installation from a deployment that is gone.
 */
export async function byRevisionCall<T>(
  call: Call,
  revise: () => Promise<T>,
  patch: () => Promise<T>,
): Promise<T> {
  try {
    return await revise();
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  }
  const written = await patch();
  const { service, profile } = call;
  service.profile = withoutCreateRevision(profile);
  if (profile.capabilities.createRevision) await call.tell(say.lacksRevisionCall());
  return written;
}

async function patch(update: Update): Promise<Written> {
  const { call } = update;
  const whole = await withUnmanaged(update);
  const sentAt = call.run.clock.now();
  const resource = await sendPatch(update, whole, sentAt);
  const made = await keeping(update, resource, async () => {
    call.service.directory.remember(resource);
    await warnOfChange(update, whole, resource);
    return revisionMade(update, call.moment(sentAt), resource.latest_revision_id);
  });
  return { update, resource, made };
}

async function revise(update: Update, before?: Properties): Promise<Written> {
  if (isEmpty(update.patch)) return sendRevision(update, before);
  const inPlace: Update = { ...update, verdict: "inPlace", body: update.patch, revision: {} };
  const { resource, made } = await patch(inPlace);
  if (made) await proveThePlan(inPlace, made);
  const state = stateBetween(update, resource);
  try {
    return await sendRevision({ ...update, olds: state }, resource);
  } catch (error) {
    if (error instanceof UnfinishedError || isUnsupported(error)) throw error;
    const reason = `was changed in place, but its new revision was not made: ${sentence((error as Error).message)} The next plan shows what is left`;
    throw update.call.unfinished(update.id, state, reason, error);
  }
}

/** The state after the PATCH alone: the arguments that it carried, and the revision from before. */
function stateBetween({ patch, ...update }: Update, resource: Properties): Properties {
  const { call, olds, news } = update;
  const places = Object.entries(deploymentRows).flatMap(
    ([name, { group, kind }]: [string, Field<unknown>]) =>
      group && kind.type === "object" ? Object.keys(kind.rows).map((member) => [name, member]) : [[name]],
  );
  const recorded = Object.entries(olds).filter(([name]) => !NOTED.some((note) => note === name));
  const inputs = places
    .filter((names) => carries(patch, names, call.profile))
    .reduce<unknown>(
      (state, names) => withValueAt(state, names, valueAt(news, names)),
      Object.fromEntries(recorded),
    );
  return outputsOf(
    { ...update, news: inputs as Properties, body: patch },
    resource,
    resting(olds, undefined),
  );
}

async function sendRevision(
  update: Update,
  before: Properties = recordedDeployment(update.olds, update.call.profile),
): Promise<Written> {
  const { call, id } = update;
  const revision = await withUnmanaged({ ...update, body: update.revision });
  const made = await call.sendOnce<Properties>({
    ...request(
      update,
      call.run.clock.now(),
      ({ made }) => made || undefined,
      (error) => error,
    ),
    send: (beforeSending) => call.service.endpoints.createRevision(id, revision, beforeSending),
    noteOf: (answer) => answerNote(answer.id),
  });
  call.service.directory.forget(id);
  // The answer does not show what became of a spec that was read and sent whole.
  const live =
    revision === update.revision ? undefined : await call.service.directory.fresh(id).catch(() => undefined);
  if (live !== undefined) await warnOfChange(update, revision, live);
  const after = live ?? (laidOver(before, revision) as Properties);
  const { id: latest, created_at: updated, source_revision_config: settings } = made;
  const resource = {
    ...after,
    latest_revision_id: latest,
    updated_at: updated ?? after.updated_at,
    source_revision_config: settings ?? after.source_revision_config,
  };
  return { update, resource, made };
}

async function warnOfChange(update: Update, sent: Properties, answer: Properties): Promise<void> {
  const changed = changedMeanwhile(update, sent, answer);
  if (changed !== undefined) await update.call.warn(changed);
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
        const sight = await appliedUpdate(update, moment);
        return sight && answerIn(sight);
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
