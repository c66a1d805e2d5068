/**
 * The verdict: what an update will do to a running deployment, and why.
 *
 * `check` compares old and new arguments. `diff` and `update` compare the recorded state and new arguments. The three
 * methods use the same functions, so an update does what its plan says.
 */

import { type Profile, withoutCreateRevision } from "../profiles/profile";
import { type Difference, differences, sameValue } from "../schema/compare";
import { CHANGE_CLASSES, type ChangeClass, type Field, type Rows } from "../schema/kind";
import { hasUnknown, isAbsent, isProperties, type Properties, UNKNOWN } from "../schema/value";

/** `kept`: the service keeps the old value, because no request can clear the field. */
export type Effect = ChangeClass | "kept";

/** `mayReplace`: only the apply can tell whether the changes replace the resource. */
export type Verdict = "replace" | "mayReplace" | "newRevision" | "mayRevise" | "inPlace" | "unchanged";

export interface Change {
  readonly path: string;
  readonly effect: Effect;
  readonly before: unknown;
  readonly after: unknown;
  /** True if only the apply can tell whether the value changes. */
  readonly unknown: boolean;
  /** For an unknown group that may replace the resource: the effect if the resource is not replaced. */
  readonly otherwise?: Effect | undefined;
  /** Set if an entry moves unchanged between two arguments that share one list on the wire. The move sends nothing. */
  readonly moves?: true;
}

/** Every change between two sets of arguments, with its effect under the profile. */
export function changesBetween(
  rows: Rows,
  before: Properties,
  after: Properties,
  profile: Profile,
): Change[] {
  const allDifferences = withMoves(differences(rows, before, after), rows, after);
  const changes = allDifferences.map((difference) => changeOf(difference, rows, after, profile));
  // A replacement has only the program's values, and keeps no value of the old resource.
  if (verdictOf(changes) !== "replace") return changes;
  const clearing = { ...profile, capabilities: { ...profile.capabilities, nullClears: true } };
  return allDifferences.map((difference) => changeOf(difference, rows, after, clearing));
}

export const WAS_SECRET = Symbol("a secret's value");

interface Moved extends Difference {
  /** Whether the entry only moves between two arguments that share a list. The service then already has the entry. */
  readonly moves?: boolean;
}

/** The names of this argument and of the argument that shares its list on the wire. */
const inOneList = (section: string, rows: Rows): string[] => {
  const firstSection = rows[section]?.beside ?? section;
  return Object.keys(rows).filter((name) => name === firstSection || rows[name]?.beside === firstSection);
};

/** The differences. An entry that moves between two arguments of the same list on the wire counts once. */
function withMoves(allDifferences: readonly Difference[], rows: Rows, after: Properties): Moved[] {
  return allDifferences.flatMap((difference): Moved[] => {
    const [section = "", entry] = difference.names;
    const partner = inOneList(section, rows).find((name) => name !== section);
    if (partner === undefined || entry === undefined) return [difference];
    const twin = allDifferences.find(({ names }) => names[0] === partner && names[1] === entry);
    const isRemoved = isAbsent(difference.after);
    if (isRemoved && after[partner] === UNKNOWN) return [{ ...difference, unknown: true }];
    if (twin === undefined || isAbsent(twin.after) === isRemoved) return [difference];
    if (isRemoved) return [];
    const moves = sameValue(twin.before, difference.after) && !difference.unknown;
    return [{ ...difference, before: rows[partner]?.secret ? WAS_SECRET : twin.before, moves }];
  });
}

function changeOf(difference: Moved, rows: Rows, after: Properties, profile: Profile): Change {
  // If no revision field can be sent again, a trigger or `revisionSource` has no effect.
  const forcesNothing = forces(difference.field) && !managesRevision(after);
  const effect = emptiesAList(difference, rows, after, profile)
    ? "kept"
    : difference.moves || forcesNothing
      ? "inPlace"
      : effectOf(difference, profile);
  const isUnknown = difference.unknown || mayForceNothing(difference, after);
  const otherwise = isUnknown && effect === "replace" ? effectUnlessReplaced(difference, profile) : undefined;
  return {
    path: difference.path,
    effect,
    before: difference.before,
    after: difference.after,
    unknown: isUnknown,
    ...(otherwise === undefined ? {} : { otherwise }),
    ...(difference.moves ? { moves: true } : {}),
  };
}

/** The strongest class in an unknown group, except for the class `replace`. */
function effectUnlessReplaced({ path, field }: Difference, profile: Profile): ChangeClass | undefined {
  const classes = classesAt(path, field, profile, true).filter((each) => each !== "replace");
  return classes.length === 0 ? undefined : strongestOf(classes);
}

export interface FieldChange {
  readonly names: readonly string[];
  readonly kind: "added" | "removed" | "changed";
  readonly replaces: boolean;
}

export function detailsBetween(
  rows: Rows,
  before: Properties,
  after: Properties,
  profile: Profile,
): FieldChange[] {
  return differences(rows, before, after).map((difference) => ({
    names: difference.names,
    kind: isAbsent(difference.before) ? "added" : isAbsent(difference.after) ? "removed" : "changed",
    replaces: effectOf(difference, profile) === "replace",
  }));
}

