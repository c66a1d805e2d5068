/** The state's record of the last rollout: how the rollout ended, and the last good revision. */
import { sameValue } from "../schema/compare";
import type { Inputs, State } from "../schema/recorded";
import { propertiesIn, valueAt } from "../schema/value";
import { VERIFY_FAILED } from "../schema/verification";

/** Whether a revision with this status will never be deployed. */
export const isLost = (status: unknown): boolean =>
  typeof status === "string" &&
  (status.endsWith("_FAILED") || status === "SKIPPED" || status === "INTERRUPTED");

export function hasFailed(state: State): boolean {
  return state.rolloutState === "failed";
}

export function isUnfinished(state: State): boolean {
  return state.rolloutState === "unfinished";
}

/** Whether the last update is in doubt. `uncertainSince`: the time at which the update was sent, in ms since 1970. */
export function isDoubtful(state: State): boolean {
  return typeof state.uncertainSince === "number";
}

/** Whether the last update left a revision to await, to remake, or to look for. */
export const owesRevision = (state: State): boolean =>
  hasFailed(state) || isUnfinished(state) || isDoubtful(state);

/** Whether the program has changed the question to which the last revision gave a wrong reply. */
export function verificationChanged({ latestRevisionStatus, ...state }: State, inputs: Inputs): boolean {
  // A different API key does not change the question.
  const [before, after] = [state, inputs].map((args) => {
    const { apiKey: _secret, ...question } = propertiesIn(valueAt(args, ["rollout", "verify"]));
    return question;
  });
  return latestRevisionStatus === VERIFY_FAILED && !sameValue(before, after);
}

/** Whether the recorded latest revision is deployed. Another tool's revision may have failed or may still be built. */
const isDeployed = ({ rolloutState, latestRevisionStatus }: State): boolean =>
  rolloutState === "deployed" && latestRevisionStatus === "DEPLOYED";

/** The id of the last revision that was deployed and passed its verification, if it had one. */
export function goodIn(state: State): string | undefined {
  const { lastGood, incomplete, latestRevisionId } = state;
  const good = lastGood ?? (isDeployed(state) && incomplete !== true ? latestRevisionId : undefined);
  return typeof good === "string" ? good : undefined;
}

/** Whether the rollout ended well. `deployed` is no proof: a refresh records it for unverified revisions too. */
export function hasEndedWell(state: State): boolean {
  const { incomplete, latestRevisionId } = state;
  return isDeployed(state) && (incomplete !== true || goodIn(state) === latestRevisionId);
}
