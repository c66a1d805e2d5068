/** A plan is carried out on a deployment that exists: one PATCH at most, the proof that the plan was right, and the rollout. */

import { deploymentOutputRows } from "../../fields/deployment";
import type { Properties } from "../../fields/value";
import type { Plan } from "../plan";
import { patchBody } from "../request";
import { awaitRollout, lost, type Operation, settled, waits } from "../rollout/await";
import { BASELINE, type Rollout, type RolloutState } from "../state";
import { type Made, revisionMadeBy } from "./attribution";
import { patch, type Sent } from "./patch";
import { proveThePlan } from "./proof";

/** Carries out a plan on a deployment that exists: of an update, or of an adoption. */
export async function carryOut(operation: Operation, olds: Properties, plan: Plan): Promise<Properties> {
  const { inputs, service } = operation;
  const body = patchBody(olds, inputs, plan, service.connection.profile);
  if (body === undefined) {
    if (plan.rollout === "done") return unsent(olds, inputs);
    return awaitRollout(operation, {
      ...asResource(olds),
      ...((await service.directory.fresh(operation.id)) ?? {}),
    });
  }
  const told = { ...operation.told, body };
  const sent = await patch(operation, body, olds, plan, operation.session.clock.now());
  return finish({ ...operation, told }, olds, plan, sent);
}

/** After the PATCH: the proof of the plan, then the rollout if there is one to await. */
async function finish(operation: Operation, olds: Properties, plan: Plan, sent: Sent): Promise<Properties> {
  try {
    return await proveAndAwait(operation, olds, plan, sent);
  } catch (error) {
    throw lost(operation, sent.answer.resource, error);
  }
}

async function proveAndAwait(
  operation: Operation,
  olds: Properties,
  plan: Plan,
  { answer, at, made: seen }: Sent,
): Promise<Properties> {
  const { session, service, inputs, id } = operation;
  await service.directory.remember(answer.resource);
  const made =
    seen ?? (await revisionMadeBy(service.endpoints, session.clock, id, olds.latestRevisionId, answer, at));
  await proveThePlan(operation, olds, plan, made, answer.resource);
  // A service that names no revision yet will, where the plan is right.
  const expected = made.made ?? plan.verdict === "newRevision";
  const revisionId = made.made ? answer.resource.latest_revision_id : undefined;
  const proven = { ...operation, told: { ...operation.told, revisionId } };
  if ((expected && waits(inputs)) || plan.rollout === "resume") return awaitRollout(proven, answer.resource);
  return settled(proven, answer.resource, restingRollout(olds, made));
}

/** Only arguments that are never sent have changed: the rest of the state stays. */
function unsent(olds: Properties, inputs: Properties): Properties {
  const kept = [
    ...Object.keys(deploymentOutputRows),
    "latestRevisionStatus",
    "rolloutState",
    "serviceUrl",
    ...BASELINE,
  ];
  return {
    ...Object.fromEntries(kept.filter((name) => name in olds).map((name) => [name, olds[name]])),
    ...inputs,
  };
}

function asResource(olds: Properties): Properties {
  return {
    id: olds.id,
    latest_revision_id: olds.latestRevisionId,
    active_revision_id: olds.activeRevisionId,
  };
}

/** How the rollout stands that is not awaited. */
export function restingRollout(olds: Properties, made: Made | undefined): Rollout {
  if (made?.revision !== undefined)
    return { status: made.revision.status as string | undefined, state: "not awaited" };
  return {
    status: olds.latestRevisionStatus as string | undefined,
    state: (olds.rolloutState as RolloutState | undefined) ?? "not awaited",
  };
}
