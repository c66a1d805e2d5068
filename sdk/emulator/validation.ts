/** Request bodies, checked against the tables; what does not fit is refused with 422, saying what and where. */
import type { z } from "zod";
import { deploymentOutputRows, deploymentRows } from "../../provider/fields/deployment";
import type { Field, Rows } from "../../provider/fields/kind";
import { listenerIdRow, listenerOutputRows, listenerRows } from "../../provider/fields/listener";
import { tokenMetadataOutputRows, tokenMetadataRows } from "../../provider/fields/tokenMetadata";
import type { JsonRecord } from "./mergePatch";
import { type Detail, Refusal } from "./refusal";
import type { WireProfile } from "./wireProfile";
import { type Nulls, objectSchema, wireSchema } from "./wireSchema";

/** A body's schema, and the paths that deserve a better word than "unknown field". */
export interface BodyRules {
  /** Zod's, whose types stay in here: who uses the package need not read them. */
  readonly schema: object;
  readonly readOnly: ReadonlySet<string>;
  readonly immutable: ReadonlySet<string>;
}

export interface Bodies {
  readonly createDeployment: BodyRules;
  readonly patchDeployment: BodyRules;
  readonly createListener: BodyRules;
  readonly patchListener: BodyRules;
  readonly patchToken: BodyRules;
}

const wiresOf = (rows: Rows): string[] => Object.values(rows).flatMap(({ wire }) => wire ?? []);
const rowsThat = (rows: Rows, test: (field: Field<unknown>) => boolean): Rows =>
  Object.fromEntries(Object.entries(rows).filter(([, field]) => test(field)));
const isImmutable = (field: Field<unknown>): boolean => field.class === "replace";

/** The rules of every body, derived from the tables. */
export function bodiesOf(profile: WireProfile): Bodies {
  return {
    createDeployment: createRules(profile, deploymentRows, deploymentReadOnly, profile.requiredOnCreate),
    patchDeployment: patchRules(
      profile,
      deploymentRows,
      deploymentReadOnly,
      { fields: true, mapValues: true },
      true,
    ),
    createListener: createRules(profile, listenerRows, listenerReadOnly, [
      "compute_type",
      "compute_id",
      "compute_config",
    ]),
    patchListener: patchRules(
      profile,
      listenerRows,
      listenerReadOnly,
      { fields: true, mapValues: true },
      profile.nullIsLeftOut,
    ),
    patchToken: patchRules(
      profile,
      tokenMetadataRows,
      tokenReadOnly,
      { fields: false, mapValues: false },
      profile.nullIsLeftOut,
    ),
  };
}

const deploymentReadOnly = ["id", ...wiresOf(deploymentOutputRows)];
const listenerReadOnly = [listenerIdRow.wire ?? "id", ...wiresOf(listenerOutputRows)];
const tokenReadOnly = wiresOf(tokenMetadataOutputRows);
// The contract calls this section nullable in itself, the others only their fields.
const NULLABLE_ON_CREATE = ["secret_references"];

function createRules(
  profile: WireProfile,
  table: Rows,
  readOnly: readonly string[],
  required: readonly string[],
): BodyRules {
  const rows = rowsThat(table, (field) => !field.patchOnly);
  const schema = objectSchema(rows, profile, (field) => {
    const wire = field.wire as string;
    const value = wireSchema(field.kind, profile, { fields: true, mapValues: false });
    const isRequired = required.includes(wire);
    const mayBeNull = NULLABLE_ON_CREATE.includes(wire) || (profile.nullIsLeftOut && !isRequired);
    const orNull = mayBeNull ? value.nullable() : value;
    return isRequired ? orNull : orNull.optional();
  });
  return { schema, readOnly: new Set(readOnly), immutable: new Set() };
}

function patchRules(
  profile: WireProfile,
  table: Rows,
  readOnly: readonly string[],
  nulls: Nulls,
  nullableSections: boolean,
): BodyRules {
  const schema = objectSchema(
    rowsThat(table, (field) => !isImmutable(field)),
    profile,
    (field) => {
      const value = wireSchema(field.kind, profile, nulls);
      return (nullableSections ? value.nullable() : value).optional();
    },
  );
  return { schema, readOnly: new Set(readOnly), immutable: new Set(wiresOf(rowsThat(table, isImmutable))) };
}

/** The body, when it is what the rules allow; otherwise a 422 that names everything that is not. */
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
