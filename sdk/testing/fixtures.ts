/** The fixtures that a test gives the mocks: the content of the service, under the program's names. */
import { refuseFaults } from "../../provider/client/bodies";
import type { ListenerAnswer, RepositoryAnswer, RevisionAnswer } from "../../provider/client/control";
import { foundDeploymentRows, listenerAnswerRows } from "../../provider/client/resources";
import type { FoundDeployment } from "../../provider/lookups";
import { boolean, computed, listOf, object, type Rows, text } from "../../provider/schema/kind";
import { repositoryRows } from "../../provider/schema/repository";
import { revisionRows } from "../../provider/schema/revision";
import { type Properties, withValueAt } from "../../provider/schema/value";
import { rowsToWire, type Spelling } from "../../provider/schema/wire";
import { suggestion } from "../../provider/schema/words";

/** A deployment that exists. Omitted fields have the values of a running deployment. */
export type GivenDeployment = Partial<FoundDeployment> & {
  /** The id, a UUID. */
  id: string;
  /** The revisions, newest first; defaults to one deployed revision. */
  revisions?: (Partial<RevisionAnswer> & { id: string })[];
  /** The ids by which the filter `tagValueIds` finds the deployment; no answer shows these ids. */
  tagValueIds?: string[];
  /** The flag by which the filter `remoteReconciled` finds the deployment; no answer shows this flag. */
  remoteReconciled?: boolean;
};

/** A listener that exists. By default, `computeType` is `k8s`, and `computeId` is the listener's id. */
export type GivenListener = Partial<ListenerAnswer> & {
  /** The id, a UUID. */
  id: string;
};

/** The content of the service before the program runs. Every connection reaches this service. */
export interface Given {
  /** The deployments that look-ups, `Deployment.get` and adoption find. */
  deployments?: readonly GivenDeployment[];
  /** The listeners that look-ups and `Listener.get` find; the mocks add those that the program declares. */
  listeners?: readonly GivenListener[];
  /** The repositories that look-ups find, each through the integration in its `hostIntegrationId`. */
  repositories?: readonly Required<RepositoryAnswer>[];
}

/** Fields that look-ups filter by, although no answer shows them. */
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

/** Throws a TypeError for fixtures that no service could return, such as a misspelled field. */
export function refuseBadFixtures(fixtures: Given): void {
  const unknownName = Object.keys(fixtures).find((name) => !Object.hasOwn(TABLES, name));
  if (unknownName !== undefined)
    throw new TypeError(
      `mocks: ${unknownName}: is not an option; ${suggestion(unknownName, [...Object.keys(TABLES), "configuration", "others"])}`,
    );
  for (const [list, rows] of Object.entries(TABLES)) {
    for (const [place, entry] of (fixtures[list as keyof Given] ?? []).entries()) {
      try {
        refuseFaults(rows, entry as Properties);
      } catch (error) {
        throw new TypeError(`mocks: ${list}.${place}: ${(error as Error).message}`);
      }
    }
  }
}

/** The body that the service would return, with a dotted wire name taken as a path. */
export function answerBody(rows: Rows, values: object, spelling: Spelling): Properties {
  const body = rowsToWire(rows, values as Properties, spelling);
  return Object.entries(body).reduce<Properties>(
    (whole, [name, value]) => withValueAt(whole, name.split("."), value),
    {},
  );
}
