/** Puts a change of an argument into words. */
import { hiddenChange } from "../evaluate/reasons";
import type { Reason } from "../model";
import { valueText } from "../valueText";

/** A change of one argument. */
export interface ChangeText {
  readonly path: string;
  readonly effect: string;
  /** The words for a change of a secret value; null if both values can be shown. */
  readonly hidden: string | null;
  /** The old value on one line, like `after`. */
  readonly before: string;
  readonly after: string;
}

const EFFECTS: { readonly [E in Reason["effect"]]: string } = {
  replace: "replaces",
  "new-revision": "new revision",
  "may-create-revision": "may create a revision",
  "in-place": "in place",
  kept: "kept by the service",
};

export function changeText(reason: Reason): ChangeText {
  const before = valueText(reason.before);
  return {
    path: reason.path,
    effect: reason.unknown ? "may replace" : EFFECTS[reason.effect],
    hidden: hiddenChange(reason),
    before,
    after: reason.effect === "kept" ? `${before} (kept)` : valueText(reason.after),
  };
}
