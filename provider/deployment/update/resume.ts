/**
 * An update after one that was left in doubt: the service is looked at before anything is sent. What the earlier one
 * provably made is taken over, and what the service has now decides what is left to do.
 */
import { RefusedError } from "../../failure";
import type { Properties } from "../../fields/value";
import { lookUntil } from "../../journal/moment";
import { findRevision } from "../../waiting/revisions";
import { type Plan, planUpdate, refusalOf, revises } from "../plan";
import { patchBody } from "../request";
import { awaitRollout, labelOf, lost, type Operation, settled, tell } from "../rollout/await";
import { carryOut, restingRollout } from "./carryOut";
import type { Doubt } from "./interrupted";
import { noteAnswer, type Shown, showsTheUpdate } from "./patch";
import { proveThePlan } from "./proof";
import { type Look, stateAfter } from "./stateAfter";

/** Carries out what is left to do once the service has been looked at. */
export async function carryOutInDoubt(
  operation: Operation,
  olds: Properties,
  plan: Plan,
  doubt: Doubt,
): Promise<Properties> {
  const { service, session, inputs } = operation;
  const { profile, newRevisions } = service.connection;
  const look = await lookFor(operation, doubt);
  const { resource, shown } = look;
  const found = stateAfter(operation, olds, doubt, look);
  const left = planUpdate(found, inputs, profile);
  const refusal = refusalOf(left, found, inputs, profile, newRevisions);
  if (refusal !== undefined) throw new RefusedError(refusal);
  if (doubt.entry !== undefined) session.updates.goOn(doubt.entry.file, doubt.entry.entry);
  if (shown !== undefined && doubt.answer === undefined) await noteAnswer(operation, resource);
  if (patchBody(found, inputs, left, profile) === undefined) {
    if (shown !== undefined)
      await tell(
        session,
        inputs,
        `the interrupted update has reached the service (revision ${resource.latest_revision_id}): it is taken over, and not sent again`,
      );
    return takeOver(operation, olds, found, plan, left, look);
  }
  if (doubt.entry !== undefined) await tell(session, inputs, wordsOfTheRest(doubt, look));
  return carryOut({ ...operation, told: { body: {}, olds: found, revisionId: undefined } }, found, left);
}

function wordsOfTheRest({ secretNames }: Doubt, { resource, shown }: Look): string {
  if (shown === undefined)
    return "an earlier run was interrupted at an update that the service does not provably have; sending what is left of it";
  const why =
    secretNames === undefined
      ? "what it lacks of the program is sent"
      : "what it lacks of the program is sent, secrets among it unless their values can be read";
  return `the interrupted update has reached the service (revision ${resource.latest_revision_id}); ${why}`;
}

/** Looks until the update is there, or can no longer arrive. */
async function lookFor(operation: Operation, doubt: Doubt): Promise<Look> {
  const { session, service, inputs, id } = operation;
  const { clock } = session;
  let resource: Properties | undefined;
  let told = false;
  const shown = await lookUntil(clock, doubt.overAt, async () => {
    resource = await service.directory.fresh(id);
    if (resource === undefined) {
      throw new RefusedError(
        `${labelOf(inputs)}: the service no longer has it (id ${id}). Run \`pulumi refresh\``,
      );
    }
    const seen = await shownBy(operation, resource, doubt);
    const seconds = Math.ceil((doubt.overAt - clock.now()) / 1000);
    if (seen === undefined && !told && seconds > 0) {
      told = true;
      await tell(
        session,
        inputs,
        `an earlier run was interrupted at an update, and its request may still arrive: waiting ${seconds} s at most`,
      );
    }
    return seen;
  });
  return { resource: resource as unknown as Properties, shown };
}

async function shownBy(
  operation: Operation,
  resource: Properties,
  { trace, answer }: Doubt,
): Promise<Shown | undefined> {
  if (trace === undefined) return undefined;
  if (answer === undefined) return showsTheUpdate(operation, resource, trace);
  const latest = resource.latest_revision_id;
  if (typeof latest !== "string" || latest === trace.before)
    return { made: { made: false, revision: undefined } };
  return {
    made: { made: true, revision: await findRevision(operation.service.endpoints, operation.id, latest) },
  };
}

/** Nothing is left to send: what the service has is recorded, and its rollout awaited. */
async function takeOver(
  operation: Operation,
  olds: Properties,
  found: Properties,
  plan: Plan,
  left: Plan,
  { resource, shown }: Look,
): Promise<Properties> {
  const { inputs, service } = operation;
  const made = shown?.made;
  const body = patchBody(olds, inputs, plan, service.connection.profile) ?? {};
  const revisionId = made?.made ? resource.latest_revision_id : undefined;
  const proven = { ...operation, told: { body, olds, revisionId } };
  try {
    if (made !== undefined && revises(plan)) await proveThePlan(proven, olds, plan, made, resource);
    if (left.rollout === "resume") return await awaitRollout(proven, resource);
    return settled(proven, resource, restingRollout(found, made));
  } catch (error) {
    throw lost(proven, resource, error);
  }
}
