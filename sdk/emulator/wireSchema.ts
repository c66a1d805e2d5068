/** The tables' kinds as zod schemas of what travels on the wire. */
import { z } from "zod";
import type { Field, Kind, Rows } from "../../provider/fields/kind";
import { allowed } from "../../provider/fields/kind";
import { choiceOf, fieldNameOf, type WireProfile } from "./wireProfile";

/** Where null may stand. Within an array never: arrays are whole values. */
export interface Nulls {
  readonly fields: boolean;
  readonly mapValues: boolean;
}

const NO_NULLS: Nulls = { fields: false, mapValues: false };

/** A schema of the kind's values on the wire. */
export function wireSchema(kind: Kind<unknown>, profile: WireProfile, nulls: Nulls): z.ZodType {
  const within = (of: Kind<unknown>) => wireSchema(of, profile, nulls);
  switch (kind.type) {
    case "text":
      return kind.nonEmpty ? z.string().min(1, `must be ${allowed(kind)}`) : z.string();
    case "uuid":
      return z.guid(`must be ${allowed(kind)}`);
    case "timestamp":
      return z.iso.datetime({ offset: true });
    case "integer":
      return bounded(z.int(`must be ${allowed(kind)}`), kind);
    case "number":
      return bounded(z.number(`must be ${allowed(kind)}`), kind);
    case "boolean":
      return z.boolean();
    case "choice":
      return choiceSchema(kind.values, profile);
    case "list":
      return z.array(wireSchema(kind.of, profile, NO_NULLS));
    case "map":
      return z.record(z.string(), nulls.mapValues ? within(kind.of).nullable() : within(kind.of));
    case "keyed":
      return keyedSchema(kind.rows, profile);
    case "json":
      return z.unknown();
    case "jsonObject":
      return z.record(z.string(), z.unknown());
    case "object":
      return objectSchema(kind.rows, profile, (field) => optional(field, within(field.kind), nulls.fields));
  }
}

/** A strict object of those rows that travel; `schemaOf` makes the schema of one. */
export function objectSchema(
  rows: Rows,
  profile: WireProfile,
  schemaOf: (field: Field<unknown>) => z.ZodType,
): z.ZodObject {
  const sent = Object.values(rows).filter((field) => field.wire !== undefined);
  return z.strictObject(
    Object.fromEntries(sent.map((field) => [fieldNameOf(profile, field.wire as string), schemaOf(field)])),
  );
}

function optional(field: Field<unknown>, schema: z.ZodType, nullable: boolean): z.ZodType {
  const orNull = nullable ? schema.nullable() : schema;
  return field.required ? orNull : orNull.optional();
}

function bounded<S extends z.ZodNumber>(schema: S, kind: { readonly minimum?: number }): S {
  return kind.minimum === undefined ? schema : schema.min(kind.minimum);
}

function choiceSchema(values: readonly (string | boolean)[], profile: WireProfile): z.ZodType {
  const offered = values.flatMap((value) =>
    typeof value === "string" ? (choiceOf(profile, value) ?? []) : value,
  );
  return z.literal(offered, `must be ${offered.map((value) => JSON.stringify(value)).join(", ")}`);
}

function keyedSchema(rows: Rows, profile: WireProfile): z.ZodType {
  const entry = objectSchema(rows, profile, (field) =>
    optional(field, wireSchema(field.kind, profile, NO_NULLS), false),
  ).extend({ name: z.string().min(1, "must be a string that is not empty") });
  return z.array(entry).superRefine((entries, context) => {
    entries.forEach(({ name }, index) => {
      if (entries.findIndex((other) => other.name === name) < index) {
        context.addIssue({ code: "custom", path: [index, "name"], message: "stands in the list twice" });
      }
    });
  });
}
