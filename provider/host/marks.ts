/**
 * What the engine is to keep secret. It takes the marks of a provider as it takes those of a program: a marked value is
 * encrypted in the state, is shown nowhere, and is as it was wherever it is compared or sent.
 */
import { DEPLOYMENT_STATUSES, ROLLOUT_STATES } from "../fields/deployment";
import { REVISION_STATUSES } from "../fields/revision";
import { isProperties, type Properties, sameValue, valueAt } from "../fields/value";
import { holdsSecret } from "../run/secrecy";

/** By these the engine marks a special value on its wire, and that it is a secret. */
export const ENGINE_MARK = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

export const marked = (value: unknown): Properties => ({ [ENGINE_MARK]: SECRET, value });

export const isMarked = (value: unknown): value is Properties =>
  isProperties(value) && value[ENGINE_MARK] === SECRET;

/** Each value within marked by itself, so that names stay readable. */
export function secret(value: unknown): unknown {
  return isProperties(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, secret(member)]))
    : marked(value);
}

/** The names of states say nothing of a secret that happens to be called so. */
const STATES: ReadonlySet<string> = new Set([
  ...DEPLOYMENT_STATUSES,
  ...REVISION_STATUSES,
  ...ROLLOUT_STATES,
]);

/**
 * The values, with a mark on every text that holds a secret's value. `known`: what the engine has at the same place; it
 * knows of that whether it is secret.
 */
export function withMarks(values: Properties, known: Properties): Properties {
  const members = Object.entries(values).map(([name, value]) => [
    name,
    markedIn(value, valueAt(known, [name])),
  ]);
  return Object.fromEntries(members);
}

function markedIn(value: unknown, known: unknown): unknown {
  if (sameValue(value, known)) return value;
  if (typeof value === "string") return holdsSecret(value) && !STATES.has(value) ? marked(value) : value;
  // The engine takes a list for secret as a whole.
  if (Array.isArray(value)) return holdsSecret(value) ? marked(value) : value;
  if (!isProperties(value)) return value;
  const isNew = (name: string): boolean => !isProperties(known) || !Object.hasOwn(known, name);
  return Object.keys(value).some((name) => isNew(name) && holdsSecret(name))
    ? marked(value)
    : withMarks(value, isProperties(known) ? known : {});
}
