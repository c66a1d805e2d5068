/** The recorded changes of a plan, in the form that the report shows. */

import type { RecordedChange } from "../../../provider/diff/recorded";
import { isAbsent } from "../../../provider/schema/value";
import { type Reason, SECRET } from "../model";
import { REPORT_VERDICTS } from "../read/lines";

export type Changed = Pick<Reason, "path" | "before" | "after"> & Partial<Reason>;

const EFFECTS = { ...REPORT_VERDICTS, kept: "kept" } as const;

export const reasonOf = ({
  path,
  effect,
  before = null,
  after = null,
  unknown,
  moves,
}: RecordedChange): Reason => ({
  path,
  // An unknown value may turn out to be the old value.
  effect: EFFECTS[unknown && effect === "newRevision" ? "mayRevise" : effect],
  before,
  after,
  ...(unknown && effect === "replace" ? { unknown } : {}),
  ...(moves ? { moves } : {}),
});

/**
 * The words that replace masked values, because two equal masks would look like no change. Null if one of the two
 * values can be shown, or if the service keeps the old value.
 */
export function hiddenChange({ path, before, after, effect, moves }: Changed): string | null {
  if (effect === "kept") return null;
  if (moves)
    return path.startsWith("secrets.") ? "no longer readable" : after === SECRET ? "moved" : "now readable";
  if (before === SECRET) return isAbsent(after) ? "removed" : after === SECRET ? "changed" : null;
  return after === SECRET && isAbsent(before) ? "added" : null;
}
