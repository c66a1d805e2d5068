/** Turns properties on the engine's wire into values without marks, and back. */
import { BinaryReader } from "google-protobuf";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isAbsent, isProperties, type Properties, valueAt, withValueAt } from "../../schema/value";
import { type Bag, isMarked, mark, separateMarks, type ValuePath } from "../marks";
import { isOfBothForms } from "../schema";

export const bagIn = (struct: Struct | undefined): Bag =>
  struct === undefined ? { values: {}, secrets: [] } : separateMarks(struct.toJavaScript());

/** The recorded properties. Drops the packed facts in a state that the dynamic form wrote. */
export function recordedIn(struct: Struct | undefined): Bag {
  const { values, secrets } = bagIn(struct);
  return {
    values: Object.fromEntries(Object.entries(values).filter(([name]) => isOfBothForms(name))),
    secrets,
  };
}

export function structOf({ values, secrets }: Bag): Struct {
  // JSON drops undefined values, which the wire cannot carry.
  const json = JSON.parse(JSON.stringify(marked(values, secrets))) as { [name: string]: JavaScriptValue };
  return Struct.fromJavaScript(json);
}

/**
 * Adds a mark at each path that has a value, except inside another mark. The SDK removes only one of two nested marks.
 */
export const marked = <V extends Properties>(values: V, paths: readonly ValuePath[]): V =>
  [...paths].sort((a, b) => a.length - b.length).reduce<unknown>(markedAt, values) as V;

/** The values already have their secret marks. */
export const plainStruct = (values: Properties): Struct => structOf({ values, secrets: [] });

function markedAt(value: unknown, [name, ...innerPath]: ValuePath): unknown {
  if (isMarked(value) || isAbsent(value)) return value;
  if (name === undefined) return mark(value);
  if (Array.isArray(value))
    return value.map((element, index) => (index === name ? markedAt(element, innerPath) : element));
  if (!isProperties(value) || !Object.hasOwn(value, name)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, key === name ? markedAt(member, innerPath) : member]),
  );
}

/** The fields of a message by the names of their setters: `Id` for `setId`. */
type FieldsOf<M> = {
  [S in keyof M as S extends `set${infer Name}` ? Name : never]?: M[S] extends (value: infer V) => M
    ? V
    : never;
};

export function filled<M extends object>(message: M, fields: FieldsOf<M>): M {
  const setters = message as { [setter: string]: (value: unknown) => unknown };
  for (const [name, value] of Object.entries(fields)) setters[`set${name}`]?.(value);
  return message;
}

/** The path of the value, or of the outermost list around it. */
function outsideLists(path: ValuePath): string[] {
  const list = path.findIndex((step) => typeof step === "number");
  return (list < 0 ? path : path.slice(0, list)) as string[];
}

/** Removes the values at the paths. Removes the whole list if a path leads into a list. */
export const without = (values: Properties, paths: readonly ValuePath[]): Properties =>
  paths.map(outsideLists).reduce<unknown>(
    // If an earlier path removed an object, `withValueAt` would add an empty object in its place.
    (remaining, names) =>
      valueAt(remaining, names) === undefined ? remaining : withValueAt(remaining, names, undefined),
    values,
  ) as Properties;

/** The beginning, on the wire, of a map entry with the key `__proto__`. The last byte announces the value. */
const LOST_KEY = Buffer.concat([Buffer.from([0x0a, 9]), Buffer.from("__proto__"), Buffer.from([0x12])]);

/** The number of the field `old_outputs` in `Check`'s request. The pinned SDK drops this field. */
const OLD_OUTPUTS = 9;

/** The old outputs in a request for `Check`; empty if the engine sends none. */
export function oldOutputsIn(request: Buffer): Struct {
  const outputs = new Struct();
  const reader = new BinaryReader(request);
  while (reader.nextField())
    if (reader.getFieldNumber() !== OLD_OUTPUTS) reader.skipField();
    else reader.readMessage(outputs, Struct.deserializeBinaryFromReader);
  return outputs;
}

/** Whether a message has an entry named `__proto__`, which the library drops when it reads the message. */
export const losesEntry = (message: Buffer): boolean => message.includes(LOST_KEY);
