/** Puts a change of an argument into words. */
import { hiddenChange } from "../evaluate/reasons";
import { type Reason, SECRET, UNKNOWN_VALUE } from "../model";
import { cut } from "./escape";

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

const LONGEST = 2_000;

/** The value on one line: a simple text unchanged, everything else as JSON. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return "(not set)";
  if (value === SECRET || value === UNKNOWN_VALUE) return value;
  const simple = typeof value === "string" && /^[^\s"'(){}[\];]+$/u.test(value);
  const line = simple ? value : JSON.stringify(value);
  return line.length > LONGEST ? `${cut(line, LONGEST)} (${line.length} characters)` : line;
}
