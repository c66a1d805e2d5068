/** Secret marks. The engine encrypts a marked value in the state and never shows it. */
import { sameValue } from "../schema/compare";
import { DEPLOYMENT_STATUSES, ROLLOUT_STATES } from "../schema/deployment";
import { REVISION_STATUSES } from "../schema/revision";
import { holdsSecret } from "../schema/secrecy";
import { isProperties, type Properties, propertiesIn, valueAt } from "../schema/value";

/** The engine's markers on its wire. The first marker flags any special value; the second marker flags a secret. */
export const ENGINE_MARK = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

export const mark = (value: unknown): Properties => ({ [ENGINE_MARK]: SECRET, value });

export const isMarked = (value: unknown): value is Properties =>
  isProperties(value) && value[ENGINE_MARK] === SECRET;

/** The names and list indexes that lead to a value. */
export type ValuePath = readonly (string | number)[];

/** Properties without secret marks, and the paths of the marks. */
export interface Bag<V extends Properties = Properties> {
  readonly values: V;
  /** Paths of the values that are marked secret by the program, or by the resource that outputs the values. */
  readonly secrets: readonly ValuePath[];
}

export function separateMarks<V extends Properties>(values: V): Bag<V> {
  const secrets: ValuePath[] = [];
  return { values: unmarked(values, [], secrets) as V, secrets };
}

function unmarked(value: unknown, path: ValuePath, secrets: ValuePath[]): unknown {
  if (Array.isArray(value))
    return value.map((element, index) => unmarked(element, [...path, index], secrets));
  if (!isProperties(value)) return value;
  if (!isMarked(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, unmarked(member, [...path, name], secrets)]),
    );
  secrets.push(path);
  return unmarked(value.value, path, []);
}

/** The dotted path without list indexes, such as `sourceConfig.repoUrl`. */
export const pathOf = (path: ValuePath): string => path.filter((step) => typeof step === "string").join(".");

/** Marks each value in an object separately, so that the names in the object stay readable. */
export function secret(value: unknown): unknown {
  return isProperties(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, secret(member)]))
    : mark(value);
}

/** Statuses are never marked, even if a secret is spelled like a status. */
const STATES: ReadonlySet<string> = new Set([
  ...DEPLOYMENT_STATUSES,
  ...REVISION_STATUSES,
  ...ROLLOUT_STATES,
]);

/**
 * Marks every string that contains a secret, unless `engineValues` has the same value in the same place. The engine
 * knows whether its own values are secret.
 */
export function withMarks<V extends Properties>(values: V, engineValues: Properties): V {
  const members = Object.entries(values).map(([name, value]) => [
    name,
    markedIn(value, valueAt(engineValues, [name])),
  ]);
  return Object.fromEntries(members);
}

function markedIn(value: unknown, engineValue: unknown): unknown {
  if (sameValue(value, engineValue)) return value;
  if (typeof value === "string") return holdsSecret(value) && !STATES.has(value) ? mark(value) : value;
  // The engine can hide only a whole list.
  if (Array.isArray(value)) return holdsSecret(value) ? mark(value) : value;
  if (!isProperties(value)) return value;
  const isNew = (name: string): boolean => !isProperties(engineValue) || !Object.hasOwn(engineValue, name);
  return Object.keys(value).some((name) => isNew(name) && holdsSecret(name))
    ? mark(value)
    : withMarks(value, propertiesIn(engineValue));
}
