/** The tables of each resource class, by the names under which they are exported. */
import type { Rows } from "../../provider/fields/kind";
import { providerName } from "../../provider/fields/naming";
import { RESOURCES } from "../../provider/resources";

export interface Table {
  /** The name of its file in `provider/fields/`. */
  readonly file: string;
  readonly name: string;
  readonly rows: Rows;
  /** Whether its rows are arguments. */
  readonly given: boolean;
}

/** The tables in a file, arguments first; a token has more arguments than the service stores. */
function tablesIn(file: string): Table[] {
  const exported: { readonly [name: string]: Rows } = require(`../../provider/fields/${file}`);
  const argumentTable = Object.hasOwn(exported, `${file}ArgumentRows`)
    ? `${file}ArgumentRows`
    : `${file}Rows`;
  return [argumentTable, `${file}OutputRows`, `${file}ComputedRows`].flatMap((name) => {
    const rows = exported[name];
    return rows === undefined ? [] : [{ file, name, rows, given: name === argumentTable }];
  });
}

/** `Deployment` -> its tables. */
export const tablesOf: { readonly [resource: string]: readonly Table[] } = Object.fromEntries(
  Object.keys(RESOURCES).map((resource) => [resource, tablesIn(providerName(resource))]),
);
