/** The tables of each resource class, with the names under which the files export them. */

import { RESOURCES } from "../../provider/resources";
import type { Rows } from "../../provider/schema/kind";
import { providerName } from "../../provider/schema/naming";

export interface Table {
  /** The name of the table's file in `provider/schema/`. */
  readonly file: string;
  readonly name: string;
  readonly rows: Rows;
  /** Whether the rows are arguments. */
  readonly given: boolean;
}

/**
 * The tables in a file. The table of arguments comes first. `TokenMetadata` has a separate table of arguments, because
 * the service stores only some of these arguments.
 */
function tablesIn(file: string): Table[] {
  const exported: { readonly [name: string]: Rows } = require(`../../provider/schema/${file}`);
  const argumentTable = Object.hasOwn(exported, `${file}ArgumentRows`)
    ? `${file}ArgumentRows`
    : `${file}Rows`;
  return [argumentTable, `${file}OutputRows`, `${file}ComputedRows`].flatMap((name) => {
    const rows = exported[name];
    return rows === undefined ? [] : [{ file, name, rows, given: name === argumentTable }];
  });
}

/** The tables of each resource class, by the name of the class. */
export const tablesOf: { readonly [resource: string]: readonly Table[] } = Object.fromEntries(
  Object.keys(RESOURCES).map((resource) => [resource, tablesIn(providerName(resource))]),
);
