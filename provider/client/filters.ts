/** Filters of lists: as the service's query, and once more over its answer. */
import { faultInWords, faultsIn } from "../fields/check";
import { DEPLOYMENT_STATUSES, DEPLOYMENT_TYPES } from "../fields/deployment";
import { boolean, choice, type Field, type Kind, listOf, notSent, type Rows, text } from "../fields/kind";
import { REVISION_STATUSES, revisionRows } from "../fields/revision";
import { isUuid, type Properties, valueAt } from "../fields/value";
import { join, wireName } from "../fields/wire";
import { suggestion } from "../fields/words";
import type { Profile } from "../profiles/profiles";
import type { Query } from "./endpoints";
import { BadRequestError } from "./errors";
import { deploymentAnswerRows } from "./resources";

export interface DeploymentFilters {
  /** Exactly this name. */
  name?: string;
  /** Status of the deployment. */
  status?: (typeof DEPLOYMENT_STATUSES)[number];
  /** Whether it is reconciled remotely. */
  remoteReconciled?: boolean;
  /** With any of these tag values. */
  tagValueIds?: readonly string[];
  /** Image version of the deployment. */
  imageVersion?: string;
  /** Size and durability of the deployment. */
  deploymentType?: (typeof DEPLOYMENT_TYPES)[number];
  /** Only these deployments. */
  deploymentIds?: readonly string[];
}

export interface RevisionFilters {
  /** In any of these statuses. */
  statuses?: readonly (typeof REVISION_STATUSES)[number][];
  /** Whether its deployment is reconciled remotely. */
  remoteReconciled?: boolean;
}

/** A filter's field in the answer, by its path in the program; undefined where the answer has none. */
type FieldsOf<F> = { readonly [filter in keyof Required<F>]: string | undefined };

export interface FilterTable {
  readonly kind: "deployments" | "revisions" | "listeners";
  readonly rows: Rows;
  readonly fields: { readonly [filter: string]: string | undefined };
  /** What each filter may be. */
  readonly values: Rows;
}

const deploymentFields: FieldsOf<DeploymentFilters> = {
  name: "name",
  status: "status",
  remoteReconciled: undefined,
  tagValueIds: undefined,
  imageVersion: "imageVersion",
  deploymentType: "sourceConfig.deploymentType",
  deploymentIds: "id",
};
const revisionFields: FieldsOf<RevisionFilters> = { statuses: "status", remoteReconciled: undefined };

const filter = <T>(kind: Kind<T>) => notSent("inPlace", kind);

const deploymentValues: { readonly [filter in keyof Required<DeploymentFilters>]: Rows[string] } = {
  name: filter(text),
  status: filter(choice(...DEPLOYMENT_STATUSES)),
  remoteReconciled: filter(boolean),
  tagValueIds: filter(listOf(text)),
  imageVersion: filter(text),
  deploymentType: filter(choice(...DEPLOYMENT_TYPES)),
  deploymentIds: filter(listOf(text)),
};
const revisionValues: { readonly [filter in keyof Required<RevisionFilters>]: Rows[string] } = {
  statuses: filter(listOf(choice(...REVISION_STATUSES))),
  remoteReconciled: filter(boolean),
};

export const deploymentFilters: FilterTable = {
  kind: "deployments",
  rows: deploymentAnswerRows,
  fields: deploymentFields,
  values: deploymentValues,
};
export const revisionFilters: FilterTable = {
  kind: "revisions",
  rows: revisionRows,
  fields: revisionFields,
  values: revisionValues,
};

export const noFilters: FilterTable = { kind: "listeners", rows: {}, fields: {}, values: {} };

export interface Narrowing {
  readonly query: Query;
  /** Whether an entry of the answer, with its wire names, is one that was asked for. */
  readonly keeps: (entry: Properties) => boolean;
  /** Nothing can meet the filters. */
  readonly isEmpty: boolean;
}

/** Throws a BadRequestError that names the filter. */
export function narrowing(filters: object, table: FilterTable, profile: Profile): Narrowing {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  for (const [filter, value] of given) refuseUnusable(filter, value, table);
  const [fault] = faultsIn(table.values, Object.fromEntries(given), () => false);
  if (fault) throw new BadRequestError(faultInWords(fault));
  const parameters = table.kind === "listeners" ? {} : profile.query[table.kind];
  const checks = given.flatMap(([filter, value]) => {
    const path = table.fields[filter];
    return path === undefined ? [] : [checkOf(wirePath(table.rows, path, profile), value)];
  });
  return {
    query: Object.fromEntries(given.map(([filter, value]) => [parameters[filter] as string, spelled(value)])),
    // A service that does not know a filter answers all that it has.
    keeps: (entry) => checks.every((check) => check(entry)),
    isEmpty: given.some(([, value]) => Array.isArray(value) && value.length === 0),
  };
}

function refuseUnusable(filter: string, value: unknown, table: FilterTable): void {
  if (!Object.hasOwn(table.fields, filter)) {
    const names = Object.keys(table.fields);
    const words = names.length === 0 ? "" : `; ${suggestion(filter, names)}`;
    throw new BadRequestError(`${filter}: ${table.kind} are not filtered by it${words}`);
  }
  if (Array.isArray(value) && value.some((each) => typeof each !== "string" || /^$|,/.test(each))) {
    throw new BadRequestError(`${filter}: allowed: a list of strings that are not empty and have no comma`);
  }
}

function spelled(value: unknown): string | number | boolean {
  return Array.isArray(value) ? value.join(",") : (value as string | number | boolean);
}

function checkOf(path: readonly string[], wanted: unknown): (entry: Properties) => boolean {
  const all = (Array.isArray(wanted) ? wanted : [wanted]).map(comparable);
  return (entry) => {
    const found = valueAt(entry, path);
    return found === undefined || all.includes(comparable(found));
  };
}

function comparable(value: unknown): unknown {
  return typeof value === "string" && isUuid(value) ? value.toLowerCase() : value;
}

/** `sourceConfig.deploymentType` -> `["source_config", "deployment_type"]`. */
function wirePath(rows: Rows, path: string, profile: Profile): string[] {
  let within = rows;
  let place = "";
  return path.split(".").map((name) => {
    const field = within[name] as Field<unknown>;
    place = join(place, name);
    if (field.kind.type === "object") within = field.kind.rows;
    return wireName(field, place, profile);
  });
}
