/** The tables of each resource class, by the names under which they are exported. */
import * as deployment from "../../provider/fields/deployment";
import type { Rows } from "../../provider/fields/kind";
import * as listener from "../../provider/fields/listener";
import * as rollout from "../../provider/fields/rollout";
import * as smokeTest from "../../provider/fields/smokeTest";
import * as tokenMetadata from "../../provider/fields/tokenMetadata";

export interface Table {
  /** Of its file in `provider/fields/`. */
  readonly file: string;
  readonly name: string;
  readonly rows: Rows;
  /** Whether its rows are arguments. */
  readonly given: boolean;
}

const files: { readonly [file: string]: { readonly [name: string]: unknown } } = {
  deployment,
  listener,
  rollout,
  smokeTest,
  tokenMetadata,
};

/** Its arguments first. */
const names: { readonly [file: string]: readonly [given: string, ...answered: string[]] } = {
  deployment: ["deploymentRows", "deploymentOutputRows", "deploymentComputedRows"],
  listener: ["listenerRows", "listenerOutputRows", "listenerComputedRows"],
  rollout: ["rolloutRows", "rolloutOutputRows"],
  smokeTest: ["smokeTestRows", "smokeTestOutputRows"],
  tokenMetadata: ["tokenMetadataArgumentRows", "tokenMetadataOutputRows", "tokenMetadataComputedRows"],
};

/** `Deployment` -> its tables. The engine itself keeps an id, so it is not among the rows. */
export const tablesOf: { readonly [resource: string]: readonly Table[] } = Object.fromEntries(
  Object.entries(names).map(([file, tables]) => [
    file.charAt(0).toUpperCase() + file.slice(1),
    tables.map((name, at) => {
      const { id: _kept, ...rows } = (files[file] as { [name: string]: Rows })[name] as Rows;
      return { file, name, rows, given: at === 0 };
    }),
  ]),
);
