/** Turns properties on the engine's wire into values without marks, and back. */
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isProperties, type Properties, valueAt, withValueAt } from "../../fields/value";
import { type Bag, isMarked, mark, separateMarks, type ValuePath } from "../marks";
import { isOfBothForms } from "../schema";

export const bagIn = (struct: Struct | undefined): Bag =>
  struct === undefined ? { values: {}, secrets: [] } : separateMarks(struct.toJavaScript());

/** The recorded properties. A state that the dynamic form wrote also has packed facts, which are dropped. */
export function recordedIn(struct: Struct | undefined): Bag {
  const { values, secrets } = bagIn(struct);
  return {
    values: Object.fromEntries(Object.entries(values).filter(([name]) => isOfBothForms(name))),
    secrets,
  };
}

/** The bag in the form of the wire. Existing marks stay; paths without a value are skipped. */
export function structOf({ values, secrets }: Bag): Struct {
  const whole = secrets.reduce<unknown>(markedAt, values);
  // JSON drops undefined values, which the wire cannot carry.
  return Struct.fromJavaScript(JSON.parse(JSON.stringify(whole)) as { [name: string]: JavaScriptValue });
}

/** Puts values on the wire; the values already have their secret marks. */
export const plainStruct = (values: Properties): Struct => structOf({ values, secrets: [] });

function markedAt(value: unknown, [name, ...innerPath]: ValuePath): unknown {
  if (name === undefined) return isMarked(value) ? value : mark(value);
  if (isMarked(value)) return value;
  if (Array.isArray(value))
    return value.map((element, index) => (index === name ? markedAt(element, innerPath) : element));
  if (!isProperties(value) || !Object.hasOwn(value, name)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, key === name ? markedAt(member, innerPath) : member]),
  );
}

/** The path of the value, or of the outermost list around it. */
export function outsideLists(path: ValuePath): string[] {
  const list = path.findIndex((step) => typeof step === "number");
  return (list < 0 ? path : path.slice(0, list)) as string[];
}

/** Removes the values at the paths. If a path leads into a list, removes the whole list. */
export const without = (values: Properties, paths: readonly ValuePath[]): Properties =>
  paths.map(outsideLists).reduce<unknown>(
    // After an earlier path removed an object, removing a member of that object would add an empty object again.
    (remaining, names) =>
      valueAt(remaining, names) === undefined ? remaining : withValueAt(remaining, names, undefined),
    values,
  ) as Properties;

/** Copies the values at the paths from `source` if `values` lacks them. */
export const filled = (values: Properties, source: Properties, paths: readonly ValuePath[]): Properties =>
  paths.map(outsideLists).reduce<unknown>((whole, names) => {
    const value = valueAt(source, names);
    return value === undefined ? whole : withValueAt(whole, names, valueAt(whole, names) ?? value);
  }, values) as Properties;

/**
 * On the wire, a map entry with the key `__proto__` begins with these bytes; the last byte announces the entry's value.
 */
const LOST_KEY = Buffer.concat([Buffer.from([0x0a, 9]), Buffer.from("__proto__"), Buffer.from([0x12])]);

/** Whether a message has an entry named `__proto__`, which the library drops when it reads the message. */
export const losesEntry = (message: Buffer): boolean => message.includes(LOST_KEY);
