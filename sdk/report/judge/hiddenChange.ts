/** A change whose values nobody may see: two masks beside each other would read as no change at all. */
import { type Reason, SECRET } from "../model";

const isUnset = (value: unknown): boolean => value === null || value === undefined;

/** `added`, `changed` or `removed`; null where a value can be shown, or nothing changes. */
export function hiddenChange({
  before,
  after,
  effect,
}: Pick<Reason, "before" | "after" | "effect">): string | null {
  if (effect === "kept") return null;
  if (before === SECRET) return isUnset(after) ? "removed" : after === SECRET ? "changed" : null;
  return after === SECRET && isUnset(before) ? "added" : null;
}
