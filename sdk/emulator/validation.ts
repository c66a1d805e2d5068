/** Request bodies, checked against the tables: a 422 names every fault and its place. */
import { z } from "zod";
import { allowed, type Field, type Kind, type Rows } from "../../provider/fields/kind";
import { type Detail, Refusal } from "./http/message";
import type { JsonRecord } from "./json";
import { choiceOf, fieldNameOf, type WireProfile } from "./wireProfile";

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

interface CreationNeeds {
  readonly required: readonly string[];
  /** Sections that may be null in every profile. */
  readonly nullable?: readonly string[];
}

export const wiresOf = (rows: Rows): string[] => Object.values(rows).flatMap(({ wire }) => wire ?? []);

const rowsThat = (rows: Rows, test: (field: Field<unknown>) => boolean): Rows =>
  Object.fromEntries(Object.entries(rows).filter(([, field]) => test(field)));
const isImmutable = (field: Field<unknown>): boolean => field.class === "replace";

/** The rules of a POST. */
export function creationRules(
  profile: WireProfile,
  { rows, readOnly }: Table,
  { required, nullable = [] }: CreationNeeds,
): BodyRules {
  const creatable = rowsThat(rows, (field) => !field.patchOnly);
  const schema = objectSchema(creatable, profile, (field) => {
    const wire = field.wire as string;
    const isRequired = required.includes(wire);
    const mayBeNull = nullable.includes(wire) || (profile.nullIsLeftOut && !isRequired);
    return member(schemaOf(field.kind, profile, NULL_FIELDS), isRequired, mayBeNull);
  });
  return { schema, readOnly };
}

/** The rules of a PATCH; `nullable` says whether its sections may be null. What is within them always may. */
export function patchRules(profile: WireProfile, { rows, readOnly }: Table, nullable: boolean): BodyRules {
  const patchable = rowsThat(rows, (field) => !isImmutable(field));
  const schema = objectSchema(patchable, profile, (field) =>
    member(schemaOf(field.kind, profile, ALL_NULLS), false, nullable),
  );
  return { schema, readOnly, immutable: wiresOf(rowsThat(rows, isImmutable)) };
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
function schemaOf(kind: Kind<unknown>, profile: WireProfile, nulls: Nulls): z.ZodType {
  const within = (of: Kind<unknown>) => schemaOf(of, profile, nulls);
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
      return choiceSchema(kind.values, profile);
    case "list":
      return z.array(schemaOf(kind.of, profile, NO_NULLS));
    case "map":
      return z.record(z.string(), member(within(kind.of), true, nulls.mapValues));
    case "keyed":
      return keyedSchema(kind.rows, profile);
    case "json":
      return z.unknown();
    case "jsonObject":
      return z.record(z.string(), z.unknown());
    case "object":
      return objectSchema(kind.rows, profile, (field) =>
        member(within(field.kind), field.required, nulls.fields),
      );
  }
}

/** A strict object of those rows that travel; `fieldSchema` makes the schema of one. */
function objectSchema(
  rows: Rows,
  profile: WireProfile,
  fieldSchema: (field: Field<unknown>) => z.ZodType,
): z.ZodObject {
  const sent = Object.values(rows).filter((field) => field.wire !== undefined);
  return z.strictObject(
    Object.fromEntries(sent.map((field) => [fieldNameOf(profile, field.wire as string), fieldSchema(field)])),
  );
}

function member(schema: z.ZodType, isRequired: boolean | undefined, mayBeNull: boolean): z.ZodType {
  const orNull = mayBeNull ? schema.nullable() : schema;
  return isRequired ? orNull : orNull.optional();
}

function choiceSchema(values: readonly (string | boolean)[], profile: WireProfile): z.ZodType {
  const offered = values.flatMap((value) =>
    typeof value === "string" ? (choiceOf(profile, value) ?? []) : value,
  );
  return z.literal(offered, `must be ${offered.map((value) => JSON.stringify(value)).join(", ")}`);
}

function keyedSchema(rows: Rows, profile: WireProfile): z.ZodType {
  const entry = objectSchema(rows, profile, (field) =>
    member(schemaOf(field.kind, profile, NO_NULLS), field.required, false),
  ).extend({ name: z.string().min(1, "must be a string that is not empty") });
  return z.array(entry).superRefine((entries, context) => {
    entries.forEach(({ name }, index) => {
      if (entries.findIndex((other) => other.name === name) < index) {
        context.addIssue({ code: "custom", path: [index, "name"], message: "stands in the list twice" });
      }
    });
  });
}
