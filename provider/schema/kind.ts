/**
 * The vocabulary of the tables in this folder: the kinds of values, and the effects of changing a field.
 *
 * A kind is plain data. Everything else about a field is derived from the field's row, so a new field takes only one
 * new row.
 */
import { shownNames } from "./words";

/** The effects that a change to a field can have on a running deployment, strongest first. */
export const CHANGE_CLASSES = ["replace", "newRevision", "mayRevise", "inPlace"] as const;
export type ChangeClass = (typeof CHANGE_CLASSES)[number];

type Shape =
  | { readonly type: "text"; readonly regex?: RegExp; readonly words?: string }
  | { readonly type: "uuid" }
  | { readonly type: "timestamp" }
  | { readonly type: "integer" | "number"; readonly minimum?: number; readonly maximum?: number }
  | { readonly type: "boolean" }
  | {
      readonly type: "choice";
      readonly values: readonly (string | boolean)[];
      readonly orUuid?: boolean;
      readonly open?: boolean;
    }
  | { readonly type: "list"; readonly of: Kind<unknown> }
  | { readonly type: "map"; readonly of: Kind<unknown> }
  | { readonly type: "json" }
  | { readonly type: "jsonObject" }
  | { readonly type: "object"; readonly rows: Rows }
  | { readonly type: "keyed"; readonly rows: Rows; readonly single?: string };

/** The shape of a value. `valueType` is never set, and only gives the value's TypeScript type. */
export type Kind<T> = Shape & { readonly valueType?: T };

/** One row of a table: a field's wire name, kind and change class. */
export interface Field<T, C extends ChangeClass | undefined = ChangeClass | undefined> {
  /** The field's full name on the wire; undefined for an argument that is never sent. */
  readonly wire: string | undefined;
  readonly kind: Kind<T>;
  /** The change class; undefined if the class of the enclosing field applies. */
  readonly class: C;
  readonly required?: boolean;
  readonly secret?: boolean;
  /** Whether only a PATCH can contain the field. */
  readonly patchOnly?: boolean;
  /** Whether a PATCH after the creation sends the field, because the POST cannot contain the field. */
  readonly afterCreation?: boolean;
  /** Whether the fields inside this field have their own change classes. */
  readonly group?: boolean;
  /** Whether the output is null if the service reports nothing. */
  readonly nullable?: boolean;
  /** Whether a PATCH cannot clear the field, so the service keeps a value that the program no longer sets. */
  readonly keptIfUnset?: boolean;
  /** The argument with which this field shares a list on the wire. */
  readonly beside?: string;
  /** The default value; undefined if there is none, or if the profile or the service decides. */
  readonly default?: T;
}

// biome-ignore lint/suspicious/noExplicitAny: a table holds fields of any value type.
export type Rows = { readonly [name: string]: Field<any> };

export type RequiredNames<R> = {
  [K in keyof R]: R[K] extends { readonly required: true } ? K : never;
}[keyof R];

/** The type of a table's values in a program. Editors show the comment above each row. */
export type ValuesOf<R extends Rows> = {
  [K in keyof R as K extends RequiredNames<R> ? never : K]?: R[K] extends Field<infer T> ? T : never;
} & { [K in keyof R as K extends RequiredNames<R> ? K : never]: R[K] extends Field<infer T> ? T : never };

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** A change to an object. Null clears a field, and a list is sent whole. */
export type ChangeOf<T> = { -readonly [name in keyof T]?: MemberChange<NonNullable<T[name]>> | null };
type MemberChange<V> = [V] extends [readonly unknown[]] ? V : [V] extends [object] ? ChangeOf<V> : V;

