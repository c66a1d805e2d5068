/** Properties on the engine's wire: plain values, with the places of those that are marked secret. */
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isProperties, type Properties } from "../../fields/value";
import { isMarked, marked } from "../marks";
import { isOfBothForms } from "../schema";

/** Names and places within lists that lead to a value. */
export type Place = readonly (string | number)[];

/** Properties as they came, told apart. */
export interface Sent {
  readonly values: Properties;
  /** Where the program, or whoever it has a value from, marked it secret. */
  readonly secrets: readonly Place[];
}

export const NOTHING_SENT: Sent = { values: {}, secrets: [] };

export const sentIn = (struct: Struct | undefined): Sent =>
  struct === undefined ? NOTHING_SENT : told(struct.toJavaScript());

/** What `check` or the service has answered. A state that has moved over still has what the dynamic form packs into it. */
export function recordedIn(struct: Struct | undefined): Sent {
  const { values, secrets } = sentIn(struct);
  return {
    values: Object.fromEntries(Object.entries(values).filter(([name]) => isOfBothForms(name))),
    secrets,
  };
}

/** The marks within the values told apart from them. */
export function told(values: Properties): Sent {
  const secrets: Place[] = [];
  return { values: unmarked(values, [], secrets) as Properties, secrets };
}

function unmarked(value: unknown, place: Place, secrets: Place[]): unknown {
  if (Array.isArray(value))
    return value.map((element, index) => unmarked(element, [...place, index], secrets));
  if (!isProperties(value)) return value;
  if (!isMarked(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, unmarked(member, [...place, name], secrets)]),
    );
  secrets.push(place);
  return unmarked(value.value, place, []);
}

/** The same on the wire. What is marked already stays so; what has no value at one of the places is left alone. */
export function structOf({ values, secrets }: Sent): Struct {
  const whole = secrets.reduce<unknown>(markedAt, values);
  // The wire has no undefined.
  return Struct.fromJavaScript(JSON.parse(JSON.stringify(whole)) as { [name: string]: JavaScriptValue });
}

/** Values that are marked already wherever they are secret. */
export const plainStruct = (values: Properties): Struct => structOf({ values, secrets: [] });

function markedAt(value: unknown, [name, ...rest]: Place): unknown {
  if (name === undefined) return isMarked(value) ? value : marked(value);
  if (isMarked(value)) return value;
  if (Array.isArray(value))
    return value.map((element, index) => (index === name ? markedAt(element, rest) : element));
  if (!isProperties(value) || !Object.hasOwn(value, name)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([own, member]) => [own, own === name ? markedAt(member, rest) : member]),
  );
}

/** The names down to a list, as paths of arguments are written; the places within it are left out. */
export const pathOf = (place: Place): string => place.filter((step) => typeof step === "string").join(".");

/** The place of the value, or of the list that holds it. */
function outsideLists(place: Place): string[] {
  const list = place.findIndex((step) => typeof step === "number");
  return (list < 0 ? place : place.slice(0, list)) as string[];
}

/** The values without those at the places. A list that holds one goes as a whole. */
export function without(values: Properties, places: readonly Place[]): Properties {
  return places.map(outsideLists).reduce<unknown>(removed, values) as Properties;
}

function removed(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || !isProperties(value) || !Object.hasOwn(value, name)) return value;
  const others = Object.entries(value).filter(([own]) => own !== name || rest.length > 0);
  return Object.fromEntries(
    others.map(([own, member]) => [own, own === name ? removed(member, rest) : member]),
  );
}

/** The values with those at the places as `source` has them. */
export function filled(values: Properties, source: Properties, places: readonly Place[]): Properties {
  return places
    .map(outsideLists)
    .reduce<unknown>((value, names) => taken(value, source, names), values) as Properties;
}

function taken(value: unknown, source: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return source;
  if (!isProperties(source) || !Object.hasOwn(source, name)) return value;
  const own = isProperties(value) ? value : {};
  const before = Object.hasOwn(own, name) ? own[name] : undefined;
  return { ...own, [name]: taken(before, source[name], rest) };
}

/** On the wire: the key of a map's entry, before the value. */
const LOST_KEY = Buffer.concat([Buffer.from([0x0a, 9]), Buffer.from("__proto__"), Buffer.from([0x12])]);

/** Whether a message has an entry named `__proto__`, which the library drops when it reads it. */
export const losesEntry = (message: Buffer): boolean => message.includes(LOST_KEY);
