/** List filters. The client sends the filters to the service, and filters the answer again. */

import { rowsUnder } from "../profiles/profile";
import type { Profile } from "../profiles/profiles";
import { deploymentFilterRows, type FilterRows, queryFor, revisionFilterRows } from "../schema/filters";
import type { Rows } from "../schema/kind";
import { revisionRows } from "../schema/revision";
import { canonicalId, type Properties, valueAt } from "../schema/value";
import { wirePath } from "../schema/wire";
import { suggestion } from "../schema/words";
import { refuseFaults } from "./bodies";
import { BadRequestError } from "./errors";
import type { Query } from "./http";
import { deploymentAnswerRows, listenerAnswerRows } from "./resources";

/** A list: its name, the rows of its entries, and its filters. */
export interface ListTable<R extends Rows = Rows> {
  readonly name: "deployments" | "revisions" | "listeners";
  readonly answer: R;
  readonly filters: FilterRows;
}

export const deploymentList = {
  name: "deployments",
  answer: deploymentAnswerRows,
  filters: deploymentFilterRows,
} as const;
export const revisionList = { name: "revisions", answer: revisionRows, filters: revisionFilterRows } as const;
export const listenerList = { name: "listeners", answer: listenerAnswerRows, filters: {} } as const;

export interface Narrowing {
  readonly query: Query;
  /** Whether an entry with wire names passes the filters. */
  readonly keeps: (entry: Properties) => boolean;
  /** Whether no entry can pass the filters. */
  readonly isEmpty: boolean;
}

/** Turns filters into a query and a check for each entry. Throws a BadRequestError that names a bad filter. */
export function narrowing(filters: object, list: ListTable, profile: Profile): Narrowing {
  const pairs = Object.entries(filters).filter(([, value]) => value !== undefined);
  for (const [filter, value] of pairs) refuseUnusable(filter, value, list);
  refuseFaults(rowsUnder(list.filters, profile, list.name), Object.fromEntries(pairs));
  const parameters = list.name === "listeners" ? {} : profile.query[list.name];
  const checks = pairs.flatMap(([filter, value]) => {
    const field = list.filters[filter]?.field;
    return field === undefined ? [] : [checkOf(wirePath(list.answer, field, profile), value)];
  });
  return {
    query: Object.assign(
      {},
      ...pairs.map(([filter, value]) => queryFor(parameters[filter], queryValue(value))),
    ),
    // A service that does not know a filter returns every entry, so the client checks each entry.
    keeps: (entry) => checks.every((check) => check(entry)),
    isEmpty: pairs.some(([, value]) => Array.isArray(value) && value.length === 0),
  };
}

function refuseUnusable(filter: string, value: unknown, { name, filters }: ListTable): void {
  if (!Object.hasOwn(filters, filter)) {
    const names = Object.keys(filters);
    const words = names.length === 0 ? "" : `; ${suggestion(filter, names)}`;
    throw new BadRequestError(`is not a filter of ${name}${words}`, filter);
  }
  if (Array.isArray(value) && value.some((each) => typeof each !== "string" || /^$|,/.test(each))) {
    throw new BadRequestError("allowed: a list of strings that are not empty and have no comma", filter);
  }
}

function queryValue(value: unknown): string | number | boolean {
  return Array.isArray(value) ? value.join(",") : (value as string | number | boolean);
}

function checkOf(path: readonly string[], filterValue: unknown): (entry: Properties) => boolean {
  const all = (Array.isArray(filterValue) ? filterValue : [filterValue]).map(comparable);
  return (entry) => {
    const answer = valueAt(entry, path);
    return answer === undefined || all.includes(comparable(answer));
  };
}

function comparable(value: unknown): unknown {
  return typeof value === "string" ? canonicalId(value) : value;
}