/** Whether the change removes the last variable on a service that ignores null, and therefore an empty list too. */
function emptiesAList(
  { field, names }: Difference,
  rows: Rows,
  after: Properties,
  profile: Profile,
): boolean {
  if (field.kind.type !== "keyed" || profile.capabilities.nullClears) return false;
  if (names[0] === "secretReferences") return false;
  return inOneList(names[0] as string, rows).every((name) => isAbsent(after[name]));
}

/** Whether a change to the field makes a revision although the field is not part of a revision. */
export function forces(field: Field<unknown>): boolean {
  return field.class === "newRevision" && (field.wire === undefined || field.patchOnly === true);
}

/** Whether the change has no effect if every revision field turns out to be absent at apply. */
function mayForceNothing({ field, path }: Difference, after: Properties): boolean {
  const isRefused = path.startsWith("revisionTriggers") && !isAbsent(after.revisionTriggers);
  if (!forces(field) || isRefused) return false;
  const config = after.sourceRevisionConfig;
  return hasUnknown(config) && !(isProperties(config) && Object.values(config).some(isGiven));
}

const isGiven = (value: unknown): boolean => !isAbsent(value) && !hasUnknown(value);

export function managesRevision(args: Properties): boolean {
  const config = args.sourceRevisionConfig;
  return (
    config === UNKNOWN || (isProperties(config) && Object.values(config).some((value) => !isAbsent(value)))
  );
}

/** The profile for an update. The call that makes a revision takes all settings at once, but no `revisionSource`. */
export function profileFor(news: Properties, profile: Profile): Profile {
  const isTaken = managesRevision(news) && isAbsent(news.revisionSource);
  return isTaken || !profile.capabilities.createRevision ? profile : withoutCreateRevision(profile);
}

/** The strongest effect of the changes. A `newRevision` that only the apply can confirm counts as `mayRevise`. */
export function verdictOf(changes: readonly Change[]): Verdict {
  const replacing = changes.filter(({ effect }) => effect === "replace");
  if (replacing.length > 0) return replacing.every(({ unknown }) => unknown) ? "mayReplace" : "replace";
  if (changes.some((change) => change.effect === "newRevision" && !change.unknown)) return "newRevision";
  if (changes.some(touchesRevision)) return "mayRevise";
  return changes.length > 0 ? "inPlace" : "unchanged";
}

/** The changes that remain if the resource turns out not to be replaced. */
export function unlessReplaced(changes: readonly Change[]): Change[] {
  return changes.flatMap((change) => {
    if (change.effect !== "replace") return [change];
    return change.otherwise === undefined ? [] : [{ ...change, effect: change.otherwise }];
  });
}

export function touchesRevision(change: Change): boolean {
  return mayRevise(change.effect);
}

/** Whether a change or an update with this effect makes, or may make, a revision. */
export const mayRevise = (effect: Effect | Verdict | undefined): boolean =>
  effect === "newRevision" || effect === "mayRevise";

function effectOf(difference: Difference, profile: Profile): Effect {
  const strongest = strongestOf(classesAt(difference.path, difference.field, profile, difference.unknown));
  return strongest !== "replace" && staysWithService(difference, profile) ? "kept" : strongest;
}

function staysWithService(difference: Difference, profile: Profile): boolean {
  if (!isAbsent(difference.after) || difference.field.wire === undefined) return false;
  // The service does not store a `patchOnly` field. The field affects only the PATCH that contains it.
  if (difference.field.patchOnly) return false;
  // The service removes a named entry or a spec member that the request leaves out.
  if (difference.field.kind.type === "keyed") return false;
  if (difference.field.keptIfUnset) return true;
  if (profile.capabilities.nullClears) return false;
  return !(
    profile.capabilities.resourceSpecOverwrites && difference.path.startsWith("sourceConfig.resourceSpec.")
  );
}

/** The profile's class for the longest prefix of the path, or the row's class if the profile has none. */
export function classAt(path: string, field: Field<unknown>, profile: Profile): ChangeClass {
  const parts = path.split(".");
  for (let length = parts.length; length > 0; length -= 1) {
    const override = profile.classes[parts.slice(0, length).join(".")];
    if (override !== undefined) return override;
  }
  return (field.beside === undefined ? undefined : profile.classes[field.beside]) ?? field.class ?? "inPlace";
}

/** The field's class. An unknown group has the classes of all fields in the group, because each field may change. */
function classesAt(path: string, field: Field<unknown>, profile: Profile, isUnknown: boolean): ChangeClass[] {
  const fieldClass = classAt(path, field, profile);
  if (!isUnknown || field.kind.type !== "object") return [fieldClass];
  const rowClasses = Object.entries(field.group ? field.kind.rows : {}).flatMap(([name, member]) =>
    classesAt(`${path}.${name}`, member, profile, true),
  );
  const overrides = Object.entries(profile.classes).filter(([place]) => place.startsWith(`${path}.`));
  return [
    ...(field.group ? [] : [fieldClass]),
    ...rowClasses,
    ...overrides.map(([, changeClass]) => changeClass),
  ];
}

function strongestOf(classes: readonly ChangeClass[]): ChangeClass {
  return CHANGE_CLASSES.find((changeClass) => classes.includes(changeClass)) ?? "inPlace";
}
