/** List filters. A row has the query parameter, the kind, and the answer's field that must equal the filter. */
import { DEPLOYMENT_STATUSES, sourceConfigRows } from "./deployment";
import {
  boolean,
  choice,
  computed,
  type Field,
  integer,
  integerFrom,
  type Kind,
  listOf,
  type Rows,
  text,
  withDefault,
} from "./kind";
import { REVISION_STATUSES } from "./revision";

/** `wire`: the query parameter, unless the profile sets a different name; undefined if only the client filters. */
export interface Filter<T> extends Field<T, undefined> {
  readonly wire: string | undefined;
  /** The path of the answer's field that must equal the filter; undefined if there is no such field. */
  readonly field: string | undefined;
}

const filter = <T>(wire: string | undefined, kind: Kind<T>, field?: string): Filter<T> => ({
  wire,
  kind,
  field,
  class: undefined,
});
const anyOf = <T>(of: Kind<T>): Kind<readonly T[]> => listOf(of);
/** Widens the type for the editor, because a profile may allow values that the table does not have. */
const openly = <T>(kind: Kind<T>) => kind as Kind<T | (string & Record<never, never>)>;

export const deploymentFilterRows = {
  /** Exact name of the deployment. */
  name: filter("name", text, "name"),
  /** Status of the deployment. */
  status: filter("status", openly(choice(...DEPLOYMENT_STATUSES)), "status"),
  /** Whether the deployment is reconciled remotely. */
  remoteReconciled: filter("remote_reconciled", boolean),
  /** Ids of tag values, at least one of which the deployment must have. */
  tagValueIds: filter("tag_value_ids", anyOf(text)),
  /** Image version of the deployment. */
  imageVersion: filter("image_version", text, "imageVersion"),
  /** Size and durability of the deployment. */
  deploymentType: filter(
    "deployment_type",
    sourceConfigRows.deploymentType.kind,
    "sourceConfig.deploymentType",
  ),
  /** Ids of the deployments to return. */
  deploymentIds: filter("deployment_ids", anyOf(text), "id"),
};

export const revisionFilterRows = {
  /** Ids of the revisions to return. */
  ids: filter(undefined, anyOf(text), "id"),
  /** Statuses, one of which the revision must have. */
  statuses: filter("status", anyOf(openly(choice(...REVISION_STATUSES))), "status"),
  /** Whether the revision's deployment is reconciled remotely. */
  remoteReconciled: filter("remote_reconciled", boolean),
};

/** The part of a list to read. */
export const rangeRows = {
  /** Number of entries to skip first, counted before the provider filters the results again; defaults to 0. */
  offset: withDefault(0)(computed(integer)),
  /** Maximum number of entries in total, at least 1; defaults to no limit. */
  limit: computed(integerFrom(1)),
} as const;

export type FilterRows = { readonly [name: string]: Filter<unknown> } & Rows;

/** The tables of the lists that have filters. */
export const FILTERS = { deployments: deploymentFilterRows, revisions: revisionFilterRows };

/** Query parameters of the filters, by list. If a filter has several parameters, each gets the value. */
export type FilterQuery = {
  readonly [list in keyof typeof FILTERS]: { readonly [filter: string]: string | readonly string[] };
};
export type FilterQueryChanges = {
  [list in keyof typeof FILTERS]?: { [filter: string]: string | undefined };
};
type FilterQueryParts = { readonly [list in keyof FilterQuery]?: Partial<FilterQuery[list]> };

export const queryFor = <V>(parameters: string | readonly string[] = [], value: V): Record<string, V> =>
  Object.fromEntries([parameters].flat().map((parameter) => [parameter, value]));

/** The query parameter of each filter. `unchanged`: the other parameters; defaults to the rows' parameters. */
export function filterQuery(changes: FilterQueryParts = {}, unchanged?: FilterQuery): FilterQuery {
  const queryOf = (list: keyof FilterQuery) =>
    Object.fromEntries(
      Object.entries<Filter<unknown>>(FILTERS[list]).flatMap(([name, { wire }]) =>
        wire === undefined ? [] : [[name, changes[list]?.[name] ?? unchanged?.[list][name] ?? wire]],
      ),
    );
  return { deployments: queryOf("deployments"), revisions: queryOf("revisions") };
}
