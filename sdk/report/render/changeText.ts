/** Puts a change of an argument into words. */
import { hiddenChange } from "../evaluate/reasons";
import type { Reason } from "../model";
import { valueText } from "../valueText";

export type ChangeText = ReturnType<typeof changeText>;

const EFFECTS: { readonly [E in Reason["effect"]]: string } = {
  replace: "replaces",
  "new-revision": "new revision",
  "may-create-revision": "may create a revision",
  "in-place": "in place",
  kept: "kept by the service",
};

/** The change with each value on one line. `hidden`: the words for a secret's change; otherwise null. */
export function changeText(reason: Reason) {
  const { path, unknown, effect } = reason;
  const before = valueText(reason.before);
  return {
    path,
    effect: unknown ? "may replace" : EFFECTS[effect],
    hidden: hiddenChange(reason),
    before,
    after: effect === "kept" ? `${before} (kept)` : valueText(reason.after),
  };
}
