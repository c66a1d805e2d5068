/**
 * An update after one that was left in doubt: the service is looked at before anything is sent. What the earlier one
 * provably made is taken over, and what the service has now decides what is left to do.
 */

import type { Call } from "../../call";
import type { Properties } from "../../fields/value";
import { lookUntil } from "../../journal/moment";
import { say } from "../../verdict/sentences";
import { findRevision } from "../../waiting/revisions";
import { keeping, resting, settled } from "../operation";
import { planUpdate, revises } from "../plan";
import { isEmpty } from "../request";
import { awaitRollout } from "../rollout/await";
import { carryOut } from "./carryOut";
import type { Doubt } from "./interrupted";
import { noteOf, type Shown, showsTheUpdate } from "./patch";
import { operationOf, type Update, updateOf } from "./plannedUpdate";
import { proveThePlan } from "./proof";
import { type Look, stateAfter } from "./stateAfter";

/** Carries out what is left to do once the service has been looked at. */
export async function resume(update: Update, doubt: Doubt): Promise<Properties> {
  const { call, id, news } = update;
  const look = await lookFor(call, id, doubt);
  const left = updateOf(
    call,
    id,
    planUpdate(stateAfter(update, doubt, look), news, call.profile, call.retained),
  );
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

function wordsOfTheRest({ secretNames }: Doubt, { shown, resource }: Look): string {
  if (shown === undefined) return say.updateNotProven();
  const reached = { id: resource.latest_revision_id };
  return secretNames === undefined ? say.restIsSent(reached) : say.restAndSecretsAreSent(reached);
}

/** Looks until the update is there, or can no longer arrive. */
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

/** Nothing is left to send: what the service has is recorded, and its rollout awaited. */
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
