/** The provider's changes, in the form that the report shows. */

import { type Change, WAS_SECRET } from "../../../provider/diff/changes";
import { hiddenBy } from "../../../provider/schema/check";
import { isAbsent, isProperties, UNKNOWN, valueAt } from "../../../provider/schema/value";
import { type Reason, SECRET, UNKNOWN_VALUE } from "../model";
import { REPORT_VERDICTS } from "../read/heard";
import type { Sides } from "./masks";

/** The change of one value. */
export type Changed = Pick<Reason, "path" | "before" | "after"> & Partial<Reason>;

const EFFECTS = { ...REPORT_VERDICTS, kept: "kept" } as const;

/** The provider's changes as reasons of the report, in which secret values show as `[secret]`. */
export function reasonsOf(changes: readonly Change[], { olds, news, secretPaths }: Sides): Reason[] {
  const hidden = hiddenBy(["secrets", ...secretPaths]);
  return changes.map((change) => {
    const [before, after] = [olds, news].map((side) => valueAt(side, change.path.split(".")));
    const isMasked = before === SECRET || after === SECRET;
    // If the preview masks the old or the new value, show the values from the preview, not the report's own marks.
    const show = (value: unknown, side: unknown) =>
      value === WAS_SECRET || hidden(change.path) ? mask(value) : shownValue(isMasked ? side : value);
    return {
      path: change.path,
      // An unknown value may turn out to be the old value.
      effect: EFFECTS[change.unknown && change.effect === "newRevision" ? "mayRevise" : change.effect],
      before: show(change.before, before),
      after: show(change.after, after),
      ...(change.unknown && change.effect === "replace" ? { unknown: true as const } : {}),
      ...(change.moves ? { moves: true as const } : {}),
    };
  });
}

function mask(value: unknown): unknown {
  if (isAbsent(value)) return null;
  return value === UNKNOWN ? UNKNOWN_VALUE : SECRET;
}

/** The value, with `[unknown]` in place of the engine's marks for unknown values; null if the value is not set. */
export function shownValue(value: unknown): unknown {
  if (isAbsent(value)) return null;
  if (value === UNKNOWN) return UNKNOWN_VALUE;
  if (Array.isArray(value)) return value.map(shownValue);
  if (!isProperties(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shownValue(member)]));
}

/**
 * The words for a change between masked values (two equal masks would read as no change): `added`, `changed`,
 * `removed`, or whether a moved variable is readable now. Null if one of the two values can be shown, or if the service
 * keeps the old value.
 */
export function hiddenChange({ path, before, after, effect, moves }: Changed): string | null {
  if (effect === "kept") return null;
  if (moves)
    return path.startsWith("secrets.") ? "no longer readable" : after === SECRET ? "moved" : "now readable";
  if (before === SECRET) return isAbsent(after) ? "removed" : after === SECRET ? "changed" : null;
  return after === SECRET && isAbsent(before) ? "added" : null;
}
