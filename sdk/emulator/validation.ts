/** Request bodies, checked against the tables: a 422 names every fault and its place. */
import { z } from "zod";
import { allowed, type Field, type Kind, type Rows } from "../../provider/fields/kind";
import type { Profile } from "../../provider/profiles/profile";
import { type Detail, Refusal } from "./http/message";
import type { JsonRecord } from "./json";
import { tableOf, type WireField } from "./table";

/** A body's schema, and the paths that deserve a better message than "unknown field". */
interface BodyRules {
  /** Zod's, whose types stay in here: users of the package need not load them. */
  readonly schema: object;
  /** Paths of what only the service sets. */
  readonly readOnly?: readonly string[];
  readonly immutable?: readonly string[];
}

/** A resource's fields, and the wire names of those that only the service sets. */
interface Table {
  readonly rows: Rows;
  readonly readOnly: readonly string[];
}

/** A service on which null clears nothing takes it for a field that is left out. */
export const nullIsLeftOut = ({ capabilities }: Profile): boolean => !capabilities.nullClears;

/** The rules of a POST. `nullable`: sections that may be null in every profile. */
export function creationRules(
  profile: Profile,
  { rows, readOnly }: Table,
  nullable: readonly string[] = [],
): BodyRules {
  const creatable = Object.entries(tableOf(rows, profile)).filter(([, field]) => !field.patchOnly);
  const schema = objectSchema(Object.fromEntries(creatable), (field, name) => {
    const isRequired = field.required || profile.alwaysSent.includes(name);
    const mayBeNull = nullable.includes(field.wire) || (nullIsLeftOut(profile) && !isRequired);
    return member(schemaOf(field.kind, NULL_FIELDS), isRequired, mayBeNull);
  });
  return { schema, readOnly };
}

/** The rules of a PATCH; `nullable` says whether its sections may be null. Fields within them always may. */
export function patchRules(profile: Profile, { rows, readOnly }: Table, nullable: boolean): BodyRules {
  const fields = Object.entries(tableOf(rows, profile));
  const isImmutable = ([, field]: [string, WireField]) => field.class === "replace";
  const nulls = nullIsLeftOut(profile) ? NULL_FIELDS : ALL_NULLS;
  const schema = objectSchema(Object.fromEntries(fields.filter((each) => !isImmutable(each))), ({ kind }) =>
    member(schemaOf(kind, nulls), false, nullable),
  );
  return { schema, readOnly, immutable: fields.filter(isImmutable).map(([, { wire }]) => wire) };
}

/** The body, when it is what the rules allow; otherwise a 422 that names all that is not. */
export function checkBody(rules: BodyRules, body: unknown): JsonRecord {
  const { error } = (rules.schema as z.ZodType).safeParse(body, { reportInput: true });
  if (error)
    throw new Refusal(
      422,
      error.issues.flatMap((issue) => detailsOf(issue, rules)),
    );
  return body as JsonRecord;
}

function detailsOf(issue: z.core.$ZodIssue, rules: BodyRules): Detail[] {
  const loc = ["body", ...(issue.path as (string | number)[])];
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unexpected([...loc, key], rules));
  if (issue.code === "invalid_type" && issue.input === undefined)
    return [{ loc, msg: "this field is required", type: "missing" }];
  return [{ loc, msg: issue.message, type: issue.code }];
}

function unexpected(loc: readonly (string | number)[], { readOnly, immutable }: BodyRules): Detail {
  const path = loc.slice(1).join(".");
  if (readOnly?.includes(path)) return { loc, msg: "is read-only: the service sets it", type: "read_only" };
  if (immutable?.includes(path)) return { loc, msg: "cannot be changed after creation", type: "immutable" };
  return { loc, msg: "there is no such field", type: "extra_forbidden" };
}

/** Where null may stand. Within an array never: arrays are whole values. */
interface Nulls {
  readonly fields: boolean;
  readonly mapValues: boolean;
}

const NO_NULLS: Nulls = { fields: false, mapValues: false };
const ALL_NULLS: Nulls = { fields: true, mapValues: true };
const NULL_FIELDS: Nulls = { fields: true, mapValues: false };

/** A schema of the kind's values on the wire. */
function schemaOf(kind: Kind<unknown>, nulls: Nulls): z.ZodType {
  switch (kind.type) {
    case "text":
      return kind.nonEmpty ? z.string().min(1, `must be ${allowed(kind)}`) : z.string();
    case "uuid":
      return z.guid(`must be ${allowed(kind)}`);
    case "timestamp":
      return z.iso.datetime({ offset: true });
    case "integer":
      return z.int(`must be ${allowed(kind)}`).min(kind.minimum ?? -Infinity);
    case "number":
      return z.number(`must be ${allowed(kind)}`).min(kind.minimum ?? -Infinity);
    case "boolean":
      return z.boolean();
    case "choice":
      return z.literal([...kind.values], `must be ${allowed(kind)}`);
    case "list":
      return z.array(schemaOf(kind.of, NO_NULLS));
    case "map":
      return z.record(z.string(), member(schemaOf(kind.of, nulls), true, nulls.mapValues));
    case "keyed":
      return keyedSchema(kind.rows);
    case "json":
      return z.unknown();
    case "jsonObject":
      return z.record(z.string(), z.unknown());
    case "object":
      return objectSchema(kind.rows, (field) =>
        member(schemaOf(field.kind, nulls), field.required, nulls.fields),
      );
  }
}

/** A strict object of the rows; `fieldSchema` makes the schema of one. */
function objectSchema<F extends Field<unknown>>(
  rows: { readonly [name: string]: F },
  fieldSchema: (field: F, name: string) => z.ZodType,
): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(rows).map(([name, field]) => [field.wire as string, fieldSchema(field, name)]),
    ),
  );
}

function member(schema: z.ZodType, isRequired: boolean | undefined, mayBeNull: boolean): z.ZodType {
  const orNull = mayBeNull ? schema.nullable() : schema;
  return isRequired ? orNull : orNull.optional();
}

function keyedSchema(rows: Rows): z.ZodType {
  const entry = objectSchema(rows, (field) =>
    member(schemaOf(field.kind, NO_NULLS), field.required, false),
  ).extend({ name: z.string().min(1, "must be a string that is not empty") });
  return z.array(entry).superRefine((entries, context) => {
    entries.forEach(({ name }, index) => {
      if (entries.findIndex((other) => other.name === name) < index) {
        context.addIssue({ code: "custom", path: [index, "name"], message: "stands in the list twice" });
      }
    });
  });
}
