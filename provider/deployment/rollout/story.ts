/** The words on how a rollout ended. */
import type { Properties } from "../../fields/value";
import { sentence } from "../../fields/words";
import { describeSteps } from "../../waiting/statusLog";
import type { Write } from "../state";
import { goodIn, stateBefore } from "./good";
import type { RolloutEnd } from "./proving";

/** Which revision ended how, after how long, and why. */
export function storyOf({ end, revisionId, status, seconds, steps, unproven, reason }: RolloutEnd): string {
  const revision = `revision ${revisionId ?? "(none was made yet)"}`;
  if (unproven !== undefined) {
    const how = end === "failed" ? "did not prove itself" : "it is not known whether it replies as expected";
    return `${revision} was deployed after ${seconds} s${describeSteps(steps)}, but ${how}: ${sentence(unproven)}`;
  }
  if (end === "timeout") {
    const at = status === undefined ? "" : `, last seen ${status}`;
    return `${revision} was not deployed within ${seconds} s${at}${describeSteps(steps)}.`;
  }
  const saying = reason === undefined ? "" : ` The service says: ${sentence(reason)}`;
  return `${revision} ended ${status} after ${seconds} s${describeSteps(steps)}.${saying}`;
}

export function servingWords({ active_revision_id: active }: Properties): string {
  return typeof active === "string" ? ` Revision ${active} goes on serving.` : " No revision serves.";
}

/** How to return to the last good revision; empty if there is none. */
export function wayBack(write: Write, { revisionId }: RolloutEnd): string {
  const good = goodIn(stateBefore(write));
  if (good === undefined || good.revision === revisionId) return "";
  return ` Revision ${good.revision} was the last good one: to return to it, give its settings in the program again.`;
}
