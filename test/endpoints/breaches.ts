/** Makes bodies that break one rule of a JSON schema and are otherwise valid. */
import { UUID } from "./samples";

export interface Schema {
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

export interface Breach {
  /** The path in the body. The elements of an array have the path of the array. */
  readonly path: string;
  /** The fault of the body at `path`, such as "is missing". */
  readonly what: string;
  readonly value: unknown;
}

function nonNull(schema: Schema): Schema {
  const [one = schema, other] = schema.anyOf ?? [];
  if (one !== schema && other?.type !== "null") throw new Error(`cannot read ${JSON.stringify(schema)}`);
  return one;
}

/** A value with every field of the schema. */
export function wholeOf(schemaGiven: Schema): unknown {
  const schema = nonNull(schemaGiven);
  const { type, format, minimum, items, properties, additionalProperties } = schema;
  const [word] = schema.enum ?? [schema.const];
  if (word !== undefined) return word;
  if (type === "array") return items === undefined ? [] : [wholeOf(items)];
  if (type === "object") {
    if (properties !== undefined)
      return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, wholeOf(each)]));
    return typeof additionalProperties === "object" ? { text: wholeOf(additionalProperties) } : {};
  }
  if (type === "string") return format === "uuid" ? UUID : "text";
  return type === "boolean" ? false : (minimum ?? 1);
}

/** A body for each way to break the schema in one place. */
export function breachesOf(schemaGiven: Schema, path = ""): Breach[] {
  const schema = nonNull(schemaGiven);
  const { items, properties, additionalProperties, required = [] } = schema;
  const wrong = schema === schemaGiven ? [...wrongValues(schema), null] : wrongValues(schema);
  const breaches = wrong.map((value) => ({ path, what: `is ${JSON.stringify(value)}`, value }));
  if (items !== undefined) return [...breaches, ...wrapped(breachesOf(items, path), (value) => [value])];
  if (typeof additionalProperties === "object")
    return [
      ...breaches,
      ...wrapped(breachesOf(additionalProperties, join(path, "text")), (text) => ({ text })),
    ];
  if (properties === undefined) return breaches;
  const whole = wholeOf(schema) as { [name: string]: unknown };
  const without = (name: string) =>
    Object.fromEntries(Object.entries(whole).filter(([each]) => each !== name));
  return [
    ...breaches,
    { path: join(path, "stranger"), what: "is there", value: { ...whole, stranger: "text" } },
    ...required.map((name) => ({ path: join(path, name), what: "is missing", value: without(name) })),
    ...Object.entries(properties).flatMap(([name, each]) =>
      wrapped(breachesOf(each, join(path, name)), (value) => ({ ...whole, [name]: value })),
    ),
  ];
}

const join = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

const wrapped = (breaches: readonly Breach[], wrap: (value: unknown) => unknown): Breach[] =>
  breaches.map((breach) => ({ ...breach, value: wrap(breach.value) }));

/** Values that the schema refuses: they have a wrong type, or are outside the bounds or the enum. */
function wrongValues({ type, format, enum: words, const: word, minimum, maximum }: Schema): unknown[] {
  if (words !== undefined || word !== undefined) return ["no such word"];
  if (type === undefined) return [];
  if (type === "string") return format === undefined ? [1] : [1, "text"];
  if (type === "boolean") return ["true"];
  if (type === "array") return [{}];
  if (type === "object") return [[]];
  return [
    "1",
    ...(type === "integer" ? [1.5] : []),
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
  ];
}
