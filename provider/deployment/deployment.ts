/** The Deployment resource: check, diff, and the operations on the service. */

import type { Call, Checked, Diffed, Resource } from "../call";
import { CREATES } from "../diff/recorded";
import { format } from "../diff/sentences";
import {
  deploymentComputedRows,
  deploymentOutputRows,
  deploymentRows,
  revisionKeyRows,
  VARIABLE_MAPS,
} from "../schema/deployment";
import type { Arguments, Inputs, State } from "../schema/recorded";
import { isAbsent, UNKNOWN, withoutNulls } from "../schema/value";
import { previewedUpdate, updateDeployment } from "./apply";
import { COMPUTED, faultsOf, inputsFrom } from "./arguments";
import { adoptionAsked, announceAdoption, findAdoption, openAdoption } from "./create/adopt";
import { createDeployment } from "./create/create";
import { begunCreation } from "./create/recover";
import { destroyDeployment } from "./destroy";
import { serviceDoubts } from "./doubts";
import { hasChanges, keptWords, lineOf, type Plan, planCall, refusalOf } from "./plan";
import { readDeployment } from "./read";
import { meetingWords, replacedDeployment } from "./replaced";
import { creationRefusal, verificationRefusal } from "./rollout/proving";
import { afterRestore } from "./rollout/restore";
import { installationFaults, sourceDoubts, sourceFaults } from "./sourceRules";
import { createsName, hasName } from "./unique";
import { withOpenUpdate } from "./update/arrival";
import { lossWords } from "./variables";

async function check(call: Call, recorded: State | undefined, declared: Arguments): Promise<Checked> {
  const { profile } = call;
  const args = programArguments(declared);
  const creates = adoptionAsked(call, args) === false ? "creation" : "adoption";
  const faults = faultsOf(args, profile, call.hidden, recorded === undefined ? creates : "update", recorded);
  if (faults.length > 0) return { inputs: {}, failures: faults };
  const inputs = inputsFrom(recorded, args, profile);
  if (recorded !== undefined) return { inputs, failures: [], plan: planCall(call, recorded, inputs) };
  return { inputs, ...(await checkCreation(call, args, inputs)) };
}

/** Drops nulls, because null means that the argument is missing. Keeps null variables, which a later check refuses. */
const programArguments = (args: Arguments): Arguments =>
  Object.fromEntries(
    Object.entries(args)
      .filter(([name, value]) => !isAbsent(value) && !COMPUTED.includes(name))
      .map(([name, value]) => [name, VARIABLE_MAPS.includes(name) ? value : withoutNulls(value)]),
  );

/** Checks a creation. If an adoption is possible, the check reads the service and shows what will change. */
async function checkCreation(
  call: Call,
  args: Arguments,
  inputs: Inputs,
): Promise<Pick<Checked, "failures" | "plan">> {
  const open = await openAdoption(call, inputs);
  if (open !== undefined) return { failures: [], plan: open };
  const adoption = await findAdoption(call, inputs);
  if (adoption === undefined) {
    createsName(call, inputs);
    const addressless = creationRefusal(inputs);
    if (addressless !== undefined) return { failures: [{ path: ["rollout", "verify"], words: addressless }] };
    const failures = [...sourceFaults(args, call.profile, "creation"), ...installationFaults(args, call)];
    if (failures.length === 0) await warnOfSource(call, args);
    return { failures, plan: (await begunCreation(call, inputs)) ?? CREATES };
  }
  call.claim(adoption.id);
  hasName(call, inputs, inputs);
  await announceAdoption(call, adoption);
  const { verdict, changes } = adoption.plan;
  return { failures: [], plan: { verdict, adopts: adoption.id, changes } };
}

async function warnOfSource(call: Call, args: Arguments, state?: State): Promise<void> {
  const doubts = [...sourceDoubts(args, call.profile, state), ...serviceDoubts(call, args, state)];
  for (const words of doubts) await call.warn(words);
}

