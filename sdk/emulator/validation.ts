/** Checks request bodies against the tables. A 422 names every fault and its place. */

import type { Profile } from "../../provider/profiles/profile";
import {
  faultsOf,
  hiddenBy,
  type Issue,
  issuesIn,
  type Manner,
  memberSchema,
  objectSchema,
  type Schema,
  schemaOf,
} from "../../provider/schema/check";
import type { Rows } from "../../provider/schema/kind";
import type { Properties } from "../../provider/schema/value";
import { type Detail, Refusal } from "./http/message";
import { tableOf, type WireField } from "./table";

/** A body's schema, and the fields that need a separate check or a special message. */
export interface BodyRules {
  /** A zod schema, typed as an object so that users of the package do not load zod's types. */
  readonly schema: object;
  /** Paths of the fields that only the service sets. */
  readonly readOnly?: readonly string[];
  readonly immutable?: readonly string[];
  /** Fields whose values a refusal must not show. */
  readonly secret?: readonly string[];
  /** Lists whose entries must have different names. */
  readonly named?: readonly string[];
}

/** A resource's fields, and the wire names of its read-only fields. */
interface Table {
  readonly rows: Rows;
  readonly readOnly: readonly string[];
}

/** Whether the service treats a null field as omitted. */
export const nullIsLeftOut = ({ capabilities }: Profile): boolean => !capabilities.nullClears;

/** By default, no value in a body may be null. */
export const BODY: Manner = { names: "a field" };
const NULL_FIELDS: Manner = { ...BODY, nulls: "fields", whole: BODY };
const ALL_NULLS: Manner = { ...BODY, nulls: "all", whole: BODY };

/** The rules for the body of a POST. `nullable`: sections that may be null in every profile. */
export function creationRules(profile: Profile, table: Table, nullable: readonly string[] = []): BodyRules {
  const fields = Object.entries(tableOf(table.rows, profile)).filter(
    ([, field]) => !field.patchOnly && !field.afterCreation,
  );
  return rulesOf(table, fields, (field, name) => {
    const isRequired = field.required || profile.alwaysSent.includes(name);
    const mayBeNull = nullable.includes(field.wire) || (nullIsLeftOut(profile) && !isRequired);
    return memberSchema(schemaOf(field.kind, NULL_FIELDS), isRequired, mayBeNull);
  });
}

/** The rules for the body of a PATCH. `nullable`: whether a section may be null. `needed`: required sections. */
export function patchRules(
  profile: Profile,
  table: Table,
  nullable: boolean,
  needed: readonly string[] = [],
): BodyRules {
  const fields = Object.entries(tableOf(table.rows, profile));
  const isImmutable = ([, field]: [string, WireField]) => field.class === "replace";
  const manner = nullIsLeftOut(profile) ? NULL_FIELDS : ALL_NULLS;
  const changeable = fields.filter((each) => !isImmutable(each));
  return {
    ...rulesOf(table, changeable, ({ kind }, name) => {
      const isNeeded = needed.includes(name);
      return memberSchema(schemaOf(kind, manner), isNeeded, nullable && !isNeeded);
    }),
    immutable: fields.filter(isImmutable).map(([, { wire }]) => wire),
  };
}

function rulesOf(
  { rows, readOnly }: Table,
  fields: readonly (readonly [name: string, field: WireField])[],
  schemaOfField: (field: WireField, name: string) => Schema,
): BodyRules {
  const members = fields.map(([name, field]) => [field.wire, schemaOfField(field, name)]);
  const wires = (isAmong: (name: string, field: WireField) => boolean) =>
    fields.filter(([name, field]) => isAmong(name, field)).map(([, { wire }]) => wire);
  return {
    schema: objectSchema(Object.fromEntries(members), BODY),
    readOnly,
    secret: wires((_, field) => field.secret === true),
    named: wires((name) => rows[name]?.kind.type === "keyed"),
  };
}

export const checkBody = (rules: BodyRules, body: unknown): Properties => checkPart("body", rules, body);

/** If the rules do not allow this part of a request, throws a 422 that names every fault. */
export function checkPart(part: "body" | "query", rules: BodyRules, values: unknown): Properties {
  const issues = issuesIn(rules.schema as Schema, values);
  const details =
    issues.length > 0
      ? issues.flatMap((issue) => detailsOf(part, issue, rules))
      : repeatedNames(values as Properties, rules);
  if (details.length > 0) throw new Refusal(422, details);
  return values as Properties;
}

function detailsOf(part: string, issue: Issue, rules: BodyRules): Detail[] {
  const loc = [part, ...(issue.path as (string | number)[])];
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unexpected([...loc, key], rules));
  if (issue.input === undefined)
    return [{ loc, msg: `this field is required; allowed: ${issue.message}`, type: "missing" }];
  const isSecret = hiddenBy(rules.secret ?? []);
  // A body that is not an object has an empty path, and may contain a secret anywhere.
  const faults = faultsOf(issue, (path) => path === "" || isSecret(path), BODY);
  return faults.map(({ words }) => ({ loc, msg: words, type: issue.code }));
}

function unexpected(loc: readonly (string | number)[], { readOnly, immutable }: BodyRules): Detail {
  const path = loc.slice(1).join(".");
  if (readOnly?.includes(path)) return { loc, msg: "is read-only: the service sets it", type: "read_only" };
  if (immutable?.includes(path)) return { loc, msg: "cannot be changed after creation", type: "immutable" };
  return { loc, msg: "there is no such field", type: "extra_forbidden" };
}

function repeatedNames(body: Properties, { named = [] }: BodyRules): Detail[] {
  return named.flatMap((wire) => {
    const names = ((body[wire] ?? []) as { name: string }[]).map(({ name }) => name);
    return names.flatMap((name, index) =>
      names.indexOf(name) < index
        ? [{ loc: ["body", wire, index, "name"], msg: "stands in the list twice", type: "custom" }]
        : [],
    );
  });
}
