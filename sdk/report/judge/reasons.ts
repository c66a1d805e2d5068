/** The provider's changes as the report shows them. */
import { hiddenBy } from "../../../provider/fields/check";
import { isAbsent, isProperties, UNKNOWN, valueAt } from "../../../provider/fields/value";
import type { Change } from "../../../provider/verdict/changes";
import { type Reason, SECRET, UNKNOWN_VALUE } from "../model";
import { REPORTED } from "../read/heard";
import type { Sides } from "./masks";

const EFFECTS = { ...REPORTED, kept: "kept" } as const;

/** What the service or the program keeps secret stands as `[secret]`. */
export function reasonsOf(changes: readonly Change[], { olds, news, secretPaths }: Sides): Reason[] {
  const hidden = hiddenBy(["secrets", ...secretPaths]);
  return changes.map((change) => {
    const [before, after] = [olds, news].map((side) => valueAt(side, change.path.split(".")));
    const isMasked = before === SECRET || after === SECRET;
    // A mask on one side alone has a mark of the report's own in its place: what the preview shows stands here.
    const show = (value: unknown, there: unknown) =>
      hidden(change.path) ? masked(value) : shownValue(isMasked ? there : value);
    return {
      path: change.path,
      effect: effectOf(change),
      before: show(change.before, before),
      after: show(change.after, after),
      ...(change.unknown && change.effect === "replace" ? { unknown: true as const } : {}),
    };
  });
}

/** A value that is not known yet may turn out to be the old one. */
function effectOf({ effect, unknown }: Change): Reason["effect"] {
  return EFFECTS[unknown && effect === "newRevision" ? "mayRevise" : effect];
}

function masked(value: unknown): unknown {
  if (isAbsent(value)) return null;
  return value === UNKNOWN ? UNKNOWN_VALUE : SECRET;
}

/** The value with the engine's mark of what is not known yet in words; null where it is not set. */
export function shownValue(value: unknown): unknown {
  if (isAbsent(value)) return null;
  if (value === UNKNOWN) return UNKNOWN_VALUE;
  if (Array.isArray(value)) return value.map(shownValue);
  if (!isProperties(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shownValue(member)]));
}

/**
 * `added`, `changed` or `removed`, of a change whose values nobody may see: two masks beside each other would read as no
 * change at all. Null where a value can be shown, or nothing changes.
 */
export function hiddenChange({ before, after, effect }: Reason): string | null {
  if (effect === "kept") return null;
  if (before === SECRET) return isAbsent(after) ? "removed" : after === SECRET ? "changed" : null;
  return after === SECRET && isAbsent(before) ? "added" : null;
}
