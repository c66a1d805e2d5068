/**
 * Applies an update: settles any doubt about the last update, sends at most one PATCH and one call that makes a
 * revision, compares the effect with the plan, and waits for the rollout.
 */
import type { Call } from "../call";
import { type Inputs, type State, stateOf } from "../schema/recorded";
import { type Properties, unknowns } from "../schema/value";
import { isInput } from "./arguments";
import { type Plan, revises } from "./plan";
import { allowedUpdate, isEmpty, plannedUpdate, type Update } from "./request";
import { awaitRollout } from "./rollout/await";
import { restore } from "./rollout/restore";
import { deploymentOutputs, keepOnFailure, keepPart, unawaitedRollout, waits } from "./state";
import { type NewRevision, openUpdate, refuseGone, resumeUpdate } from "./update/arrival";
import { proveThePlan } from "./update/proof";
import { sendUpdate } from "./update/send";

/** Updates the deployment. Returns its new outputs. */
export async function updateDeployment(call: Call, id: string, state: State, inputs: Inputs): Promise<State> {
  return carryOut(allowedUpdate({ call, id, state, inputs }));
}

/** Outputs that change with a new revision. */
const OF_A_REVISION = [
  "latestRevisionId",
  "latestRevisionStatus",
  "lastGood",
  "activeRevisionId",
  "imageVersion",
  "repoCommitSha",
  "rolloutState",
  "status",
];

/** The update's outputs for the preview. Outputs that only the update's requests can show are unknown. */
export function previewedUpdate(call: Call, id: string, state: State, inputs: Inputs): State {
  const update = allowedUpdate({ call, id, state, inputs });
  const { changes, body, rollout } = update;
  const outputs = unsentOutputs(state, inputs);
  if (isEmpty(body) && rollout === "done" && !changes.some(({ unknown }) => unknown)) return outputs;
  const address = changes.some(({ path }) => "sourceConfig.customUrl".startsWith(path)) ? ["url"] : [];
  const revision = revises(update) || rollout !== "done" ? OF_A_REVISION : [];
  return { ...outputs, ...unknowns(["updatedAt", ...address, ...revision]) };
}

/** Carries out the plan for a deployment that the program takes over. `resource`: the freshly read deployment. */
export function applyTo(
  call: Call,
  { id, plan, resource }: { readonly id: string; readonly plan: Plan; readonly resource: Properties },
): Promise<State> {
  return call.reportResult(id, () => carryOut(plannedUpdate(call, id, plan), resource));
}

async function carryOut(update: Update, resource?: Properties): Promise<State> {
  const sent = await openUpdate(update);
  const observation = sent && (await resumeUpdate(update, sent));
  if (observation === undefined) return send(update, resource);
  const { rest, resource: current, newRevision } = observation;
  if (isEmpty(rest.body))
    return finish({ ...rest, body: update.body }, current, newRevision, revises(update) ? update : undefined);
  const sendRest = () => send(rest, current);
  return newRevision === undefined
    ? sendRest()
    : keepPart(rest, rest.state, "has the interrupted update, but not the rest of the changes", sendRest);
}

async function send(update: Update, resource?: Properties): Promise<State> {
  const { call, id, state, inputs, changes, rollout, body } = update;
  if (isEmpty(body)) {
    const isKept = changes.some(({ effect }) => effect === "kept");
    if (rollout === "done" && !isKept) return unsentOutputs(state, inputs);
    const current = resource ?? (await call.service.directory.fresh(id)) ?? refuseGone(update);
    return finish(update, current, undefined);
  }
  const sentUpdate = await sendUpdate(update, resource);
  return finish(sentUpdate.update, sentUpdate.resource, sentUpdate.newRevision, sentUpdate.update);
}

/** Reports whether `planToProve`, if given, was right. Then waits for the revision that the update made. */
async function finish(
  update: Update,
  resource: Properties,
  newRevision: NewRevision,
  planToProve?: Update,
): Promise<State> {
  const { state, inputs, rollout, verdict } = update;
  const revision = newRevision || undefined;
  const write = { ...update, made: newRevision === undefined ? undefined : newRevision !== false };
  const current = revision === undefined ? resource : { ...resource, latest_revision_id: revision.id };
  return keepOnFailure(write, current, async () => {
    if (planToProve !== undefined) await proveThePlan(planToProve, newRevision);
    // If the service names no revision yet, the plan decides whether to wait for a revision.
    const isExpected = newRevision === undefined ? verdict === "newRevision" : newRevision !== false;
    if ((isExpected && waits(inputs)) || rollout === "resume")
      return awaitRollout(write, current, revision, (failed) => restore(write, failed));
    return deploymentOutputs(write, current, unawaitedRollout(state, revision));
  });
}

/** The outputs of an update that sends nothing to the service. */
function unsentOutputs({ incomplete: _finished, proof: _earlier, ...state }: State, inputs: Inputs): State {
  const outputs = Object.entries(state).filter(([name]) => !isInput(name));
  return stateOf(inputs, Object.fromEntries(outputs));
}
