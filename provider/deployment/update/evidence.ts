/** What proves, without a look at the revisions of each, that an update made one. */
import { holds } from "../../fields/compare";
import { isAbsent, isProperties, type Properties, sameValue } from "../../fields/value";
import { type Plan, revises } from "../plan";
import type { Update } from "./plannedUpdate";

/**
 * Whether the answer to the PATCH will show a setting that the revision before did not have. What a push makes has the
 * settings of the one before.
 */
export function showsItself({ changes, olds }: Plan): boolean {
  const answered = isProperties(olds.respelled) ? olds.respelled : {};
  return changes.some(
    ({ path, effect, after }) =>
      path.startsWith("sourceRevisionConfig.") &&
      effect === "newRevision" &&
      !isAbsent(after) &&
      !sameValue(after, answered[path]),
  );
}

/** The latest revision just before the PATCH, where the answer alone will prove nothing; else undefined. */
export async function latestBefore(update: Update): Promise<unknown> {
  const isOpen = isCertain(update) && (!showsItself(update) || hasNeededALook(update));
  return isOpen ? update.call.service.latestRevisions.before(update.id) : undefined;
}

/** Whether it is proven that the PATCH made the revision that its answer names as the latest. */
export function isProven(update: Update, answer: Properties, before: unknown): boolean {
  const { latest_revision_id: latest, active_revision_id: active, source_revision_config: shown } = answer;
  if (typeof latest !== "string" || latest === update.olds.latestRevisionId) return false;
  // What serves already may be older: another hand may have given it the same settings.
  if (latest !== active && showsItself(update) && holds(shown, update.body.source_revision_config))
    return true;
  return before !== undefined && latest !== before && isCertain(update);
}

/** Notes that only a look showed that the update made a revision. The next one of its kind will make one too. */
export function noteLook(update: Update): void {
  update.call.service.fleet.hasRevised(kindOf(update));
}

/** Whether such a PATCH makes a revision on this service: its class says so, or an earlier one did. */
function isCertain(update: Update): boolean {
  return update.verdict === "newRevision" || (revises(update) && hasNeededALook(update));
}

function hasNeededALook(update: Update): boolean {
  return update.call.service.fleet.revises(kindOf(update));
}

/** The sections that its PATCH carries. */
function kindOf({ body }: Update): string {
  return Object.keys(body).sort().join();
}
