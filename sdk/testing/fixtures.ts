/** The fixtures that a test gives the mocks: what the service has, under the program's names. */
import { refuseFaults } from "../../provider/client/bodies";
import type { ListenerAnswer, RepositoryAnswer, RevisionAnswer } from "../../provider/client/control";
import { foundDeploymentRows, listenerAnswerRows } from "../../provider/client/resources";
import { boolean, computed, listOf, object, type Rows, text } from "../../provider/fields/kind";
import { repositoryRows } from "../../provider/fields/repository";
import { revisionRows } from "../../provider/fields/revision";
import { type Properties, withValueAt } from "../../provider/fields/value";
import { rowsToWire, type Spelling } from "../../provider/fields/wire";
import { suggestion } from "../../provider/fields/words";
import type { FoundDeployment } from "../../provider/lookups";

/** A deployment that exists. Omitted fields are those of a running one. */
export type GivenDeployment = Partial<FoundDeployment> & {
  /** A UUID. */
  id: string;
  /** Newest first; one deployed revision unless given. */
  revisions?: (Partial<RevisionAnswer> & { id: string })[];
  /** Only for the filter `tagValueIds`: no answer shows the ids. */
  tagValueIds?: string[];
  /** Only for the filter `remoteReconciled`: no answer shows the flag. */
  remoteReconciled?: boolean;
};

/** A listener that exists. Unless given, its `computeType` is `k8s`, and its `computeId` the id. */
export type GivenListener = Partial<ListenerAnswer> & {
  /** A UUID. */
  id: string;
};

/** The content of the service before the program runs. Every connection reaches this service. */
export interface Given {
  /** For look-ups, `Deployment.get` and adoption. */
  deployments?: readonly GivenDeployment[];
  /** For look-ups and `Listener.get`. The mocks create the listeners that a program declares. */
  listeners?: readonly GivenListener[];
  /** For look-ups. Each belongs to the integration in its `hostIntegrationId`. */
  repositories?: readonly Required<RepositoryAnswer>[];
}

/** Fields that look-ups filter by and no answer shows. */
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

/** The body that the service would return; a dotted wire name is a path. */
export function answerBody(rows: Rows, values: object, spelling: Spelling): Properties {
  const body = rowsToWire(rows, values as Properties, spelling);
  return Object.entries(body).reduce<Properties>(
    (whole, [name, value]) => withValueAt(whole, name.split("."), value) as Properties,
    {},
  );
}
