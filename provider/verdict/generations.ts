/** The counters by which the plan, and resources that depend on a deployment, learn of a new revision. */

import { hasUnknown, isProperties, type Properties, UNKNOWN } from "../fields/value";
import { type Change, touchesRevision } from "./changes";

/**
 * 1 at creation, 0 after an import; one more with each change of the arguments that creates, or may create, a new
 * revision; unknown while a field that decides it is unknown. Not a hash: a hash of secrets would leak them.
 */
export function revisionGeneration(
  before: Properties | undefined,
  changes: readonly Change[],
): number | string {
  if (before === undefined) return 1;
  const generation = wholeNumber(before.revisionGeneration) ?? 0;
  const deciding = changes.filter((change) => touchesRevision(change) || change.effect === "replace");
  if (deciding.some((change) => !change.unknown)) return generation + 1;
  return deciding.length > 0 ? UNKNOWN : generation;
}

/** One counter for each secret, so that the plan shows which secrets are added, changed and removed. */
export function secretGenerations(
  before: Properties | undefined,
  secrets: unknown,
): { [name: string]: number | string } | string | undefined {
  if (secrets === UNKNOWN) return UNKNOWN;
  if (!isProperties(secrets)) return undefined;
  const olds = isProperties(before?.secrets) ? before.secrets : {};
  const counted = isProperties(before?.secretGenerations) ? before.secretGenerations : {};
  const generationOf = (name: string, value: unknown): number | string => {
    const generation = Object.hasOwn(olds, name) ? (wholeNumber(counted[name]) ?? 1) : 0;
    if (hasUnknown(value)) return UNKNOWN;
    return generation > 0 && olds[name] === value ? generation : generation + 1;
  };
  return Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [name, generationOf(name, value)]),
  );
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
}
