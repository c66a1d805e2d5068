/** What differs between services that speak the contract, as data; and the contract's own profile. */
import type { SOURCES } from "../fields/deployment";
import { type FilterQuery, filterQuery } from "../fields/filters";
import type { ChangeClass, Field, Kind, Rows } from "../fields/kind";
import { join, type Spelling } from "../fields/wire";

export interface Profile extends Spelling {
  readonly name: string;
  /** Paths of the integrations with repository hosts; the provider asks at the first. */
  readonly integrations: readonly [string, ...string[]];
  /** Change classes that differ from the table's, by path in the program. */
  readonly classes: { readonly [path: string]: ChangeClass };
  /** Query parameters of the lists' filters. */
  readonly query: FilterQuery;
  readonly capabilities: Capabilities;
  /** What destroying a deployment does unless the program says otherwise. */
  readonly onDestroy: "retain" | "delete";
  /** Stricter rules than the table's, by path in the program without the places in lists. */
  readonly fields: { readonly [path: string]: FieldRule };
  /** Parts of a POST that have to be there, even where the program gives none. */
  readonly alwaysSent: readonly string[];
  /** Bounds that the service documents, by path in the program. */
  readonly bounds: { readonly [path: string]: Bound };
  /** Which sources there are, and what goes with which. */
  readonly sources: SourceRules;
  /** What the service itself gives a field that is left out, by path in the program. */
  readonly defaults: { readonly [path: string]: Default };
}

/** A narrower kind than the table's, or that the field has to be there. */
export type FieldRule = Partial<Pick<Field<unknown>, "kind" | "required">>;

/** The value of another field, so many times. */
export interface Default {
  /** Path of the other field in the program. */
  readonly from: string;
  readonly times: number;
}

export interface Bound {
  readonly minimum: number;
  readonly maximum: number;
  /** Most decimal places that the service keeps; further ones it rounds away. */
  readonly decimals: number;
}

export type Source = (typeof SOURCES)[number];

/** What a service takes from which source. Fields are named by their path in the program. */
export interface SourceRules {
  /** Sources of the contract that the service does not have. */
  readonly notOffered: readonly Source[];
  /** Fields that go with some sources only. */
  readonly only: { readonly [path: string]: SourceRule };
  /** Fields without which nothing is created from those sources. */
  readonly requiredOnCreate: { readonly [path: string]: SourceRule };
  /** Values that another field's value rules out. */
  readonly conflicts: readonly Conflict[];
}

export interface SourceRule {
  readonly sources: readonly Source[];
  /** What to do about a breach. */
  readonly remedy: string;
}

export interface Conflict {
  readonly path: string;
  readonly value: boolean;
  /** The field that rules the value out, and how its value then begins. */
  readonly against: string;
  readonly prefix: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** What a service can do or does in its own way. */
export interface Capabilities {
  /** GET /v2/deployments/{id}. */
  readonly getDeployment: boolean;
  /** DELETE /v2/deployments/{id}. */
  readonly deleteDeployment: boolean;
  /** POST /v2/listeners. */
  readonly createListener: boolean;
  /** DELETE /v2/listeners/{id}. */
  readonly deleteListener: boolean;
  /** A null in a PATCH clears the field. */
  readonly nullClears: boolean;
  /** An empty list of secrets in a PATCH removes all secrets. */
  readonly emptyListClears: boolean;
  /** A PATCH of resource_spec overwrites the whole stored spec. */
  readonly resourceSpecOverwrites: boolean;
  /** A list's page that holds fewer than `limit` is its last; else a first short page may be a cap of the service. */
  readonly shortPageIsLast: boolean;
}

/** The neutral contract, and nothing beyond it. */
export const contract: Profile = {
  name: "contract",
  wire: {},
  values: {},
  integrations: ["/v1/integrations/forge/repohost"],
  classes: {},
  query: filterQuery(),
  capabilities: {
    getDeployment: false,
    deleteDeployment: false,
    createListener: false,
    deleteListener: false,
    nullClears: true,
    emptyListClears: true,
    resourceSpecOverwrites: false,
    shortPageIsLast: false,
  },
  onDestroy: "retain",
  fields: {},
  alwaysSent: [],
  bounds: {},
  sources: {
    notOffered: [],
    only: {
      secretReferences: { sources: ["external_docker"], remedy: "Give the values as secrets instead" },
    },
    requiredOnCreate: {},
    conflicts: [],
  },
  defaults: {},
};

type FieldAt = (field: Field<unknown>, path: string) => Field<unknown>;

/** The table with another field in place of each, at every depth; a path leaves the places within lists out. */
export function mapFields(rows: Rows, fieldAt: FieldAt, path = ""): Rows {
  return Object.fromEntries(
    Object.entries(rows).map(([name, field]) => {
      const place = join(path, name);
      const row = fieldAt(field, place);
      return [name, { ...row, kind: mapKind(row.kind, fieldAt, place) }];
    }),
  );
}

function mapKind(kind: Kind<unknown>, fieldAt: FieldAt, path: string): Kind<unknown> {
  if (kind.type === "object" || kind.type === "keyed")
    return { ...kind, rows: mapFields(kind.rows, fieldAt, path) };
  return kind.type === "list" ? { ...kind, of: mapKind(kind.of, fieldAt, path) } : kind;
}

/** Each once: a schema is remembered by the rows from which it was made. */
const stricterTables = new WeakMap<Profile["fields"], WeakMap<Rows, Rows>>();

/** The table with the stricter rules of the profile. */
export function rowsUnder(rows: Rows, { fields }: Pick<Profile, "fields">): Rows {
  if (Object.keys(fields).length === 0) return rows;
  const tables = stricterTables.get(fields) ?? new WeakMap<Rows, Rows>();
  stricterTables.set(fields, tables);
  const table = tables.get(rows) ?? mapFields(rows, (field, path) => ({ ...field, ...fields[path] }));
  tables.set(rows, table);
  return table;
}
