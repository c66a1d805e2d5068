/** `update`: one PATCH at most, the proof that the plan was right, and the rollout. */
import { type Made, revisionMadeBy } from "../attribution";
import { RefusedError } from "../failure";
import { deploymentOutputRows } from "../fields/deployment";
import type { Properties } from "../fields/value";
import type { Session } from "../service";
import { patch, type Sent, showsTheUpdate } from "./doubt";
import { awaitRollout, labelOf, lost, type Operation, settled, waits } from "./finish";
import { type Plan, planUpdate, refusalOf } from "./plan";
import { proveThePlan } from "./proof";
import { patchBody } from "./request";
import {
  BASELINE,
  isDoubtful,
  type RolloutState,
  refreshedArguments,
  type Told,
  UNCERTAIN_SINCE,
} from "./state";

/** The new outputs of the deployment. */
export async function updateDeployment(
  session: Session,
  id: string,
  olds: Properties,
  news: Properties,
): Promise<Properties> {
  const service = session.serviceOf(olds);
  const { profile, newRevisions } = service.connection;
  const plan = planUpdate(olds, news, profile);
  const refusal = refusalOf(plan, olds, news, profile, newRevisions);
  if (refusal !== undefined) throw new RefusedError(refusal);
  const operation: Operation = {
    session,
    service,
    kind: "update",
    id,
    inputs: news,
    told: nothingTold(olds),
  };
  return isDoubtful(olds) ? carryOutInDoubt(operation, olds, plan) : carryOut(operation, olds, plan);
}

function nothingTold(olds: Properties): Told {
  return { body: {}, olds, revisionId: undefined };
}

/**
 * The answer to the last update was lost. If the service shows that this update is already there, it is done; else what
 * the service has now decides what is left to do.
 */
async function carryOutInDoubt(operation: Operation, olds: Properties, plan: Plan): Promise<Properties> {
  const { service, inputs, id } = operation;
  const { profile, newRevisions } = service.connection;
  const resource = await service.directory.fresh(id);
  if (resource === undefined) {
    throw new RefusedError(
      `${labelOf(inputs)}: the service no longer has it (id ${id}). Run \`pulumi refresh\``,
    );
  }
  const since = olds[UNCERTAIN_SINCE] as number;
  const body = patchBody(olds, inputs, plan, profile);
  if (body !== undefined && (await showsTheUpdate(operation, resource, body, olds, plan, since))) {
    return finish({ ...operation, told: { ...operation.told, body } }, olds, plan, {
      answer: { resource, serviceTime: undefined },
      at: since,
    });
  }
  const { [UNCERTAIN_SINCE]: _doubt, ...recorded } = olds;
  const found = {
    ...refreshedArguments(recorded, resource, profile),
    latestRevisionId: resource.latest_revision_id,
  };
  const left = planUpdate(found, inputs, profile);
  const refusal = refusalOf(left, found, inputs, profile, newRevisions);
  if (refusal !== undefined) throw new RefusedError(refusal);
  return carryOut({ ...operation, told: nothingTold(found) }, found, left);
}

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
  { answer, at }: Sent,
): Promise<Properties> {
  const { session, service, inputs, id } = operation;
  await service.directory.remember(answer.resource);
  const made = await revisionMadeBy(service.endpoints, session.clock, id, olds.latestRevisionId, answer, at);
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

function restingRollout(olds: Properties, made: Made): { status: string | undefined; state: RolloutState } {
  if (made.revision !== undefined)
    return { status: made.revision.status as string | undefined, state: "not awaited" };
  return {
    status: olds.latestRevisionStatus as string | undefined,
    state: (olds.rolloutState as RolloutState | undefined) ?? "not awaited",
  };
}