export const text: Kind<string> = { type: "text" };
export const nonEmptyText: Kind<string> = { type: "text", regex: /\S/, words: "a string that is not empty" };
/** A reference to a container image. The host, tag and digest may have capital letters, but the name may not. */
export const imageReference: Kind<string> = {
  type: "text",
  regex: /^([\w.:[\]-]+\/)?[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*(:[\w.-]+)?(@[\w.+-]+:\w+)?$/,
  words: "an image such as registry.example/name:tag, without https://, blanks or capitals in the name",
};
export const uuid: Kind<string> = { type: "uuid" };
export const timestamp: Kind<string> = { type: "timestamp" };
export const boolean: Kind<boolean> = { type: "boolean" };
export const json: Kind<Json> = { type: "json" };
export const jsonObject: Kind<JsonObject> = { type: "jsonObject" };
/** A count of replicas, megabytes or seconds, never negative. */
export const integer: Kind<number> = { type: "integer", minimum: 0 };
/** A quantity that may have decimals, such as cores, never negative. */
export const decimal: Kind<number> = { type: "number", minimum: 0 };
export const signedInteger: Kind<number> = { type: "integer" };
export const between = (minimum: number, maximum: number): Kind<number> => ({
  type: "number",
  minimum,
  maximum,
});
export const integerFrom = (minimum: number): Kind<number> => ({ type: "integer", minimum });

export const choice = <const V extends readonly (string | boolean)[]>(...values: V): Kind<V[number]> => ({
  type: "choice",
  values,
});
/** The value of `adopt` that takes over a deployment only if it matches what the program would create. */
export const IDENTICAL = "identical";
/** One of the values, or another string that a newer service knows. */
export const openChoice = <const V extends readonly string[]>(
  ...values: V
): Kind<V[number] | (string & Record<never, never>)> => ({ type: "choice", values, open: true });
export const choiceOrUuid = <const V extends readonly (string | boolean)[]>(
  ...values: V
): Kind<V[number] | string> => ({ type: "choice", values, orUuid: true });

export const listOf = <T>(of: Kind<T>): Kind<T[]> => ({ type: "list", of });
export const mapOf = <T>(of: Kind<T>): Kind<{ [key: string]: T }> => ({ type: "map", of });
export const object = <const R extends Rows>(rows: R): Kind<ValuesOf<R>> => ({ type: "object", rows });

/** A map in the program, keyed by name. On the wire, the map is an array of objects with a `name`, in any order. */
export const keyedByName = <const R extends Rows>(rows: R): Kind<{ [name: string]: ValuesOf<R> }> => ({
  type: "keyed",
  rows,
});
/**
 * Like `keyedByName`, but with a single value for each entry. On the wire, each entry is `{name, [wireName]: value}`.
 */
export const keyedText = (wireName: string): Kind<{ [name: string]: string }> => ({
  type: "keyed",
  rows: { value: { wire: wireName, kind: text, class: undefined, required: true } },
  single: wireName,
});

function field<T, C extends ChangeClass | undefined>(
  wire: string | undefined,
  kind: Kind<T>,
  changeClass: C,
): Field<T, C> {
  return { wire, kind, class: changeClass };
}
const row =
  <C extends ChangeClass>(changeClass: C) =>
  <T>(wire: string, kind: Kind<T>) =>
    field(wire, kind, changeClass);

/** A change to this field replaces the resource. */
export const replace = row("replace");
/** A change to this field creates a new revision. */
export const newRevision = row("newRevision");
/** A change to this field may create a new revision. The contract does not say whether the service creates one. */
export const mayRevise = row("mayRevise");
/** A change to this field is applied to the running deployment. */
export const inPlace = row("inPlace");
/** A field inside another field. The outer field's change class applies to the inner field. */
export const part = <T>(wire: string, kind: Kind<T>) => field(wire, kind, undefined);
/** An argument that is never sent to the service. */
export const notSent = <T, C extends ChangeClass>(changeClass: C, kind: Kind<T>) =>
  field(undefined, kind, changeClass);
/** An output that the provider computes, because the service has no such field. */
export const computed = <T>(kind: Kind<T>) => field(undefined, kind, undefined);
/** A table in which every row has its own class. A row without a class does not compile. */
// biome-ignore lint/suspicious/noExplicitAny: a table holds fields of any value type.
export type ClassedRows = { readonly [name: string]: Field<any, ChangeClass> };
/** Fields that share an object on the wire. */
export const group = <const R extends ClassedRows>(wire: string, rows: R): Field<ValuesOf<R>, "inPlace"> => ({
  wire,
  kind: object(rows),
  class: "inPlace",
  group: true,
});

/** The rows with these names, in this order. */
export const picked = <R extends Rows, const N extends keyof R & string>(
  rows: R,
  names: readonly N[],
): Pick<R, N> => Object.fromEntries(names.map((name) => [name, rows[name]])) as Pick<R, N>;

const withMark =
  <M extends "required" | "secret" | "patchOnly" | "afterCreation" | "nullable">(mark: M) =>
  <F extends object>(field: F) =>
    ({ ...field, [mark]: true }) as F & { readonly [mark in M]: true };

export const required = withMark("required");
export const secret = withMark("secret");
export const patchOnly = withMark("patchOnly");
export const afterCreation = withMark("afterCreation");
export const nullable = withMark("nullable");
/** Marks a field that shares its list on the wire, and its change class, with the argument `other`. */
export const sharesListWith =
  (other: string) =>
  <F extends object>(field: F) =>
    ({ ...field, beside: other }) as F & { readonly beside: string };
/** Gives the field a default, which the comment above the row repeats: `…; defaults to 1800`. */
export const withDefault =
  <const V>(fallback: V) =>
  <F extends object>(field: F) =>
    ({ ...field, default: fallback }) as F & { readonly default: V };

export function secretNamesIn(rows: Rows): string[] {
  return Object.keys(rows).filter((name) => rows[name]?.secret === true);
}

/** The paths of the table's secret rows, including rows within its objects. */
export function secretPathsIn(rows: Rows): string[][] {
  return Object.entries(rows).flatMap(([name, { secret, kind }]) => {
    if (secret) return [[name]];
    return kind.type === "object" ? secretPathsIn(kind.rows).map((path) => [name, ...path]) : [];
  });
}

export function allowed(kind: Kind<unknown>): string {
  switch (kind.type) {
    case "text":
      return kind.words ?? "a string";
    case "uuid":
      return "a UUID such as 3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";
    case "timestamp":
      return "an ISO 8601 date and time";
    case "integer":
    case "number":
      return `${kind.type === "integer" ? "an integer" : "a number"}${bounds(kind.minimum, kind.maximum)}`;
    case "boolean":
      return "true or false";
    case "choice":
      return `${kind.values.map((value) => JSON.stringify(value)).join(", ")}${kind.orUuid ? " or an id (a UUID)" : ""}${kind.open ? " or another text" : ""}`;
    case "list":
      return `a list, each element ${allowed(kind.of)}`;
    case "map":
      return `a map from names to ${allowed(kind.of)}`;
    case "keyed":
      return kind.single ? "a map from names to strings" : `a map from names to ${fieldNames(kind.rows)}`;
    case "json":
      return "any JSON value";
    case "jsonObject":
      return "an object";
    case "object":
      return `an object with the fields ${fieldNames(kind.rows)}`;
  }
}

function bounds(minimum: number | undefined, maximum: number | undefined): string {
  if (maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  return minimum === undefined ? "" : ` of at least ${minimum}`;
}

function fieldNames(rows: Rows): string {
  return `{${shownNames(Object.keys(rows))}}`;
}
