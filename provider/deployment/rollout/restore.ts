/** `onFailure: "restore"`: resends the arguments that applied before the failed update. The update still fails. */

import type { Call } from "../../call";
import { format } from "../../diff/sentences";
import type { UnfinishedError } from "../../failure";
import type { Inputs, State } from "../../schema/recorded";
import { printable } from "../../schema/secrecy";
import { forbiddenBy, inputsIn } from "../arguments";
import { sentBy, UNSENT } from "../intent";
import { planCall } from "../plan";
import { hasEndedWell } from "../record";
import { plannedUpdate, type Update } from "../request";
import { deploymentOutputs, type Write } from "../state";
import { lookFor } from "../update/arrival";
import { sendUpdate } from "../update/send";
import { withAltered } from "../variables";
import { awaitRollout } from "./await";
import { type RolloutEnd, rollOut, storyOf } from "./proving";

/**
 * Sends the earlier arguments, waits, and throws an UnfinishedError that says how the restored revision's rollout
 * ended. If nothing was restored, returns words to append to the failed rollout's error.
 */
export async function restore(write: Write, failed: RolloutEnd): Promise<string> {
  const { call, state, before = state, inputs } = write;
  const { revisionId: id, status } = failed;
  const nothing = ` onFailure is "restore", but nothing was restored, since`;
  const forbidden = forbiddenBy(inputs, call.service.connection.newRevisions);
  if (forbidden !== undefined) return `${nothing} ${forbidden}.`;
  if (!hasEndedWell(before))
    return `${nothing} the state does not record that the rollout before this update was deployed.`;
  const update = restoringUpdate(write, failed, before);
  const lost = update.changes.filter(({ after, effect }) => typeof after === "symbol" || effect === "kept");
  const paths = lost.map(({ path }) => printable(path));
  if (paths.length > 0) return `${nothing} this cannot be brought back: ${paths.join(", ")}.`;
  const good = before.latestRevisionId;
  await call.tell(format.restores({ id, status, good }));
  const story = `${storyOf(failed)} The settings of the last good revision, ${good}, were restored`;
  const end = await sendRestoring(update, failed, story).catch((error: Error) => error.message);
  if (typeof end === "string") return ` Restoring the settings of revision ${good} failed too: ${end}`;
  throw end;
}

/** The inputs before the failed update. Arguments that are never sent keep the program's values. */
const inputsBefore = (before: State, inputs: Inputs): Inputs => ({
  ...inputsIn(withAltered(before)),
  ...Object.fromEntries(UNSENT.map((name) => [name, inputs[name]])),
  revisionGeneration: inputs.revisionGeneration,
});

function restoringUpdate(write: Write, failed: RolloutEnd, before: State): Update {
  const { call, id, inputs } = write;
  const { resource, status } = failed;
  const state = deploymentOutputs(write, resource, { status, state: "not awaited" });
  const plan = planCall(call, state, inputsBefore(before, inputs));
  const remade = { ...plan, rollout: "remake", verdict: "newRevision" } as const;
  // The restored revision differs from the failed revision and from the latest revision before the failed update.
  const formerRevisions = [failed.revisionId, before.latestRevisionId];
  return { ...plannedUpdate(call, id, remade), purpose: "restore", known: formerRevisions };
}

/** Records the restored revision's settings, so the next plan shows the failed change again. */
async function sendRestoring(write: Update, failed: RolloutEnd, story: string): Promise<UnfinishedError> {
  const { call, id } = write;
  const { resource, newRevision } = await sendUpdate(write, failed.resource);
  if (newRevision === false) throw new Error("the service made no revision.");
  const current = newRevision === undefined ? resource : { ...resource, latest_revision_id: newRevision.id };
  const rolloutEnd = await rollOut(write, current, newRevision);
  const { end, status, revisionId } = rolloutEnd;
  const [rolloutState, how, lastGood] =
    end === "deployed"
      ? (["deployed", `deployed as revision ${revisionId}.`, revisionId] as const)
      : ([end === "failed" ? "failed" : "unfinished", storyOf(rolloutEnd), undefined] as const);
  const words = `${story}: ${how}${failed.endOfLog}${rolloutEnd.endOfLog}`;
  const outputs = deploymentOutputs(write, rolloutEnd.resource, { status, state: rolloutState, lastGood });
  await call.run.journal.reported(call.key("restore", id), outputs);
  return call.unfinished(id, outputs, words);
}

/**
 * The state after an earlier run was killed during a restore. If the restore took effect, the failed update counts as
 * never sent, and this run waits for the restored revision.
 */
export async function afterRestore(call: Call, id: string, state: State, inputs: Inputs): Promise<State> {
  const { journal } = call.run;
  const attempt = await journal.get(call.key("restore", id));
  if (attempt === undefined) return state;
  const observation = await lookFor(call, id, sentBy(attempt, { call, inputs }));
  const revision = observation.newRevision;
  if (!revision) {
    await journal.drop(attempt);
    return state;
  }
  await call.tell(format.restoreTakenOver({ id: revision.id }));
  const write = { call, id, state, inputs: inputsIn(state), body: {} };
  const resource = { ...observation.resource, latest_revision_id: revision.id };
  const outputs = await awaitRollout(write, resource, revision, async () => "");
  await call.dropUpdates(id);
  return outputs;
}
