/** Changes in words, for the one line per changed deployment that a reviewer reads, and what such a line tells again. */
import type { Hidden } from "../fields/check";
import type { ChangeClass } from "../fields/kind";
import { hasUnknown, isAbsent, type Properties, sameValue, valueAt } from "../fields/value";
import { escapeControls } from "../fields/words";
import { type Change, touchesRevision, unlessReplaced, type Verdict, verdictOf } from "./changes";
import { say } from "./sentences";
import { joined, type MarkedWords, marked, ours, type Words } from "./wording";

const LONGEST_VALUE = 80;
/** Of a list with more differences than this, the rest is counted. */
const MOST_PARTS = 3;

/** Stands for a value that the service has and does not show: nobody can tell whether another one differs. */
export const HELD = Symbol("held by the service");

/** Stands for the value of a secret that somebody added on the service and no argument gives. */
export const FOREIGN = Symbol("added by another hand");

/**
 * `creates a new revision (…)`, `updates in place, no new revision (…)` and so on, without the deployment's name.
 * `hasRevisions`: whether the resource has revisions to speak of.
 */
export function describeVerdict(
  verdict: Verdict,
  changes: readonly Change[],
  hidden: Hidden,
  hasRevisions = true,
): MarkedWords {
  switch (verdict) {
    case "newRevision":
    case "mayRevise":
      return say[verdict]({ reasons: describeRevising(changes, hidden) });
    case "inPlace":
      return say[hasRevisions ? "inPlace" : "inPlaceOnly"]({ reasons: describeChanges(changes, hidden) });
    case "replace":
      return say.replaced({ reasons: describeReplacement(changes, hidden) });
    case "mayReplace":
      return say.mayReplace({
        reasons: describeReplacement(changes, hidden),
        otherwise: describeOtherwise(changes, hidden, hasRevisions),
      });
    case "unchanged":
      return say.unchanged();
  }
}

/** What is done where it is not replaced after all. */
export function describeOtherwise(
  changes: readonly Change[],
  hidden: Hidden,
  hasRevisions = true,
): MarkedWords {
  const others = unlessReplaced(changes);
  return describeVerdict(verdictOf(others), others, hidden, hasRevisions);
}

/** Why a revision is made: what is owed to an earlier one, then the changes that make it; those in place come last. */
export function describeRevising(changes: readonly Change[], hidden: Hidden, owed?: Owed): MarkedWords {
  const revising = changes.filter(touchesRevision);
  const others = changes.filter((change) => !touchesRevision(change));
  const reasons = [
    ...(owed === undefined ? [] : [describeOwed(owed)]),
    ...revising.map((change) => describeChange(change, hidden)),
    ...(others.length === 0 ? [] : [marked`in place: ${describeChanges(others, hidden)}`]),
  ];
  return joined(reasons, "; ");
}

/** The revision that the last apply left, for a sentence. */
export const revisionOwed = ({ latestRevisionId, latestRevisionStatus }: Properties) => ({
  id: latestRevisionId ?? ours("of unknown id"),
  status: latestRevisionStatus ?? ours("unfinished"),
});

/** What is owed to an earlier update: its revision again, or a look whether it was applied. */
type Owed = ReturnType<typeof revisionOwed> | "a look";

const describeOwed = (owed: Owed): MarkedWords =>
  owed === "a look"
    ? ours("it is not known whether the last update was applied: the up looks first")
    : marked`makes it again: revision ${owed.id} ended ${owed.status}`;

/** What to do about a change that did not do what its class says. */
export const correctionOf = (profileName: string, path: string, rightClass: ChangeClass): MarkedWords =>
  ours(
    `The change class of these fields in profile "${profileName}" does not fit this service; ` +
      `correct it with profileOverrides.classes, e.g. {"classes": {"${path}": "${rightClass}"}}`,
  );

/** The changes that replace, in words. */
export function describeReplacement(changes: readonly Change[], hidden: Hidden): MarkedWords {
  const replacing = changes.filter(({ effect }) => effect === "replace");
  return describeChanges(replacing, hidden);
}

export function describeChanges(changes: readonly Change[], hidden: Hidden): MarkedWords {
  return joined(
    changes.map((change) => describeChange(change, hidden)),
    "; ",
  );
}

