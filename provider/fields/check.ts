/** Checks arguments against their table. Each fault is one sentence: where, what was given, what is allowed; secret values are not shown. */
import { allowed, type Kind, type Rows } from "./kind";
import { placed } from "./placed";
import { type Properties, UNKNOWN } from "./value";
import { suggestion } from "./words";
import type { ZodMiniType } from "./zod";

export interface Fault {
  readonly path: readonly string[];
  readonly words: string;
}

/** Whether the value at a path must not be shown. */
export type Hidden = (path: string) => boolean;

/**
 * Hides the values at these paths, what is within them, and what they are within. Such a path leaves the places within
 * a list out; the path of a value may have them.
 */
export function hiddenBy(paths: readonly string[]): Hidden {
  const isWithin = (path: string, by: string) => path === by || path.startsWith(`${by}.`);
  return (path) => {
    const ways = [path, withoutPlaces(path)];
    return paths.some((by) => ways.some((way) => isWithin(way, by) || isWithin(by, way)));
  };
}

const withoutPlaces = (path: string): string =>
  path
    .split(".")
    .filter((name) => !/^\d+$/.test(name))
    .join(".");

/** The names of the table's secret rows. */
export function secretNamesIn(rows: Rows): string[] {
  return Object.keys(rows).filter((name) => rows[name]?.secret === true);
}

/** `sourceConfig.buildOnPush: got …`. */
export const faultInWords = ({ path, words }: Fault): string => placed(path.join("."), words);

/** Loaded with the first check: a refresh and a destroy make none. */
const zod = () => require("./zod") as typeof import("./zod");

/** Many fields have one kind, and some objects the same rows: each of these needs but one schema. */
const schemas = new WeakMap<Kind<unknown> | Rows, ZodMiniType>();
const optionals = new WeakMap<ZodMiniType, ZodMiniType>();

function remembered<T extends object>(
  by: WeakMap<T, ZodMiniType>,
  of: T,
  make: (of: T) => ZodMiniType,
): ZodMiniType {
  const schema = by.get(of) ?? make(of);
  by.set(of, schema);
  return schema;
}

/** The zod schema of a kind, as a program gives it. */
const schemaOf = (kind: Kind<unknown>): ZodMiniType => remembered(schemas, kind, schemaOfKind);
const objectSchema = (rows: Rows): ZodMiniType => remembered(schemas, rows, schemaOfRows);
const optional = (schema: ZodMiniType): ZodMiniType => remembered(optionals, schema, zod().optional);

function schemaOfKind(kind: Kind<unknown>): ZodMiniType {
  const z = zod();
  switch (kind.type) {
    case "text":
      return kind.nonEmpty ? z.string().check(z.regex(/\S/)) : z.string();
    case "uuid":
      return z.guid();
    case "timestamp":
      return z.string();
    case "integer":
      return kind.minimum === undefined ? z.int() : z.int().check(z.gte(kind.minimum));
    case "number":
      return kind.minimum === undefined ? z.number() : z.number().check(z.gte(kind.minimum));
    case "boolean":
      return z.boolean();
    case "choice": {
      const one = z.literal([...kind.values]);
      return kind.orUuid ? z.union([one, z.guid()]) : one;
    }
    case "list":
      return z.array(schemaOf(kind.of));
    case "map":
      return z.record(z.string(), schemaOf(kind.of));
    case "keyed":
      return z.record(z.string().check(z.regex(/\S/)), kind.single ? z.string() : objectSchema(kind.rows));
    case "json":
      return z.json();
    case "jsonObject":
      return z.record(z.string(), z.json());
    case "object":
      return objectSchema(kind.rows);
  }
}

function schemaOfRows(rows: Rows): ZodMiniType {
  const shape = Object.entries(rows).map(([name, field]) => {
    const schema = schemaOf(field.kind);
    return [name, field.required ? schema : optional(schema)];
  });
  return zod().strictObject(Object.fromEntries(shape) as Record<string, ZodMiniType>);
}

/** The faults of a table's values. Parts that are unknown until apply are taken to be right. */
export function faultsIn(rows: Rows, value: Properties, hidden: Hidden): Fault[] {
  const parsed = objectSchema(rows).safeParse(value);
  if (parsed.success) return [];
  const unknown = unknownPlaces(value, []);
  return parsed.error.issues.flatMap((issue) => {
    const path = issue.path.map(String);
    if (unknown.some((place) => place.every((name, index) => path[index] === name))) return [];
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => strangerFault(rows, [...path, key]));
    if (issue.code === "invalid_key")
      return [{ path: path.slice(0, -1), words: "has an entry without a name" }];
    return [valueFault(rows, value, path, hidden)];
  });
}

/** Where something stands that is only known at the apply. */
function unknownPlaces(value: unknown, path: readonly string[]): (readonly string[])[] {
  if (value === UNKNOWN) return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => unknownPlaces(member, [...path, name]));
}

function valueFault(rows: Rows, value: Properties, path: string[], hidden: Hidden): Fault {
  const { kind, depth } = kindAt(rows, path);
  const place = path.slice(0, depth);
  const given = valueAtAny(value, place);
  const shown = hidden(place.join(".")) ? `${typeName(given)} (secret, so not shown)` : show(given);
  const words = given === undefined ? "is missing" : `got ${shown}`;
  return { path: place, words: `${words}; allowed: ${kind ? allowed(kind) : "a known field"}` };
}

function strangerFault(rows: Rows, path: string[]): Fault {
  const name = path.at(-1) as string;
  if (name === "repoCommitSha")
    return {
      path,
      words: "is set by the service and cannot be given; to build a commit, give a ref as repoRef",
    };
  const { kind } = kindAt(rows, path.slice(0, -1));
  const members = kind?.type === "object" || kind?.type === "keyed" ? kind.rows : rows;
  return { path, words: `is not an argument; ${suggestion(name, Object.keys(members))}` };
}

/** The kind of the value at the path, as deep as the table knows it. */
function kindAt(rows: Rows, path: readonly string[]): { kind: Kind<unknown> | undefined; depth: number } {
  let kind: Kind<unknown> = { type: "object", rows };
  for (const [depth, name] of path.entries()) {
    const next = memberKind(kind, name);
    if (next === undefined) return { kind: depth === 0 ? undefined : kind, depth: Math.max(depth, 1) };
    kind = next;
  }
  return { kind, depth: path.length };
}

function memberKind(kind: Kind<unknown>, name: string): Kind<unknown> | undefined {
  switch (kind.type) {
    case "object":
      return Object.hasOwn(kind.rows, name) ? kind.rows[name]?.kind : undefined;
    case "list":
    case "map":
      return kind.of;
    case "keyed":
      return kind.single ? { type: "text" } : { type: "object", rows: kind.rows };
    default:
      return undefined;
  }
}

function valueAtAny(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (current, name) =>
      typeof current === "object" && current !== null && Object.hasOwn(current, name)
        ? (current as Properties)[name]
        : undefined,
    value,
  );
}

function show(value: unknown): string {
  // Of a number that is none, JSON knows nothing.
  const words = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value));
  return `${words.length > 120 ? `${words.slice(0, 119)}…` : words} (${typeName(value)})`;
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (value === null) return "null";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
