/** Request bodies, checked against the tables: a 422 names every fault and its place. */
import type { z } from "zod";
import type { Field, Rows } from "../../provider/fields/kind";
import { type Detail, Refusal } from "./http/answer";
import type { JsonRecord } from "./json";
import type { WireProfile } from "./wireProfile";
import { objectSchema, wireSchema } from "./wireSchema";

/** A body's schema, and the paths that deserve a better message than "unknown field". */
interface BodyRules {
  /** Zod's, whose types stay in here: users of the package need not load them. */
  readonly schema: object;
  readonly readOnly: ReadonlySet<string>;
  readonly immutable: ReadonlySet<string>;
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

interface PatchNulls {
  /** Whether a section may be null. */
  readonly nullable: boolean;
  /** Whether fields and values of maps may be null. */
  readonly nullsWithin: boolean;
}

export const wiresOf = (rows: Rows): string[] => Object.values(rows).flatMap(({ wire }) => wire ?? []);

const rowsThat = (rows: Rows, test: (field: Field<unknown>) => boolean): Rows =>
  Object.fromEntries(Object.entries(rows).filter(([, field]) => test(field)));
const isImmutable = (field: Field<unknown>): boolean => field.class === "replace";

export function rulesOf(
  schema: z.ZodType,
  readOnly: readonly string[] = [],
  immutable: readonly string[] = [],
): BodyRules {
  return { schema, readOnly: new Set(readOnly), immutable: new Set(immutable) };
}

/** The rules of a POST. */
export function creationRules(
  profile: WireProfile,
  { rows, readOnly }: Table,
  { required, nullable = [] }: CreationNeeds,
): BodyRules {
  const creatable = rowsThat(rows, (field) => !field.patchOnly);
  const schema = objectSchema(creatable, profile, (field) => {
    const wire = field.wire as string;
    const value = wireSchema(field.kind, profile, { fields: true, mapValues: false });
    const isRequired = required.includes(wire);
    const mayBeNull = nullable.includes(wire) || (profile.nullIsLeftOut && !isRequired);
    const orNull = mayBeNull ? value.nullable() : value;
    return isRequired ? orNull : orNull.optional();
  });
  return rulesOf(schema, readOnly);
}

/** The rules of a PATCH. */
export function patchRules(
  profile: WireProfile,
  { rows, readOnly }: Table,
  { nullable, nullsWithin }: PatchNulls,
): BodyRules {
  const nulls = { fields: nullsWithin, mapValues: nullsWithin };
  const patchable = rowsThat(rows, (field) => !isImmutable(field));
  const schema = objectSchema(patchable, profile, (field) => {
    const value = wireSchema(field.kind, profile, nulls);
    return (nullable ? value.nullable() : value).optional();
  });
  return rulesOf(schema, readOnly, wiresOf(rowsThat(rows, isImmutable)));
}

/** The body, when it is what the rules allow; otherwise a 422 that names all that is not. */
export function checkBody(rules: BodyRules, body: unknown): JsonRecord {
  const { error } = (rules.schema as z.ZodType).safeParse(body, { reportInput: true });
  if (error) throw new Refusal(422, detailsOf(error.issues, rules));
  return body as JsonRecord;
}

function detailsOf(issues: readonly z.core.$ZodIssue[], rules: BodyRules): Detail[] {
  return issues.flatMap((issue): Detail[] => {
    const loc = ["body", ...(issue.path as (string | number)[])];
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => unexpected([...loc, key], rules));
    }
    const missing = issue.code === "invalid_type" && issue.input === undefined;
    return [
      {
        loc,
        msg: missing ? "this field is required" : issue.message,
        type: missing ? "missing" : issue.code,
      },
    ];
  });
}

function unexpected(loc: readonly (string | number)[], rules: BodyRules): Detail {
  const path = loc.slice(1).join(".");
  if (rules.readOnly.has(path)) return { loc, msg: "is read-only: the service sets it", type: "read_only" };
  if (rules.immutable.has(path)) return { loc, msg: "cannot be changed after creation", type: "immutable" };
  return { loc, msg: "there is no such field", type: "extra_forbidden" };
}
