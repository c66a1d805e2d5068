/**
 * An update: resolves what the last update left in doubt, sends at most one PATCH, finds the revision that it made,
 * compares that with the plan, and waits for the rollout.
 */
import type { Call } from "../../call";
import { deploymentOutputRows } from "../../fields/deployment";
import type { Properties } from "../../fields/value";
import { sentence } from "../../fields/words";
import { say } from "../../verdict/sentences";
import { updateIntent } from "../intent";
import { type Plan, planUpdate, revises } from "../plan";
import { isEmpty } from "../request";
import { awaitRollout } from "../rollout/await";
import { NOTED, outputsOf } from "../state";
import { allowedUpdate, keeping, plannedUpdate, resting, type Update, waits } from "../write";
import { answerNote, appliedUpdate, doubtAbout, resolved } from "./doubt";
import { type Made, proveThePlan, revisionMade } from "./proof";
import { changedMeanwhile, withUnmanaged } from "./wholeSpec";

/** Updates the deployment. Returns its new outputs. */
export async function updateDeployment(
  call: Call,
  id: string,
  olds: Properties,
  news: Properties,
): Promise<Properties> {
  return carryOut(allowedUpdate(call, id, planUpdate(olds, news, call.profile, call)));
}

/** Carries out the plan for a deployment that is taken over. `resource`: the deployment, just read. */
export function applyTo(
  call: Call,
  { id, plan, resource }: { readonly id: string; readonly plan: Plan; readonly resource: Properties },
): Promise<Properties> {
  return carryOut(plannedUpdate(call, id, plan), resource);
}

function carryOut(update: Update, resource?: Properties): Promise<Properties> {
  const { call } = update;
  return call.reporting(call.run.updates, async () => {
    const doubt = await doubtAbout(update);
    if (doubt === undefined) return send(update, resource);
    const { rest, resource: current, made } = await resolved(update, doubt);
    if (!isEmpty(rest.body)) return send(rest);
    return finish({ ...rest, body: update.body }, current, made, revises(update) ? update : undefined);
  });
}

async function send(update: Update, resource?: Properties): Promise<Properties> {
  const { call, id, olds, news, rollout, body } = update;
  if (isEmpty(body) && rollout === "done") return unsentOutputs(olds, news);
  if (isEmpty(body)) {
    const current = resource ?? (await call.service.directory.fresh(id));
    return finish(update, { ...asResource(olds), ...current }, undefined);
  }
  const whole = await withUnmanaged(update);
  const sentAt = call.run.clock.now();
  const answer = await patch(update, whole, sentAt);
  const made = await keeping(update, answer, async () => {
    call.service.directory.remember(answer);
    const changed = changedMeanwhile(update, whole, answer);
    if (changed !== undefined) await call.warn(changed);
    return revisionMade(update, call.moment(sentAt), answer.latest_revision_id);
  });
  return finish(update, answer, made, update);
}

/** Says whether the plan was right, if one was carried out, and waits for the revision that the update made. */
async function finish(
  update: Update,
  resource: Properties,
  made: Made,
  planned?: Update,
): Promise<Properties> {
  const { olds, news, rollout, verdict } = update;
  const revision = made || undefined;
  const write = { ...update, revisionId: revision?.id };
  const current = revision === undefined ? resource : { ...resource, latest_revision_id: revision.id };
  return keeping(write, current, async () => {
    if (planned !== undefined) await proveThePlan(planned, made);
    // If the service names no revision yet, trust the plan.
    const isExpected = made === undefined ? verdict === "newRevision" : made !== false;
    if ((isExpected && waits(news)) || rollout === "resume") return awaitRollout(write, current, revision);
    return outputsOf(write, current, resting(olds, revision));
  });
}

/** How often to look for an update whose answer was lost. */
const LOOKS = 3;

/** Sends the PATCH, with a journal entry if it may make a revision. After a lost answer, looks for its result. */
function patch(update: Update, body: Properties, sentAt: number): Promise<Properties> {
  const { call, id, olds } = update;
  const { endpoints } = call.service;
  const intent = updateIntent(update);
  return call.sendOnce<Properties>({
    journalled: revises(update) ? { journal: call.run.updates, intent } : undefined,
    // The first of several tries may have made the revision.
    moment: () => ({ ...call.moment(), sentAt }),
    send: (beforeSending) => endpoints.updateDeployment(id, body, beforeSending),
    noteOf: answerNote,
    lost: {
      begin: (error) => call.tell(say.updateUncertain({ message: error.message })),
      looks: LOOKS,
      find: async (error, moment) => {
        // If the service fails all requests, one look per resource would only add to its load.
        if (endpoints.isFailing) throw error;
        return appliedUpdate(update, moment);
      },
      otherwise: "send again",
      explain: (failure) => {
        const reason = `it is not known whether the update was applied: ${sentence(failure.message)} The next up looks first, and makes no second revision`;
        const inDoubt = { ...olds, uncertainSince: sentAt, rolloutState: "unfinished" };
        return call.unfinished(id, inDoubt, reason, failure);
      },
    },
  });
}

/** The outputs after a change of arguments that are never sent. */
function unsentOutputs(olds: Properties, news: Properties): Properties {
  const reported = [
    ...Object.keys(deploymentOutputRows),
    "latestRevisionStatus",
    "rolloutState",
    "serviceUrl",
    ...NOTED,
  ];
  const entries = reported.filter((name) => name in olds).map((name) => [name, olds[name]]);
  return { ...Object.fromEntries(entries), ...news };
}

function asResource(olds: Properties): Properties {
  return {
    id: olds.id,
    latest_revision_id: olds.latestRevisionId,
    active_revision_id: olds.activeRevisionId,
  };
}
