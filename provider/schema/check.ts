/** Validates the values of every table, with zod schemas made from the rows. A fault is one sentence. */
import * as z from "zod/mini";
import { allowed, type Kind, nonEmptyText, type Rows } from "./kind";
import type { Arguments } from "./recorded";
import { isProperties, UNKNOWN } from "./value";
import type { Spelling } from "./wire";
import { didYouMean, nearest, shownNames, suggestion, withPlace } from "./words";

export interface Fault {
  readonly path: readonly string[];
  readonly words: string;
  /** Whether the fault is a name that the table does not have. */
  readonly misnamed?: true;
}

/** Returns whether the value at a path must stay hidden. */
export type Hidden = (path: string) => boolean;

/** Hides the values at these paths, everything inside them and every object around them. */
export function hiddenBy(paths: readonly string[]): Hidden {
  const isWithin = (inner: string, outer: string) => inner === outer || inner.startsWith(`${outer}.`);
  return (path) => {
    const withoutListIndexes = path.replace(/\.\d+(?=\.|$)/g, "");
    const spellings = [path, withoutListIndexes];
    return paths.some((hiddenPath) =>
      spellings.some((spelling) => isWithin(spelling, hiddenPath) || isWithin(hiddenPath, spelling)),
    );
  };
}

/** Returns, for example, `sourceConfig.buildOnPush: got …`. */
export const faultInWords = ({ path, words }: Fault): string => withPlace(path.join("."), words);

export interface Manner {
  /** The noun in the fault "is not an argument". If there is no noun, members without a row are allowed. */
  readonly names?: "an argument" | "a setting" | "an option" | "a field";
  /** Whether only the types of values are checked, because a newer service may return new values. */
  readonly open?: boolean;
  /** Which values may be null: only fields, or fields and entries of maps. If undefined, no value may be null. */
  readonly nulls?: "fields" | "all";
  /** How strictly to check lists and named entries, which a request always sends whole. */
  readonly whole?: Manner;
}

export const ARGUMENTS: Manner = { names: "an argument" };
/** Arguments of an update, in which null clears a field. */
export const CHANGES: Manner = { names: "an argument", nulls: "all", whole: ARGUMENTS };
export const SETTINGS: Manner = { names: "a setting" };
/** A service's answer, after its fields are renamed to the program's names. */
export const ANSWERS: Manner = { open: true };

export type Schema = z.ZodMiniType;
type Described = Kind<unknown> | Rows;

/** One schema for each kind or table under each `Manner`, because fields share kinds and objects share tables. */
const schemas = new WeakMap<Manner, WeakMap<Described, Schema>>();

function cachedSchema<D extends Described>(
  source: D,
  manner: Manner,
  make: (described: D, manner: Manner) => Schema,
): Schema {
  const ofManner = schemas.get(manner) ?? new WeakMap<Described, Schema>();
  schemas.set(manner, ofManner);
  const schema = ofManner.get(source) ?? make(source, manner);
  ofManner.set(source, schema);
  return schema;
}

export const schemaOf = (kind: Kind<unknown>, manner: Manner): Schema =>
  cachedSchema(kind, manner, schemaOfKind);
export const schemaOfRows = (rows: Rows, manner: Manner): Schema => cachedSchema(rows, manner, makeRows);

function schemaOfKind(described: Kind<unknown>, manner: Manner): Schema {
  const kind = manner.open ? typeAlone(described) : described;
  const words = allowed(kind);
  const whole = manner.whole ?? manner;
  switch (kind.type) {
    case "text":
      return kind.regex ? z.string(words).check(z.regex(kind.regex, words)) : z.string(words);
    case "uuid":
      return z.guid(words);
    case "timestamp":
      return z.string(words);
    case "integer":
    case "number":
      return numberSchema(kind, words);
    case "boolean":
      return z.boolean(words);
    case "choice": {
      if (kind.open) return schemaOf(nonEmptyText, manner);
      const choice = z.literal([...kind.values], words);
      return kind.orUuid ? z.union([choice, z.guid(words)], words) : choice;
    }
    case "list":
      return z.array(schemaOf(kind.of, whole), words);
    case "map": {
      const entry = schemaOf(kind.of, manner);
      return z.record(z.string(), manner.nulls === "all" ? z.nullable(entry) : entry, words);
    }
    case "keyed":
      return z.record(
        z.string().check(z.regex(/\S/)),
        kind.single ? z.string(allowed({ type: "text" })) : schemaOfRows(kind.rows, whole),
        { error: ({ code }) => (code === "invalid_key" ? "has an entry without a name" : words) },
      );
    case "json":
      return z.custom(isJson, words);
    case "jsonObject":
      return z.custom((value) => isProperties(value) && isJson(value), words);
    case "object":
      return schemaOfRows(kind.rows, manner);
  }
}

