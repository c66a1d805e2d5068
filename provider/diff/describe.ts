/** Describes the changes to a resource in one line of a plan. */

import type { Hidden } from "../schema/check";
import type { ChangeClass } from "../schema/kind";
import { settingName } from "../schema/naming";
import { printable } from "../schema/secrecy";
import { hasUnknown, isAbsent, type Properties } from "../schema/value";
import { escapeControls } from "../schema/words";
import { type Change, touchesRevision, unlessReplaced, type Verdict, verdictOf, WAS_SECRET } from "./changes";
import { format, OWED } from "./sentences";

const LONGEST_VALUE = 80;

/** Placeholder for a value that cannot be compared, because the service hides the value. */
export const HELD = Symbol("held by the service");

/** Placeholder for the value of a secret that somebody else added on the service. */
export const FOREIGN = Symbol("added by somebody else");

/** Placeholder for a secret's recorded value when the service has a different value. */
export const ALTERED = Symbol("another value on the service");

/** The verdict, such as `creates a new revision (…)`. `hasRevisions`: whether the resource has revisions. */
export function describeVerdict(
  verdict: Verdict,
  changes: readonly Change[],
  hidden: Hidden,
  hasRevisions = true,
): string {
  switch (verdict) {
    case "newRevision":
    case "mayRevise":
      return format[verdict]({ reasons: describeRevising(changes, hidden) });
    case "inPlace":
      return format[hasRevisions ? "inPlace" : "inPlaceOnly"]({ reasons: describeChanges(changes, hidden) });
    case "replace":
      return format.replaced({ reasons: describeReplacement(changes, hidden) });
    case "mayReplace":
      return format.mayReplace({
        reasons: describeReplacement(changes, hidden),
        otherwise: describeOtherwise(changes, hidden, hasRevisions),
      });
    case "unchanged":
      return format.unchanged();
  }
}

/** Describes the effect if the resource turns out not to be replaced. */
export function describeOtherwise(changes: readonly Change[], hidden: Hidden, hasRevisions = true): string {
  const otherChanges = unlessReplaced(changes);
  return describeVerdict(verdictOf(otherChanges), otherChanges, hidden, hasRevisions);
}

/** The reasons for a revision: work left from an earlier update, changes that make the revision, changes in place. */
export function describeRevising(changes: readonly Change[], hidden: Hidden, debt?: Debt): string {
  const revising = changes.filter(touchesRevision);
  const inPlace = changes.filter((change) => !touchesRevision(change));
  const reasons = [
    ...(debt === undefined ? [] : [describeDebt(debt)]),
    ...revising.map((change) => describeChange(change, hidden)),
    ...(inPlace.length === 0 ? [] : [`in place: ${describeChanges(inPlace, hidden)}`]),
  ];
  return reasons.join("; ");
}

/** The id and the status of the revision that the last apply left unfinished, for a sentence. */
export const revisionOwed = ({ latestRevisionId, latestRevisionStatus }: Properties) => ({
  id: latestRevisionId ?? "of unknown id",
  status: latestRevisionStatus ?? "unfinished",
});

/** Work left from an earlier update: a revision to make again, or a check of whether the update was applied. */
type Debt = ReturnType<typeof revisionOwed> | "a look";

const describeDebt = (debt: Debt): string =>
  debt === "a look"
    ? OWED.doubt
    : `${OWED.remake} revision ${printable(debt.id)} ended ${printable(debt.status)}`;

/** Advice about a change whose effect differs from its class. `fitting`: a profile whose class matches the effect. */
export function correctionOf(profile: string, path: string, right: ChangeClass, fitting?: string) {
  const profileAdvice = `that of profile "${fitting}" does: if this is such a service, set ${settingName("profile")} to ${fitting}. Otherwise `;
  return (
    `The change class of these fields in profile "${profile}" does not fit this service; ${fitting ? profileAdvice : ""}` +
    `correct it with profileOverrides.classes, e.g. {"classes": {"${path}": "${right}"}}`
  );
}

export function describeReplacement(changes: readonly Change[], hidden: Hidden): string {
  const replacing = changes.filter(({ effect }) => effect === "replace");
  return describeChanges(replacing, hidden);
}

export function describeChanges(changes: readonly Change[], hidden: Hidden): string {
  const descriptions = changes.map((change) => describeChange(change, hidden));
  return descriptions.join("; ");
}

/** A change in words, such as `sourceRevisionConfig.repoRef main -> v2`. The words never show a secret value. */
export function describeChange(change: Change, hidden: Hidden): string {
  const [section, ...innerNames] = change.path.split(".");
  const name = escapeControls(innerNames.join("."));
  const fate = whatHappens(change, hidden);
  if (section === "secrets" && innerNames.length > 0) return `secret ${name} ${fate}`;
  if (section === "secretReferences" && innerNames.length > 0) return `secret reference ${name} ${fate}`;
  const path = escapeControls(change.path);
  if (hidden(change.path) || change.moves) return `${path} ${fate}`;
  if (change.effect === "kept") return `${path} no longer managed, the service keeps ${shown(change.before)}`;
  const [before, after] = [shown(change.before), shown(change.after)];
  // Two long values may be cut off before their first difference.
  return before === after ? `${path} changed` : `${path} ${before} -> ${after}`;
}

/** Describes the change of a value, but does not show the value. */
function whatHappens(change: Change, hidden: Hidden): string {
  if (change.moves) {
    const name = change.path.slice(change.path.indexOf(".") + 1);
    if (hidden(`environment.${name}`)) return "moved, still secret, its value stays";
    return `${change.path.startsWith("secrets.") ? "no longer" : "now"} readable, its value stays`;
  }
  if (change.effect === "kept") return "no longer managed, the service keeps it";
  if (change.unknown) return "unknown until apply";
  if (isAbsent(change.before)) return "added";
  if (isAbsent(change.after))
    return change.before === FOREIGN ? "removed, which the program does not set" : "removed";
  if (change.before === HELD) return "set again";
  return change.before === ALTERED ? "set again, since its value differs on the service" : "changed";
}

export function shown(value: unknown): string {
  if (isAbsent(value)) return "(not set)";
  if (value === HELD) return "(not shown)";
  if (value === WAS_SECRET) return "(secret)";
  if (hasUnknown(value)) return "(unknown until apply)";
  const words = typeof value === "string" && /^[^\s"'(){};]+$/u.test(value) ? value : JSON.stringify(value);
  const line = printable(words);
  return line.length > LONGEST_VALUE ? `${line.slice(0, LONGEST_VALUE - 1)}…` : line;
}

/** Returns, for example, `deployment "chat"`. */
export const labelOf = (kind: string, name: string): string => `${kind} "${escapeControls(name)}"`;

/** Returns, for example, `deployment "chat": has no changes`. Returns the words alone if there is no label. */
export const labeled = (label: string | undefined, words: string): string =>
  label === undefined ? words : `${label}: ${words}`;

/** The words of a line that has exactly this label; undefined for other lines. */
export function unlabeled(label: string, line: string): string | undefined {
  const start = labeled(label, "");
  return line.startsWith(start) ? line.slice(start.length) : undefined;
}
