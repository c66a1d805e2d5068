/** What a test gives the mocks: what the service has, in the program's names. */
import { refuseFaults } from "../../provider/client/bodies";
import type { ListenerAnswer, RepositoryAnswer, RevisionAnswer } from "../../provider/client/control";
import { foundDeploymentRows, listenerAnswerRows } from "../../provider/client/resources";
import { withValueAt } from "../../provider/fields/compare";
import { boolean, computed, listOf, object, type Rows, text } from "../../provider/fields/kind";
import { repositoryRows } from "../../provider/fields/repository";
import { revisionRows } from "../../provider/fields/revision";
import type { Properties } from "../../provider/fields/value";
import { rowsToWire, type Spelling } from "../../provider/fields/wire";
import { suggestion } from "../../provider/fields/words";
import type { FoundDeployment } from "../../provider/lookups";

/** A deployment that exists. What is left out is as of one that runs. */
export type GivenDeployment = Partial<FoundDeployment> & {
  /** A UUID. */
  id: string;
  /** Newest first; one that is deployed unless given. */
  revisions?: (Partial<RevisionAnswer> & { id: string })[];
  /** By which the look-up filters; no answer shows them. */
  tagValueIds?: string[];
  /** By which look-ups filter; no answer shows it. */
  remoteReconciled?: boolean;
};

/** A listener that exists. Unless given, its `computeType` is `k8s`, and its `computeId` the id. */
export type GivenListener = Partial<ListenerAnswer> & {
  /** A UUID. */
  id: string;
};

/** What the service has before the program runs. Every connection reaches it. */
export interface Given {
  /** For look-ups, `Deployment.get` and adoption. */
  deployments?: readonly GivenDeployment[];
  /** For look-ups and `Listener.get`. A declared listener needs none: the mocks have whatever is declared. */
  listeners?: readonly GivenListener[];
  /** For look-ups: each belongs to the integration that is its `hostIntegrationId`. */
  repositories?: readonly Required<RepositoryAnswer>[];
}

/** What a look-up filters by and no answer shows. */
const hiddenRows = {
  tagValueIds: computed(listOf(text)),
  remoteReconciled: computed(boolean),
} as const;

const deploymentRows: Rows = {
  ...optional(foundDeploymentRows),
  id: foundDeploymentRows.id,
  ...hiddenRows,
  revisions: computed(listOf(object({ ...optional(revisionRows), id: revisionRows.id }))),
};
const listenerRows: Rows = { ...optional(listenerAnswerRows), id: listenerAnswerRows.id };

const TABLES: { readonly [list in keyof Given]-?: Rows } = {
  deployments: deploymentRows,
  listeners: listenerRows,
  repositories: repositoryRows,
};

function optional(rows: Rows): Rows {
  return Object.fromEntries(
    Object.entries(rows).map(([name, field]) => [name, { ...field, required: false }]),
  );
}

/** Throws a TypeError for what no service answers, such as a misspelt field. */
export function refuseBadGiven(given: Given): void {
  const stranger = Object.keys(given).find((name) => !Object.hasOwn(TABLES, name));
  if (stranger !== undefined)
    throw new TypeError(
      `mocks: ${stranger}: is not an option; ${suggestion(stranger, [...Object.keys(TABLES), "configuration", "others"])}`,
    );
  for (const [list, rows] of Object.entries(TABLES)) {
    for (const [place, entry] of (given[list as keyof Given] ?? []).entries()) {
      try {
        refuseFaults(rows, entry as Properties);
      } catch (error) {
        throw new TypeError(`mocks: ${list}.${place}: ${(error as Error).message}`);
      }
    }
  }
}

/** A body as the service would answer it: a dotted wire name is a path. */
export function answered(rows: Rows, values: object, spelling: Spelling): Properties {
  const body = rowsToWire(rows, values as Properties, spelling);
  return Object.entries(body).reduce<Properties>(
    (whole, [name, value]) => withValueAt(whole, name.split("."), value) as Properties,
    {},
  );
}
