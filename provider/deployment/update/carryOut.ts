/** Carries out an update: at most one PATCH, the proof that the plan was right, and the rollout. */
import { deploymentOutputRows } from "../../fields/deployment";
import type { Properties } from "../../fields/value";
import { touchesRevision } from "../../verdict/changes";
import { correctionOf, describeChanges } from "../../verdict/describe";
import { say } from "../../verdict/sentences";
import { begun, keeping, type Operation, resting, settled, waits } from "../operation";
import { isEmpty } from "../request";
import { awaitRollout } from "../rollout/await";
import { NOTED } from "../state";
import { type Made, revisionMadeBy } from "./attribution";
import { isProven, latestBefore, noteLook } from "./evidence";
import { patch, type Sent } from "./patch";
import { operationOf, type Update } from "./plannedUpdate";

/** Carries out the update; returns the new outputs. `resource`: the deployment where it was just read. */
export async function carryOut(update: Update, resource?: Properties): Promise<Properties> {
  const { call, id, olds, news, rollout, body } = update;
  const operation = operationOf(update);
  if (isEmpty(body)) {
    if (rollout === "done") return unsent(olds, news);
    const now = resource ?? (await call.service.directory.fresh(id));
    return awaitRollout(operation, { ...asResource(olds), ...now });
  }
  const before = await latestBefore(update);
  const sent = await patch(update, call.run.clock.now());
  return keeping(operation, sent.answer.resource, () => proveAndAwait(update, operation, sent, before));
}

async function proveAndAwait(
  update: Update,
  operation: Operation,
  sent: Sent,
  before: unknown,
): Promise<Properties> {
  const { call, verdict, rollout, news } = update;
  const { resource } = sent.answer;
  await call.service.directory.remember(resource);
  const made = sent.made ?? (await madeBy(update, sent, before));
  await proveThePlan(update, made, resource);
  // A service that names no revision yet will name one if the plan is right.
  const expected = made.made ?? verdict === "newRevision";
  const proven = { ...operation, revisionId: made.made ? resource.latest_revision_id : undefined };
  if ((expected && waits(news)) || rollout === "resume") return awaitRollout(proven, resource);
  const isUnread = made.made === true && made.revision === undefined;
  return settled(proven, resource, isUnread ? begun(news) : resting(operation, made.revision));
}

async function madeBy(update: Update, { answer, at }: Sent, before: unknown): Promise<Made> {
  const { call, id, olds } = update;
  if (isProven(update, answer.resource, before)) return { made: true, revision: undefined };
  const { endpoints } = call.service;
  const made = await revisionMadeBy(endpoints, call.run.clock, id, olds.latestRevisionId, answer, at);
  if (made.made === true) noteLook(update);
  return made;
}

/** The state after a change of arguments that are never sent. */
function unsent(olds: Properties, inputs: Properties): Properties {
  const kept = [
    ...Object.keys(deploymentOutputRows),
    "latestRevisionStatus",
    "rolloutState",
    "serviceUrl",
    ...NOTED,
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

/** Compares the plan with what the service did. A difference is a fault of the table of change classes. */
export async function proveThePlan(update: Update, { made }: Made, resource: Properties): Promise<void> {
  const { call, verdict } = update;
  if (made === undefined) return;
  const id = resource.latest_revision_id;
  if (verdict === "mayRevise") return call.tell(made ? say.didRevise({ id }) : say.didNotRevise());
  const predicted = verdict === "newRevision";
  if (predicted !== made) return call.warn(refutation(update, predicted, id));
  return call.tell(made ? say.revisionAsPlanned({ id }) : say.noRevisionAsPlanned({ id }));
}

function refutation({ call, changes }: Update, predicted: boolean, id: unknown) {
  const fields = describeChanges(predicted ? changes.filter(touchesRevision) : changes, call.hidden);
  const rightClass = predicted ? "inPlace" : "newRevision";
  const advice = correctionOf(call.profile.name, changes[0]?.path ?? "", rightClass);
  return predicted ? say.revisionMissing({ fields, advice }) : say.revisionUnplanned({ id, fields, advice });
}
