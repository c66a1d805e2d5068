/** `update`: one PATCH at most, the proof that the plan was right, and the rollout. */
import { createdSinceInDoubt, type Made, revisionMadeBy } from "../attribution";
import { touchesRevision } from "../changes";
import type { Answered } from "../client/endpoints";
import { mayHaveBeenApplied } from "../client/errors";
import { describeChanges, sentence } from "../describe";
import { RefusedError, UnfinishedError } from "../failure";
import { deploymentOutputRows } from "../fields/deployment";
import { isProperties, type Properties, sameValue } from "../fields/value";
import { hiddenIn } from "../identity";
import { findRevision } from "../rollout";
import type { Session } from "../service";
import { awaitRollout, labelOf, lost, type Operation, settled, tell, waits, warn } from "./finish";
import { type Plan, planUpdate, refusalOf } from "./plan";
import { patchBody } from "./request";
import type { RolloutState } from "./state";

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
  return carryOut({ session, service, kind: "update", id, inputs: news }, olds, plan);
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
  const { answer, at } = await patch(operation, body, olds, plan, operation.session.clock.now());
  await service.directory.remember(answer.resource);
  let made: Made;
  try {
    made = await revisionMadeBy(
      service.endpoints,
      operation.session.clock,
      operation.id,
      olds.latestRevisionId,
      answer,
      at,
    );
    await proveThePlan(operation, olds, plan, made, answer.resource);
  } catch (error) {
    throw lost(operation, answer.resource, error);
  }
  if ((made.made && waits(inputs)) || plan.rollout === "resume")
    return awaitRollout(operation, answer.resource);
  return settled(operation, answer.resource, restingRollout(olds, made));
}

/** Only arguments that are never sent have changed: the rest of the state stays. */
function unsent(olds: Properties, inputs: Properties): Properties {
  const kept = [
    ...Object.keys(deploymentOutputRows),
    "latestRevisionStatus",
    "rolloutState",
    "serviceUrl",
    "__reported",
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

/** Set in the outputs while it is not known whether an update was applied: when it was sent, in ms since 1970. */
const UNCERTAIN_SINCE = "__uncertain";

/** An update that reached the service: what it answered, and when it was sent. */
interface Sent {
  readonly answer: Answered;
  readonly at: number;
}

/** The PATCH. When its answer is lost, a look at the service tells whether it was applied: it is never sent blindly again. */
async function patch(
  operation: Operation,
  body: Properties,
  olds: Properties,
  plan: Plan,
  sentAt: number,
): Promise<Sent> {
  const { service, session, inputs, id } = operation;
  const earlier = olds[UNCERTAIN_SINCE];
  if (typeof earlier === "number") {
    const found = await appliedAnyway(operation, body, olds, plan, earlier, 1);
    if (found !== undefined) return { answer: { resource: found, serviceTime: undefined }, at: earlier };
  }
  try {
    return { answer: await service.endpoints.updateDeployment(id, body), at: sentAt };
  } catch (error) {
    if (!mayHaveBeenApplied(error)) throw error;
    const lostAnswer = (error as Error).message;
    await tell(session, inputs, `it is not certain whether the update was applied (${lostAnswer}); looking`);
    return { answer: await settleTheDoubt(operation, body, olds, plan, sentAt), at: sentAt };
  }
}

/** Finds the update on the service, or sends it once more if it is not there; a doubt that stays is remembered. */
async function settleTheDoubt(
  operation: Operation,
  body: Properties,
  olds: Properties,
  plan: Plan,
  sentAt: number,
): Promise<Answered> {
  try {
    const found = await appliedAnyway(operation, body, olds, plan, sentAt, LOOKS);
    if (found !== undefined) return { resource: found, serviceTime: undefined };
    return await operation.service.endpoints.updateDeployment(operation.id, body);
  } catch (error) {
    const reason =
      `${labelOf(operation.inputs)}: it is not known whether the update was applied: ${sentence((error as Error).message)} ` +
      "The next up looks first, and makes no second revision";
    const asUncertain = { ...olds, [UNCERTAIN_SINCE]: sentAt, rolloutState: "unfinished" };
    throw new UnfinishedError(operation.id, asUncertain, reason, { cause: error });
  }
}

/** A request whose answer was lost may still be on its way; it is looked for this often, this far apart. */
const LOOKS = 3;
const BETWEEN_LOOKS_MS = 700;

async function appliedAnyway(
  operation: Operation,
  body: Properties,
  olds: Properties,
  plan: Plan,
  sentAt: number,
  looks: number,
): Promise<Properties | undefined> {
  const { service, session, id } = operation;
  for (let look = 0; look < looks; look += 1) {
    if (looks > 1) await session.clock.sleep(BETWEEN_LOOKS_MS);
    const resource = await service.directory.fresh(id);
    if (resource !== undefined && (await showsTheUpdate(operation, resource, body, olds, plan, sentAt)))
      return resource;
  }
  return undefined;
}

async function showsTheUpdate(
  operation: Operation,
  resource: Properties,
  body: Properties,
  olds: Properties,
  plan: Plan,
  sentAt: number,
): Promise<boolean> {
  if (
    !holds(resource.source_config, body.source_config) ||
    !holds(resource.source_revision_config, body.source_revision_config)
  )
    return false;
  if (plan.verdict === "inPlace") return true;
  const latest = resource.latest_revision_id;
  if (typeof latest === "string" && latest !== olds.latestRevisionId) {
    const { endpoints } = operation.service;
    return createdSinceInDoubt(endpoints, await findRevision(endpoints, operation.id, latest), sentAt);
  }
  // Without a new revision only an update that need not make one can have been applied, and secrets do not show.
  return false;
}

/** Whether the service holds what was sent, whatever else it has. */
function holds(live: unknown, sent: unknown): boolean {
  if (sent === undefined) return true;
  if (!isProperties(sent)) return sent === null ? live === null || live === undefined : sameValue(live, sent);
  return isProperties(live)
    ? Object.entries(sent).every(([name, value]) => holds(live[name], value))
    : Object.keys(sent).length === 0;
}

/** After the apply, the plan is held against what the service did. A difference is a fault of the table of classes. */
async function proveThePlan(
  operation: Operation,
  olds: Properties,
  plan: Plan,
  made: Made,
  resource: Properties,
): Promise<void> {
  const { session, inputs, service } = operation;
  const revision = `revision ${resource.latest_revision_id}`;
  const predicted = plan.verdict === "newRevision" ? true : plan.verdict === "mayRevise" ? undefined : false;
  if (predicted === undefined) {
    return tell(
      session,
      inputs,
      made.made
        ? `this update did create a new revision: ${resource.latest_revision_id}`
        : "this update created no new revision",
    );
  }
  if (predicted === made.made) {
    return tell(
      session,
      inputs,
      made.made
        ? `as planned, a new revision: ${resource.latest_revision_id}`
        : `as planned, no new revision (${revision} stays)`,
    );
  }
  const fields = describeChanges(
    predicted ? plan.changes.filter(touchesRevision) : plan.changes,
    hiddenIn(olds, inputs),
  );
  await warn(
    session,
    inputs,
    `NOT as planned: the plan said ${predicted ? "a new revision, but this update created none" : `no new revision, but this update created ${revision}`} (${fields}). ` +
      `The change class of these fields in profile "${service.connection.profile.name}" does not fit this service; ` +
      `correct it with profileOverrides.classes, e.g. {"classes": {"${plan.changes[0]?.path ?? ""}": "${predicted ? "inPlace" : "newRevision"}"}}`,
  );
}
