/** List filters for deployments and revisions: their query parameters, and how the filters match entries. */

import { type Profile, rowsUnder } from "../../../../provider/profiles/profile";
import { FILTERS, type FilterRows } from "../../../../provider/schema/filters";
import { computed, type Field, listOf, type Rows, uuid } from "../../../../provider/schema/kind";
import { paging, type Query } from "../../http/route";

type ListName = keyof typeof FILTERS;

/** Newer services accept a filter under the contract's name and under the profile's name. */
function filterNames(name: ListName, profile: Profile): ReadonlyMap<string, string> {
  const rows: FilterRows = FILTERS[name];
  return new Map(
    Object.entries(rows).flatMap(([filter, { wire = [] }]) =>
      [wire, profile.query[name][filter] ?? []].flat().map((parameter) => [parameter, filter] as const),
    ),
  );
}

export function filtersOf(name: ListName, profile: Profile): Rows {
  const rows = rowsUnder(FILTERS[name], profile, name);
  const filters = [...filterNames(name, profile)].map(([parameter, filter]) => [
    parameter,
    filter === "deploymentIds" ? computed(listOf(uuid)) : (rows[filter] as Field<unknown>),
  ]);
  return { ...paging, ...Object.fromEntries(filters) };
}

/** An entry's value for each filter. If the value is a list, one matching element is enough. */
type Filterable = { readonly [filter: string]: () => unknown };

export function selection(name: ListName, profile: Profile, query: Query): (entry: Filterable) => boolean {
  const names = filterNames(name, profile);
  const filters = Object.entries(query).flatMap(([parameter, text]) => {
    const filter = names.get(parameter);
    return filter === undefined
      ? []
      : [{ filter, options: [text].flat(), isPart: /_contains$/.test(parameter) }];
  });
  return (entry) =>
    filters.every(({ filter, options, isPart }) => {
      const values = [entry[filter]?.()].flat();
      if (isPart) return values.some((value) => String(value).includes(String(options[0])));
      return options.some((each) => values.includes(each));
    });
}