/** `sourceRevisionConfig.repoRef main -> v2`, or for a secret only what happens to it. */
export function describeChange(change: Change, hidden: Hidden): MarkedWords {
  const [section, ...rest] = change.path.split(".");
  const name = named(rest.join("."));
  const fate = ours(whatHappens(change));
  if (section === "secrets" && rest.length > 0) return marked`secret ${name} ${fate}`;
  if (section === "secretReferences" && rest.length > 0) return marked`secret reference ${name} ${fate}`;
  const path = named(change.path);
  if (hidden(change.path)) return marked`${path} ${fate}`;
  if (change.effect === "kept")
    return marked`${path} no longer managed, the service keeps ${shown(change.before)}`;
  return joined(differing(change.path, change.before, change.after), "; ");
}

/** Names of fields are ours; those of a program's keys are shown by the engine too. */
const named = (path: string): MarkedWords => ours(escapeControls(path));

/** Where two values differ: of what is too long to be shown, the members that do. */
function differing(path: string, before: unknown, after: unknown): Words[] {
  const parts = [before, after].every(isShort)
    ? [{ path, before, after }]
    : differingParts(path, before, after);
  const differences = parts
    .slice(0, MOST_PARTS)
    .map((part) => marked`${placeIn(path, part.path)} ${shown(part.before)} -> ${shown(part.after)}`);
  return parts.length > MOST_PARTS
    ? [...differences, marked`${ours(String(parts.length - MOST_PARTS))} more in ${named(path)}`]
    : differences;
}

/** What a value has within it may be named by the service. */
const placeIn = (path: string, place: string): MarkedWords =>
  marked`${named(path)}${escapeControls(place.slice(path.length))}`;

interface Part {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

function differingParts(path: string, before: unknown, after: unknown): Part[] {
  if (!isNested(before) || !isNested(after) || Array.isArray(before) !== Array.isArray(after))
    return [{ path, before, after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const of = (value: object, name: string) => valueAt({ ...value }, [name]);
  return names
    .filter((name) => !sameValue(of(before, name), of(after, name)))
    .flatMap((name) => differingParts(`${path}.${name}`, of(before, name), of(after, name)));
}

const isShort = (value: unknown): boolean => (JSON.stringify(value) ?? "").length <= LONGEST_VALUE;

const isNested = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.keys(value).length > 0;

function whatHappens(change: Change): string {
  if (change.effect === "kept") return "no longer managed, the service keeps it";
  if (change.unknown) return HAPPENS.unknown;
  if (isAbsent(change.before)) return HAPPENS.added;
  if (change.before === HELD && !isAbsent(change.after)) return "set again";
  if (!isAbsent(change.after)) return HAPPENS.changed;
  return change.before === FOREIGN ? HAPPENS.lost : HAPPENS.removed;
}

/** What happens to a value that is not shown. */
const HAPPENS = {
  added: "added",
  removed: "removed",
  changed: "changed",
  lost: "removed, which somebody added on the service",
  unknown: "unknown until apply",
} as const;

/** What a line says about a value that it does not show: the path as it stands there, and what happens to it. */
export interface Mention {
  readonly path: string;
  readonly what: keyof typeof HAPPENS;
}

/** Mentions of a hidden path, or of what is within it. */
export function mentionsOf(line: string, path: string): Mention[] {
  const pattern = `${literal(escapeControls(path))}(?:\\.[^\\s;()]+)?`;
  // Of what is masked in part, the line shows the rest.
  const shownChanges = [...line.matchAll(new RegExp(`(?:[(] *|; |: )(${pattern}) [^;]*? -> `, "g"))];
  return [
    ...mentions(line, pattern),
    ...shownChanges.map(([, found]): Mention => ({ path: found as string, what: "changed" })),
  ];
}

export function mentionsOfSecret(line: string, name: string): Mention[] {
  return mentions(line, literal(`secret ${escapeControls(name)}`));
}

function mentions(line: string, pattern: string): Mention[] {
  const fates = Object.values(HAPPENS).join("|");
  const expression = new RegExp(`(?:[(] *|; |: )(${pattern}) (${fates})(?=[;)])`, "g");
  return [...line.matchAll(expression)].map(([, path, words]) => ({
    path: path as string,
    what: WHAT.find((what) => HAPPENS[what] === words) as Mention["what"],
  }));
}

const WHAT = Object.keys(HAPPENS) as Mention["what"][];

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A value in one short line, whatever it holds. */
export function shown(value: unknown): Words {
  if (isAbsent(value)) return ours("(not set)");
  if (hasUnknown(value)) return ours("(unknown until apply)");
  const words = typeof value === "string" && /^[^\s"'(){};]+$/u.test(value) ? value : JSON.stringify(value);
  const line = escapeControls(words);
  return line.length > LONGEST_VALUE ? `${line.slice(0, LONGEST_VALUE - 1)}…` : line;
}
