/** Describes, as data, how the services that implement the contract differ. The contract itself has a profile too. */
import type { SOURCES } from "../schema/deployment";
import { type FilterQuery, filterQuery } from "../schema/filters";
import type { ChangeClass, Field, Kind, Rows } from "../schema/kind";
import { join, type Spelling } from "../schema/wire";

export interface Profile extends Spelling {
  readonly name: string;
  /** Wire path of a member that only this service's deployments have; undefined if there is no such member. */
  readonly answersWith?: string;
  /** The request header that chooses the tenant, in lower case; undefined if no header does. */
  readonly tenantHeader?: string;
  /** Paths of the integrations with repository hosts. The provider uses the first path. */
  readonly integrations: readonly [string, ...string[]];
  /** Path of the integration list; undefined if the service cannot list integrations. */
  readonly integrationList?: string;
  /** Path of the projects whose revisions have logs; undefined if the service shows no logs. */
  readonly logs?: string;
  /** Matches deployment names that the service accepts unchanged; undefined if the service's rule is not known. */
  readonly plainName?: RegExp;
  /** Matches the names of variables that the service refuses, or sets itself. */
  readonly reserved?: RegExp;
  /** The kinds of installations that the base URL identifies. */
  readonly installations: readonly Installation[];
  /** Change classes that differ from the table's classes, keyed by path in the program. */
  readonly classes: { readonly [path: string]: ChangeClass };
  readonly query: FilterQuery;
  readonly capabilities: Capabilities;
  /** Fields of `sourceConfig` that a POST of a revision accepts, with their classes for services without this call. */
  readonly ofRevisionCall: { readonly [path: string]: ChangeClass };
  /** The value of `onDestroy` for a deployment if the program sets no value. */
  readonly onDestroy: "retain" | "delete";
  /** Rules that differ from the table's rows, by path without list indexes. A filter's path is `LIST.FILTER`. */
  readonly fields: { readonly [path: string]: FieldRule };
  /** Sections that every POST must have, even if the program sets none of them. */
  readonly alwaysSent: readonly string[];
  /** The service's documented bounds, keyed by path in the program. */
  readonly bounds: { readonly [path: string]: Bound };
  /** Pairs of fields, given by their paths in the program. The first field must not exceed the second. */
  readonly ranges: readonly (readonly [lower: string, upper: string])[];
  /** Fields that the service does not have, given by their paths in the program. */
  readonly lacks: readonly string[];
  readonly sources: SourceRules;
  /** The service's defaults for fields that are left out, keyed by path in the program. */
  readonly defaults: { readonly [path: string]: Default };
  /** Additional rules for an older installation that lacks the POST of a revision, and the newest fields and values. */
  readonly older: Partial<Pick<Profile, "fields" | "lacks">>;
}

/** How a service's field differs from the table's row: a different kind, or required instead of optional. */
export type FieldRule = Partial<Pick<Field<unknown>, "kind" | "required">>;

/** A default that is a multiple of another field's value. */
export interface Default {
  /** Path of the other field in the program. */
  readonly from: string;
  readonly times: number;
}

export interface Bound {
  readonly minimum: number;
  readonly maximum: number;
  /** Maximum number of decimal places. The service rounds values that have more places. */
  readonly decimals: number;
}

export type Source = (typeof SOURCES)[number];

/** Rules for fields by source. Fields are named by their path in the program. */
export interface SourceRules {
  /** Fields that only some sources have. */
  readonly only: { readonly [path: string]: SourceRule };
  /** Fields that a creation from these sources requires. */
  readonly requiredOnCreate: { readonly [path: string]: SourceRule };
  /** Fields without which a deployment from these sources has nothing to run. */
  readonly runs: { readonly [path: string]: SourceRule };
  /** Whether to refuse a plan that leaves nothing to run, or only to warn, because the service may accept the plan. */
  readonly nothingToRun: "refused" | "warned";
  /** Values that are not allowed together with another field's value. */
  readonly conflicts: readonly Conflict[];
}

interface Installation {
  readonly name: string;
  readonly address: RegExp;
  /** The sources that the installation lacks. A deployment may use these sources if it sets the argument `unless`. */
  readonly lacks: readonly Source[];
  readonly unless?: string;
}

export interface SourceRule {
  readonly sources: readonly Source[];
  readonly remedy: string;
}

interface Conflict {
  readonly path: string;
  readonly value: boolean;
  /** Path of the other field. If the other field's value begins with `prefix`, `value` is not allowed. */
  readonly against: string;
  readonly prefix: string;
  readonly remedy: string;
}

