/** Properties on the engine's wire, separated into plain values and the paths of those that are marked secret. */
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isProperties, type Properties, propertiesIn } from "../../fields/value";
import { isMarked, mark } from "../marks";
import { isOfBothForms } from "../schema";

/** The names and list indexes that lead to a value. */
export type ValuePath = readonly (string | number)[];

/** A property bag from the engine, with the secret marks separated. */
export interface Bag {
  readonly values: Properties;
  /** Paths of values that are marked secret by the program, or by the resource whose output they are. */
  readonly secrets: readonly ValuePath[];
}

export const EMPTY_BAG: Bag = { values: {}, secrets: [] };

export const bagIn = (struct: Struct | undefined): Bag =>
  struct === undefined ? EMPTY_BAG : separateMarks(struct.toJavaScript());

/** Recorded properties, without packed facts that are left in a state from the dynamic form. */
export function recordedIn(struct: Struct | undefined): Bag {
  const { values, secrets } = bagIn(struct);
  return {
    values: Object.fromEntries(Object.entries(values).filter(([name]) => isOfBothForms(name))),
    secrets,
  };
}

/** Separates the marks from the values. */
export function separateMarks(values: Properties): Bag {
  const secrets: ValuePath[] = [];
  return { values: unmarked(values, [], secrets) as Properties, secrets };
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

/** The bag on the wire. Existing marks stay; paths without a value are skipped. */
export function structOf({ values, secrets }: Bag): Struct {
  const whole = secrets.reduce<unknown>(markedAt, values);
  // The wire has no undefined.
  return Struct.fromJavaScript(JSON.parse(JSON.stringify(whole)) as { [name: string]: JavaScriptValue });
}

/** Puts values on the wire whose secrets are already marked. */
export const plainStruct = (values: Properties): Struct => structOf({ values, secrets: [] });

function markedAt(value: unknown, [name, ...rest]: ValuePath): unknown {
  if (name === undefined) return isMarked(value) ? value : mark(value);
  if (isMarked(value)) return value;
  if (Array.isArray(value))
    return value.map((element, index) => (index === name ? markedAt(element, rest) : element));
  if (!isProperties(value) || !Object.hasOwn(value, name)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, key === name ? markedAt(member, rest) : member]),
  );
}

/** The dotted path, without list indexes, as in the names of arguments. */
export const pathOf = (path: ValuePath): string => path.filter((step) => typeof step === "string").join(".");

/** The path of the value, or of the outermost list around it. */
function outsideLists(path: ValuePath): string[] {
  const list = path.findIndex((step) => typeof step === "number");
  return (list < 0 ? path : path.slice(0, list)) as string[];
}

/** The values without those at the paths. A list that holds such a value is removed as a whole. */
export function without(values: Properties, paths: readonly ValuePath[]): Properties {
  return paths.map(outsideLists).reduce<unknown>(withoutValueAt, values) as Properties;
}

function withoutValueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || !isProperties(value) || !Object.hasOwn(value, name)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== name || rest.length > 0);
  return Object.fromEntries(
    entries.map(([key, member]) => [key, key === name ? withoutValueAt(member, rest) : member]),
  );
}

/** The values, in which those at the paths come from `source`. */
export function filled(values: Properties, source: Properties, paths: readonly ValuePath[]): Properties {
  return paths
    .map(outsideLists)
    .reduce<unknown>((value, names) => withValueFrom(value, source, names), values) as Properties;
}

function withValueFrom(value: unknown, source: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return source;
  if (!isProperties(source) || !Object.hasOwn(source, name)) return value;
  const target = propertiesIn(value);
  const before = Object.hasOwn(target, name) ? target[name] : undefined;
  return { ...target, [name]: withValueFrom(before, source[name], rest) };
}

/** The bytes of a map entry's key `__proto__` on the wire, with the start of the value. */
const LOST_KEY = Buffer.concat([Buffer.from([0x0a, 9]), Buffer.from("__proto__"), Buffer.from([0x12])]);

/** Whether a message has an entry named `__proto__`, which the library drops when it reads the message. */
export const losesEntry = (message: Buffer): boolean => message.includes(LOST_KEY);
