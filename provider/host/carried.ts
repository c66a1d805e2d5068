/**
 * What travels beside a resource's arguments and outputs, under names that begin with `__`: the engine hides those in
 * the plan's text. Nothing below the hosts sees such a name.
 */
import { type Hidden, hiddenBy } from "../fields/check";
import { isProperties, type Properties, valueAt } from "../fields/value";

/** The resource's URN: the methods of a dynamic resource are not told it. */
export const URN = "__urn";
/** Paths of arguments whose values the program marked secret, beyond those that always are. */
export const SECRET_PATHS = "__secrets";
/** Time-outs of the resource's options, in seconds; the engine does not pass them on. */
export const TIMEOUTS = "__timeouts";
/** Set where the resource's own options keep the engine from deleting it. */
export const RETAINED = "__retained";
/** The resource's own option deleteBeforeReplace, which outdoes what the provider asks for. */
export const DELETE_BEFORE_REPLACE = "__deleteBeforeReplace";
/** Set on a resource that is only read. */
export const READ_ONLY = "__get";
/**
 * The profile under which the plan was made, unless it is the plain default and the stack's configuration names none: a
 * preview's JSON holds that configuration, but not the environment, which may have overridden it. Computed by `check`.
 */
export const PROFILE_IN_USE = "__profile";
/** The code that the dynamic host runs. */
const PROVIDER = "__provider";

/** Whether these are inputs or outputs of a resource of the dynamic form. */
export const isOfDynamicForm = (properties: Properties): boolean => Object.hasOwn(properties, PROVIDER);

const CARRIED: ReadonlySet<string> = new Set([
  URN,
  SECRET_PATHS,
  TIMEOUTS,
  RETAINED,
  DELETE_BEFORE_REPLACE,
  READ_ONLY,
  PROFILE_IN_USE,
  PROVIDER,
]);

/** What the provider notes in a resource's outputs for its next run: the name below the hosts, and that in the state. */
const NOTES = new Map([
  ["incomplete", "__incomplete"],
  ["uncertainSince", "__uncertain"],
  ["respelled", "__reported"],
  ["describedRevision", "__revision"],
  ["foreignSecrets", "__foreignSecrets"],
]);
const BY_STATE_NAME = new Map([...NOTES].map(([note, name]) => [name, note]));

/** Properties as the engine holds them, told apart. */
export interface Received {
  /** What travels beside them. */
  readonly carried: Properties;
  /** The arguments, outputs and notes, by the names that the provider knows. */
  readonly values: Properties;
}

export function received(properties: Properties): Received {
  const [carried, values]: [Properties, Properties] = [{}, {}];
  for (const [name, value] of Object.entries(properties)) {
    if (CARRIED.has(name)) carried[name] = value;
    else values[BY_STATE_NAME.get(name) ?? name] = value;
  }
  return { carried, values };
}

/** The same in one: what travels beside keeps its names, which no argument or output has. */
export function readable(properties: Properties): Properties {
  const { carried, values } = received(properties);
  return { ...carried, ...values };
}

/** Outputs as the engine is to hold them. */
export function handedOver({ carried, values }: Received): Properties {
  const properties: Properties = { ...carried };
  for (const [name, value] of Object.entries(values)) properties[NOTES.get(name) ?? name] = value;
  return properties;
}

export const urnIn = (carried: Properties): string =>
  typeof carried[URN] === "string" ? (carried[URN] as string) : "";

export const secretPathsIn = (carried: Properties): string[] =>
  Array.isArray(carried[SECRET_PATHS]) ? carried[SECRET_PATHS].map(String) : [];

/** Which values of these deployments, listeners or others must not be shown. */
export const hiddenIn = (...properties: Properties[]): Hidden =>
  hiddenBy(["secrets", ...properties.flatMap(secretPathsIn)]);

export const isRetained = (carried: Properties): boolean => carried[RETAINED] === true;

export function deleteBeforeReplaceIn(carried: Properties): boolean | undefined {
  const given = carried[DELETE_BEFORE_REPLACE];
  return typeof given === "boolean" ? given : undefined;
}

export function timeoutsIn(carried: Properties): { readonly [operation: string]: unknown } {
  return isProperties(carried[TIMEOUTS]) ? carried[TIMEOUTS] : {};
}

/** The values that the program marked secret, wherever they stand. */
export function markedIn({ carried, values }: Received): unknown[] {
  return secretPathsIn(carried).flatMap((path) => valuesAt(values, path));
}

/** Every value that a dotted path may mean: a key may hold dots itself, and the places within a list are left out. */
function valuesAt(value: unknown, path: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((element) => valuesAt(element, path));
  if (!isProperties(value)) return [];
  return Object.keys(value).flatMap((name) => {
    const member = valueAt(value, [name]);
    if (name === path) return [member];
    return path.startsWith(`${name}.`) ? valuesAt(member, path.slice(name.length + 1)) : [];
  });
}