/** Abilities and behaviors of a service. */
export interface Capabilities {
  /** The service has GET /v2/deployments/{id}. */
  readonly getDeployment: boolean;
  /** The service has DELETE /v2/deployments/{id}. */
  readonly deleteDeployment: boolean;
  /** The service has POST /v2/listeners. */
  readonly createListener: boolean;
  /** The service has DELETE /v2/listeners/{id}. */
  readonly deleteListener: boolean;
  /** The service has POST /v2/deployments/{id}/revisions. Without this call, the run falls back to PATCH. */
  readonly createRevision: boolean;
  /** A null in a PATCH clears the field, and an empty list of secrets removes all secrets. */
  readonly nullClears: boolean;
  /** A PATCH of resource_spec overwrites the whole stored spec. */
  readonly resourceSpecOverwrites: boolean;
  /** Answers show the values of variables (`secrets` on the wire), except values that are null or masked. */
  readonly showsSecretValues: boolean;
  /** A page with fewer entries than `limit` is the list's last page. If false, the service may cap the page size. */
  readonly shortPageIsLast: boolean;
}

/** The contract alone, without any service's extensions. */
export const contract: Profile = {
  name: "contract",
  wire: {},
  values: {},
  integrations: ["/v1/integrations/forge/repohost"],
  installations: [],
  classes: {},
  query: filterQuery(),
  capabilities: {
    getDeployment: false,
    deleteDeployment: false,
    createListener: false,
    deleteListener: false,
    createRevision: false,
    nullClears: true,
    resourceSpecOverwrites: false,
    showsSecretValues: false,
    shortPageIsLast: false,
  },
  ofRevisionCall: {},
  onDestroy: "retain",
  fields: {},
  alwaysSent: [],
  bounds: {},
  ranges: [],
  lacks: ["displayName", "sourceConfig.templateId", "agent", "isPreview"],
  sources: {
    only: {
      secretReferences: { sources: ["external_docker"], remedy: "Set the values as secrets instead" },
    },
    requiredOnCreate: {},
    runs: {
      "sourceRevisionConfig.imageUri": { sources: ["external_docker"], remedy: "Set the image to run" },
      "sourceRevisionConfig.repoRef": { sources: ["repohost"], remedy: "Set the branch or tag to build" },
    },
    nothingToRun: "warned",
    conflicts: [],
  },
  defaults: {},
  older: {},
};

export function withoutCreateRevision(profile: Profile): Profile {
  return {
    ...profile,
    classes: { ...profile.classes, ...profile.ofRevisionCall },
    capabilities: { ...profile.capabilities, createRevision: false },
  };
}

/** The profile for a resource that stays on its service. A new `connection` is then only a new name. */
export function onSameService(profile: Profile): Profile {
  return { ...profile, classes: { ...profile.classes, connection: "inPlace" } };
}

type FieldAt = (field: Field<unknown>, path: string) => Field<unknown> | undefined;

/** The table after `fieldAt` has replaced or removed fields at every depth. The paths have no list indexes. */
export function mapFields(rows: Rows, fieldAt: FieldAt, path = ""): Rows {
  return Object.fromEntries(
    Object.entries(rows).flatMap(([name, field]) => {
      const place = join(path, name);
      const row = fieldAt(field, place);
      return row === undefined ? [] : [[name, { ...row, kind: mapKind(row.kind, fieldAt, place) }]];
    }),
  );
}

function mapKind(kind: Kind<unknown>, fieldAt: FieldAt, path: string): Kind<unknown> {
  if (kind.type === "object" || kind.type === "keyed")
    return { ...kind, rows: mapFields(kind.rows, fieldAt, path) };
  return kind.type === "list" ? { ...kind, of: mapKind(kind.of, fieldAt, path) } : kind;
}

/** Each table must be made only once, because schemas are cached by table. */
const stricterTables = new WeakMap<Profile["fields"], WeakMap<Rows, Rows>>();

/** The table with the service's rules and without the fields that the service lacks. `place`: the table's path. */
export function rowsUnder(
  rows: Rows,
  { fields, lacks }: Pick<Profile, "fields" | "lacks">,
  place = "",
): Rows {
  const tables = stricterTables.get(fields) ?? new WeakMap<Rows, Rows>();
  stricterTables.set(fields, tables);
  const table =
    tables.get(rows) ??
    mapFields(
      rows,
      (field, path) => (lacks.includes(path) ? undefined : { ...field, ...fields[path] }),
      place,
    );
  tables.set(rows, table);
  return table;
}
