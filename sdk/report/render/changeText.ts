/** Puts a change of an argument into words. */
import { hiddenChange } from "../evaluate/reasons";
import { type Reason, SECRET, UNKNOWN_VALUE } from "../model";
import { cut } from "./escape";

/** A change of one argument. */
export interface ChangeText {
  readonly path: string;
  readonly effect: string;
  /** Whether the service keeps the old value. */
  readonly isKept: boolean;
  /** The words for a change of a secret value; null if both values can be shown. */
  readonly hidden: string | null;
  /** The old value on one line, like `after`. */
  readonly before: string;
  readonly after: string;
  /** The path without `sourceConfig` or `sourceRevisionConfig`, and both values without their common beginning. */
  readonly short: { readonly path: string; readonly before: string; readonly after: string };
}

const EFFECTS: { readonly [E in Reason["effect"]]: string } = {
  replace: "replaces",
  "new-revision": "new revision",
  "may-create-revision": "may create a revision",
  "in-place": "in place",
  kept: "kept by the service",
};

export function changeText(reason: Reason): ChangeText {
  const isKept = reason.effect === "kept";
  const before = valueText(reason.before);
  const after = isKept ? `${before} (kept)` : valueText(reason.after);
  return {
    path: reason.path,
    short: { path: reason.path.replace(/^source(Revision)?Config\./, ""), ...apart(before, after) },
    effect: reason.unknown ? "may replace" : EFFECTS[reason.effect],
    isKept,
    hidden: hiddenChange(reason),
    before,
    after,
  };
}

/** A shared beginning must be at least this long to be cut. */
const SHARED = 8;

/** The values without their common beginning: `…:1.0.0` and `…:1.1.0` for two tags of one image. */
function apart(before: string, after: string): { before: string; after: string } {
  const parts = before.split(/(?<=[/:@])/);
  let shared = "";
  for (const part of parts.slice(0, -1)) {
    if (!after.startsWith(shared + part) || shared.length + part.length >= after.length) break;
    shared += part;
  }
  if (shared.length < SHARED || before === after) return { before, after };
  const cutOff = (text: string) => `…${text.slice(shared.length - 1)}`;
  return { before: cutOff(before), after: cutOff(after) };
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