function typeAlone(kind: Kind<unknown>): Kind<unknown> {
  if (["text", "uuid", "timestamp", "choice"].includes(kind.type)) return { type: "text" };
  return kind.type === "integer" || kind.type === "number" ? { type: "number" } : kind;
}

function numberSchema(
  { type, minimum, maximum }: Extract<Kind<unknown>, { minimum?: number }>,
  words: string,
): Schema {
  const bounds = [
    ...(minimum === undefined ? [] : [z.gte(minimum, words)]),
    ...(maximum === undefined ? [] : [z.lte(maximum, words)]),
  ];
  return (type === "integer" ? z.int(words) : z.number(words)).check(...bounds);
}

function isJson(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isJson);
  if (isProperties(value))
    return isPlain(value) && Object.values(value).every((member) => member === undefined || isJson(member));
  return value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function makeRows(rows: Rows, manner: Manner): Schema {
  const members = Object.entries(rows).map(([name, { kind, required }]): [string, Schema] => [
    name,
    memberSchema(schemaOf(kind, manner), required === true, manner.nulls !== undefined),
  ]);
  return objectSchema(Object.fromEntries(members), manner);
}

export function memberSchema(schema: Schema, isRequired: boolean, mayBeNull: boolean): Schema {
  const orNull = mayBeNull ? z.nullable(schema) : schema;
  return isRequired ? orNull : z.optional(orNull);
}

/** If the manner has no `names`, the object may have any other members too. */
export function objectSchema(members: { [name: string]: Schema }, { names }: Manner): Schema {
  const all = Object.keys(members);
  const words = `an object with the fields {${shownNames(all)}}`;
  if (names === undefined) return z.looseObject(members, words);
  return z.strictObject(members, {
    error: ({ code }) => (code === "unrecognized_keys" ? all.join(", ") : words),
  });
}

/** Zod's report of a value that the schema does not allow. */
export type Issue = NonNullable<ReturnType<Schema["safeParse"]>["error"]>["issues"][number];

export const issuesIn = (schema: Schema, value: unknown): readonly Issue[] =>
  schema.safeParse(value, { reportInput: true }).error?.issues ?? [];

/** A value that is unknown until apply has no fault. `values`: the service's own spellings of values. */
export const faultsIn = (
  rows: Rows,
  value: unknown,
  hidden: Hidden,
  manner = ARGUMENTS,
  values: Spelling["values"] = {},
): Fault[] =>
  issuesIn(schemaOfRows(rows, manner), value)
    .filter(({ code, input }) => input !== UNKNOWN || code === "unrecognized_keys")
    .flatMap((issue) => faultsOf(issue, hidden, manner, values));

/** Each unknown name becomes its own fault. Any other issue becomes a single fault. */
export function faultsOf(
  issue: Issue,
  hidden: Hidden,
  { names }: Manner,
  values: Spelling["values"] = {},
): Fault[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({
      path: [...path, key],
      words: `is not ${names}; ${suggestion(key, issue.message.split(", "))}`,
      misnamed: true,
    }));
  if (issue.code === "invalid_key") return [{ path: path.slice(0, -1), words: issue.message }];
  if (issue.input === undefined) return [{ path, words: `is missing; allowed: ${issue.message}` }];
  if (issue.input === null) return [{ path, words: `has no value; allowed: ${issue.message}` }];
  if (hidden(path.join(".")))
    return [
      { path, words: `got ${typeName(issue.input)} (secret, so not shown); allowed: ${issue.message}` },
    ];
  return [{ path, words: `got ${show(issue.input)}; allowed: ${issue.message}${remedyFor(issue, values)}` }];
}

function remedyFor({ input, ...issue }: Issue, values: Spelling["values"]): string {
  if (typeof input !== "string") return "";
  const wireWords = values[issue.path.join(".")] ?? {};
  const wireWord = nearest(input, Object.values(wireWords));
  const programWord = Object.keys(wireWords).find((word) => wireWords[word] === wireWord);
  if (programWord !== undefined) return didYouMean(programWord, [programWord]);
  const words = [...issue.message.matchAll(/"([^"]+)"/g)].map(([, word]) => word as string);
  return didYouMean(input, words);
}

function show(value: unknown): string {
  // JSON cannot express NaN or infinity.
  const words = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value));
  return `${words.length > 120 ? `${words.slice(0, 119)}…` : words} (${typeName(value)})`;
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** The fault if `onDestroy` asks for a deletion that the service cannot carry out. */
export function deletionFaults({ onDestroy }: Arguments, canDelete: boolean, profile: string): Fault[] {
  if (onDestroy !== "delete" || canDelete) return [];
  const words = `got "delete", but the service of profile "${profile}" has no DELETE; allowed: "retain", "fail"`;
  return [{ path: ["onDestroy"], words }];
}
