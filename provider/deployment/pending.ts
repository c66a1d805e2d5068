/** Makes the journal's attempt for a creation or an update that a killed run left pending in the engine's state. */
import type { Call } from "../call";
import { type Change, touchesRevision } from "../diff/changes";
import type { Intent } from "../journal/attempt";
import type { Inputs, State } from "../schema/recorded";
import { valueAt } from "../schema/value";
import { adoptionAsked, asksByName } from "./create/adopt";
import { creationIntent, updateIntent } from "./intent";
import { planCall } from "./plan";
import { isEmpty, plannedUpdate, postedPart, type Update } from "./request";
import { unchangedPaths } from "./update/current";

/** The attempt of a pending creation; undefined if the next run may safely send the creation again. */
export function pendingCreation(
  call: Call,
  inputs: Inputs,
  idsInState: ReadonlySet<string>,
): Intent | undefined {
  const adoption = adoptionAsked(call, inputs);
  if (adoption !== false && !asksByName(adoption)) return undefined;
  return { ...creationIntent(call, postedPart(inputs), [...idsInState]), evidence: "shown" };
}

/**
 * The attempt of a pending update; undefined if the update sends nothing. An update in place has an attempt too.
 * Otherwise, if the program has since returned to its old values, the service would silently keep the update's values.
 */
export function pendingUpdate(call: Call, id: string, state: State, inputs: Inputs): Intent | undefined {
  const update = plannedUpdate(call, id, planCall(call, state, inputs));
  if (isEmpty(update.body)) return undefined;
  return { ...updateIntent({ ...update, current: unchangedPaths(update) }), evidence: evidenceOf(update) };
}

/** How to prove that the update made its revision. A separate PATCH may arrive even though no revision was made. */
function evidenceOf({ changes, revision, state, inputs }: Update): NonNullable<Intent["evidence"]> {
  const deciding = changes.filter(
    (change) => change.effect !== "kept" && (isEmpty(revision) || touchesRevision(change)),
  );
  const isShown = ({ path }: Change) => /^source(Revision)?Config(\.|$)/.test(path);
  if (deciding.length > 0 && deciding.every(isShown)) return "shown";
  const isPushed = [state, inputs].some((each) => valueAt(each, ["sourceConfig", "buildOnPush"]) === true);
  return isPushed ? "none" : "alone";
}
