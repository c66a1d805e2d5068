/**
 * An update after one that was left in doubt. It reads the service before it sends anything, takes over what the earlier
 * update provably made, and sends what is left.
 */

import { randomUUID } from "node:crypto";
import type { Call } from "../../call";
import { isProperties, laidOver, type Properties, sameValue } from "../../fields/value";
import { lookUntil } from "../../journal/moment";
import { say } from "../../verdict/sentences";
import { findRevision } from "../../waiting/revisions";
import { FORCING } from "../intent";
import { begun, keeping, resting, settled } from "../operation";
import { planUpdate, revises } from "../plan";
import { isEmpty } from "../request";
import { awaitRollout } from "../rollout/await";
import { refreshedState, shownSecrets } from "../state";
import { carryOut, proveThePlan } from "./carryOut";
import type { Doubt } from "./interrupted";
import { noteOf, type Shown, showsTheUpdate } from "./patch";
import { operationOf, type Update, updateOf } from "./plannedUpdate";

/** Reads the service, then carries out what is left. */
export async function resume(update: Update, doubt: Doubt): Promise<Properties> {
  const { call, id, news } = update;
  const look = await lookFor(call, id, doubt);
  const left = updateOf(call, id, planUpdate(stateAfter(update, doubt, look), news, call.profile, call));
  if (doubt.entry !== undefined) call.run.updates.inherit(doubt.entry.file, doubt.entry.entry);
  if (look.shown !== undefined && doubt.answer === undefined)
    await call.run.updates.answered(call.key, noteOf(look.resource));
  if (isEmpty(left.body)) {
    if (look.shown !== undefined)
      await call.tell(say.updateTakenOver({ id: look.resource.latest_revision_id }));
    return settleFound(update, left, look);
  }
  if (doubt.entry !== undefined) await call.tell(wordsOfTheRest(doubt, look));
  return carryOut(left);
}

function wordsOfTheRest({ secretNames }: Doubt, { shown, resource }: Look) {
  if (shown === undefined) return say.updateNotProven();
  const reached = { id: resource.latest_revision_id };
  return secretNames === undefined ? say.restIsSent(reached) : say.restAndSecretsAreSent(reached);
}

/** Reads the deployment until it shows the update, or the update can no longer arrive. */
async function lookFor(call: Call, id: string, doubt: Doubt): Promise<Look> {
  const { clock } = call.run;
  let resource: Properties | undefined;
  let isSaid = false;
  const shown = await lookUntil(clock, doubt.overAt, async () => {
    resource = await call.service.directory.fresh(id);
    if (resource === undefined)
      throw call.refuse(`the service no longer has it (id ${id}). Run \`pulumi refresh\``);
    const seen = await shownBy(call, id, resource, doubt);
    const seconds = Math.ceil((doubt.overAt - clock.now()) / 1000);
    if (seen === undefined && !isSaid && seconds > 0) {
      isSaid = true;
      await call.tell(say.updateMayArrive({ seconds }));
    }
    return seen;
  });
  return { resource: resource as unknown as Properties, shown };
}

async function shownBy(
  call: Call,
  id: string,
  resource: Properties,
  { trace, answer }: Doubt,
): Promise<Shown | undefined> {
  if (trace === undefined) return undefined;
  if (answer === undefined) return showsTheUpdate(call, id, resource, trace);
  const latest = resource.latest_revision_id;
  if (typeof latest !== "string" || latest === trace.before)
    return { made: { made: false, revision: undefined } };
  return { made: { made: true, revision: await findRevision(call.service.endpoints, id, latest) } };
}

/** Nothing is left to send: records what the service has and waits for its rollout. */
async function settleFound(update: Update, left: Update, { resource, shown }: Look): Promise<Properties> {
  const made = shown?.made;
  const revisionId = made?.made ? resource.latest_revision_id : undefined;
  const proven = { ...operationOf(update), revisionId };
  return keeping(proven, resource, async () => {
    if (made !== undefined && revises(update)) await proveThePlan(update, made, resource);
    if (left.rollout === "resume") return awaitRollout(proven, resource);
    return settled(proven, resource, resting(operationOf(left), made?.revision));
  });
}

/** What the service shows. */
interface Look {
  readonly resource: Properties;
  readonly shown: Shown | undefined;
}

/** The state from which the update continues. */
function stateAfter(update: Update, doubt: Doubt, look: Look): Properties {
  return { ...refreshedSince(update, doubt, look), ...secretsAfter(update, doubt, look) };
}

/** The state as an uninterrupted run and a refresh would have left it. */
function refreshedSince(
  { call, olds, news }: Update,
  { sent, answer }: Doubt,
  { resource, shown }: Look,
): Properties {
  const { uncertainSince: _doubt, ...recorded } = olds;
  const latest = resource.latest_revision_id;
  const isItsOwn = answer === undefined || answer === latest;
  const before = shown !== undefined && isItsOwn ? laidOver(recorded, sent) : recorded;
  const state: Properties = {
    ...refreshedState(before as Properties, resource, call.profile),
    latestRevisionId: latest,
  };
  if (shown !== undefined) for (const name of FORCING) state[name] = sent[name];
  // A revision never changes: what the service shows of its settings is the resolved form of what was sent.
  if (typeof latest === "string" && answer === latest)
    state.sourceRevisionConfig = laidOver(state.sourceRevisionConfig, sent.sourceRevisionConfig);
  if (shown?.made?.made !== true && latest === olds.latestRevisionId) return state;
  return { ...state, latestRevisionStatus: null, rolloutState: begun(news).state };
}

/**
 * The secrets that the service has after an update of them: those of the program where it shows just these, or where the
 * update was applied and the journal proves what it sent. Else nobody knows: they count as changed.
 */
function secretsAfter(
  { call, olds, news }: Update,
  { secretNames, secrets }: Doubt,
  { resource, shown }: Look,
): Properties {
  if (secretNames === undefined) return {};
  const [live, wanted, before] = [shownSecrets(resource, call.profile), news.secrets, olds.secrets].map(
    (each) => (isProperties(each) ? each : {}),
  ) as [Properties, Properties, Properties];
  const names = Object.keys(live);
  const allRemoved = shown !== undefined && secretNames.length === 0 && Object.keys(wanted).length === 0;
  if (names.length > 0 ? sameValue(live, wanted) : allRemoved) return { secrets: news.secrets };
  const unknown = randomUUID();
  const possible = [...names, ...(shown === undefined ? Object.keys(before) : []), ...secretNames];
  const sent = shown === undefined ? {} : secrets;
  return { secrets: Object.fromEntries(possible.map((name) => [name, sent[name] ?? unknown])) };
}