async function diff(call: Call, id: string, recorded: State, inputs: Inputs): Promise<Diffed> {
  call.confirm(id, recorded);
  const state = call.isPlan ? withFailure(call, await withOpenUpdate(call, id, recorded)) : recorded;
  const plan = planCall(call, state, inputs);
  if (call.isPlan) {
    noteForOthers(call, id, plan);
    await announce(call, id, plan);
  }
  return {
    changes: hasChanges(plan) || state.incomplete === true || lagsBehind(state, inputs),
    replaces: plan.replaces,
    deleteBeforeReplace: plan.deletesFirst,
    verdict: plan.verdict,
  };
}

/** The recorded state, marked `failed` if a Rollout noted the failure of a revision that no update waited for. */
function withFailure({ run }: Call, state: State): State {
  if (state.rolloutState !== "not awaited") return state;
  const status = run.failedRevisions.statusOf(state);
  return status === undefined ? state : { ...state, rolloutState: "failed", latestRevisionStatus: status };
}

/** Whether the recorded generation is out of date. If nothing else has changed, the update sends no request. */
function lagsBehind(state: State, { revisionGeneration }: Inputs): boolean {
  if (state.revisionGeneration === 0) return false;
  return typeof revisionGeneration === "number" && state.revisionGeneration !== revisionGeneration;
}

/** Notes which name and deployment the resource uses. Throws a RefusedError on a conflict with another resource. */
function noteForOthers(call: Call, id: string, plan: Plan): void {
  const { state, inputs, verdict } = plan;
  hasName(call, state, inputs);
  if (verdict === "replace" || verdict === "mayReplace") call.service.fleet.keepers.release(id, call.urn);
  // Without this claim, the deletion of another resource's leftover state entry could delete the deployment.
  else call.claim(id);
}

/** Throws a RefusedError if the plan must not be carried out. */
async function announce(call: Call, id: string, plan: Plan): Promise<void> {
  if (!hasChanges(plan)) {
    const { incomplete } = plan.state;
    const why = incomplete ? "finishes the update that failed" : "records its generation";
    if (incomplete || lagsBehind(plan.state, plan.inputs)) await call.tell(format.sendsNothing({ why }));
    return;
  }
  await call.tell(lineOf(plan, id, call.hidden));
  const refusal = refusalOf(plan, call.service.connection.newRevisions, call.hidden);
  const addressless = verificationRefusal(plan.otherwise ?? plan);
  if (addressless !== undefined) throw call.refuse(`rollout.verify ${addressless}`);
  if (refusal !== undefined) throw call.refuse(refusal);
  const keptWarning = keptWords(plan);
  if (keptWarning !== undefined) await call.warn(keptWarning);
  const lost = lossWords((plan.otherwise ?? plan).changes);
  if (lost !== undefined) await call.warn(lost);
  if (plan.verdict !== "replace") await warnOfSource(call, plan.inputs, plan.state);
  const meeting = meetingWords(plan, id);
  if (meeting !== undefined) await call.warn(meeting);
}

/** The plugin's output `revisionKey`, which tells other resources that the deployment has a new revision. */
function revisionKey(id: string, outputs: State): State {
  const { revisionGeneration, latestRevisionId } = outputs;
  // A deployment that the program only reads has no generation.
  const revision = revisionGeneration === 0 ? (latestRevisionId ?? "none") : revisionGeneration;
  return { revisionKey: id === "" || revision === UNKNOWN ? UNKNOWN : `${id}:${revision}` };
}

export const deployment: Resource = {
  kind: "deployment",
  rows: deploymentRows,
  outputRows: { ...deploymentOutputRows, ...deploymentComputedRows, ...revisionKeyRows },
  reported: [...Object.keys(deploymentOutputRows), "latestRevisionStatus"],
  check,
  diff,
  replaced: replacedDeployment,
  derived: revisionKey,
  create: createDeployment,
  read: readDeployment,
  update: async (call, id, recorded, inputs) => {
    call.confirm(id, recorded);
    const current = call.isPlan ? recorded : await afterRestore(call, id, recorded, inputs);
    const state = withFailure(call, await withOpenUpdate(call, id, current));
    if (call.isPlan) return previewedUpdate(call, id, state, inputs);
    const outputs = await call.reportResult(id, () => updateDeployment(call, id, state, inputs));
    call.run.failedRevisions.forget(recorded);
    return outputs;
  },
  delete: async (call, id, state) => {
    call.confirm(id, state);
    await destroyDeployment(call, id, state);
    await call.dropUpdates(id);
  },
};
