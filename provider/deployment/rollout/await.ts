/** The end of a creation or an update: waits for the rollout, and records a failure. */

import { format } from "../../diff/sentences";
import type { UnfinishedError } from "../../failure";
import { COMMAND } from "../../schema/naming";
import type { State } from "../../schema/recorded";
import { type Properties, propertiesIn } from "../../schema/value";
import { shellWord } from "../../schema/words";
import { goodIn } from "../record";
import { deploymentOutputs, type Write } from "../state";
import { type RolloutEnd, rollOut, storyOf } from "./proving";

/** Obeys `onFailure: "restore"` after a failed rollout. Returns words for the error, or throws a different error. */
type Restoring = (failed: RolloutEnd) => Promise<string>;

const nothingBefore: Restoring = async () =>
  ` onFailure is "restore", but a new deployment has nothing to restore.`;

/**
 * Waits for the revision, verifies the revision if the program sets `rollout.verify`, and returns the final outputs. A
 * failure throws an UnfinishedError, which keeps the deployment in the state. `resource`: the deployment that the
 * service just returned. `revision`: the revision to wait for, if the caller has just read it.
 */
export async function awaitRollout(
  write: Write,
  resource: Properties,
  revision?: Properties,
  restoring = nothingBefore,
): Promise<State> {
  const rolloutEnd = await rollOut(write, resource, revision);
  const { end, status, revisionId, seconds } = rolloutEnd;
  if (end === "deployed") {
    await write.call.tell(format.deployed({ id: revisionId, seconds }));
    return deploymentOutputs(write, rolloutEnd.resource, { status, state: "deployed", lastGood: revisionId });
  }
  const restores = propertiesIn(write.inputs.rollout).onFailure === "restore";
  const restoreWords = end === "failed" && restores ? await restoring(rolloutEnd) : "";
  throw rolloutFailure(write, rolloutEnd, restoreWords);
}

function rolloutFailure(write: Write, rolloutEnd: RolloutEnd, restoreWords: string): UnfinishedError {
  const { call, id, state, before = state } = write;
  const { status, end, resource, unproven } = rolloutEnd;
  const rolloutState = end === "failed" ? "failed" : "unfinished";
  const how = `${storyOf(rolloutEnd)}${servingWords(resource)}`;
  const advice = end === "failed" ? returnWords(call.name, goodIn(before), rolloutEnd) : "";
  const outputs = deploymentOutputs(write, resource, { status, state: rolloutState });
  const next =
    end === "failed"
      ? " The next update makes the revision again."
      : ` The next update ${unproven === undefined ? "resumes the wait" : "verifies the revision again and makes no new one"}.`;
  return call.unfinished(id, outputs, `${how}${next}${advice}${restoreWords}${rolloutEnd.endOfLog}`);
}

function servingWords({ active_revision_id: active }: Properties): string {
  return typeof active === "string" ? ` Revision ${active} is still serving.` : " No revision serves.";
}

/** How to return to the last good revision; empty if no earlier revision was good. */
function returnWords(name: string, good: string | undefined, { revisionId }: RolloutEnd): string {
  if (good === undefined || good === revisionId) return "";
  const command = `${COMMAND} rollback ${shellWord(name)} --to last-good`;
  return ` Revision ${good} was the last good one: \`${command}\` plans the rollback.`;
}
