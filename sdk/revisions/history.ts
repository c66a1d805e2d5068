/** The revisions of a recorded deployment: their changes, the serving revision, and the last good revision. */
import { systemClock } from "../../provider/client/clock";
import { goodIn } from "../../provider/deployment/record";
import { otherTenant, otherTenantWords } from "../../provider/deployment/tenant";
import { standardError } from "../../provider/engine/engine";
import { reasonIn, revisionsOf } from "../../provider/polling/revisions";
import type { Profile } from "../../provider/profiles/profiles";
import { environmentOf } from "../../provider/run/configuration";
import { EngineRun } from "../../provider/run/run";
import { hiddenBy } from "../../provider/schema/check";
import { type Difference, differences } from "../../provider/schema/compare";
import { nameIn } from "../../provider/schema/naming";
import { revisionRows } from "../../provider/schema/revision";
import { keepSecret } from "../../provider/schema/secrecy";
import type { Properties } from "../../provider/schema/value";
import { rowsFromWire } from "../../provider/schema/wire";
import { nearest } from "../../provider/schema/words";
import type { Recorded } from "../recover/state";

export type History = Awaited<ReturnType<typeof historyOf>>;
export type Revision = History["revisions"][number];

/** The deployment with that URN or that name in the program. Throws an Error unless exactly one deployment matches. */
export function deploymentNamed(name: string, deployments: readonly Recorded[]): Recorded {
  const matches = deployments.filter(({ urn }) => urn === name || nameIn(urn) === name);
  const [deployment] = matches;
  if (deployment !== undefined && matches.length === 1) return deployment;
  if (deployment !== undefined)
    throw new Error(
      `${matches.length} deployments of the stack are named "${name}": use the URN of one of them: ${matches.map(({ urn }) => urn).join(", ")}`,
    );
  const names = deployments.map(({ urn }) => nameIn(urn));
  const near = nearest(name, names);
  const hint =
    near === undefined ? `it has ${names.sort().join(", ") || "no deployment"}` : `did you mean ${near}?`;
  throw new Error(`the state has no deployment "${name}"; ${hint}`);
}

/** Reads the revisions, newest first. Sends only read requests. Throws a ServiceError or a ConfigurationError. */
export async function historyOf(deployment: Recorded, environment: NodeJS.ProcessEnv) {
  const { source, isExplicit } = deployment.provider;
  keepSecret(deployment.secrets);
  const runEnvironment = environmentOf(source, isExplicit, environment);
  const run = new EngineRun(source, standardError, systemClock, undefined, runEnvironment);
  const { directory, endpoints, connection } = run.serviceOf(deployment.values);
  try {
    const resource = await directory.fresh(deployment.id);
    if (resource === undefined) {
      const other = otherTenant(deployment.values, connection, await directory.some());
      throw new Error(
        other === undefined
          ? `the service no longer has deployment ${deployment.id}. \`pulumi refresh\` records that`
          : `deployment ${deployment.id} ${otherTenantWords(deployment.values, other)}`,
      );
    }
    const wireRevisions = await revisionsOf(endpoints, deployment.id);
    const good = goodIn(deployment.values);
    const shownRevisions = wireRevisions.map((wire) => shownIn(wire, connection.profile));
    const revisions = shownRevisions.map((revision, index) => ({
      ...revision,
      serves: revision.id === resource.active_revision_id,
      /** Whether the state records the revision as the last good revision. */
      provedItself: revision.id === good,
      /** The differences from the previous revision, as far as the service shows the settings. */
      changes: changesBetween(shownRevisions[index + 1], revision),
      isFirst: index === shownRevisions.length - 1,
    }));
    return {
      deployment,
      name: nameIn(deployment.urn),
      profile: connection.profile,
      hidden: hiddenBy(deployment.secretPaths),
      /** The current time by the service's clock, in ms since 1970. */
      now: Date.now() + endpoints.clockAhead,
      revisions,
      endpoints,
    };
  } finally {
    await endpoints.close();
  }
}

type Shown = ReturnType<typeof shownIn>;

/** A fact that the service does not show is undefined. */
function shownIn(wire: Properties, profile: Profile) {
  const { id, status, source, sourceRevisionConfig } = rowsFromWire(revisionRows, wire, profile);
  const [createdAt, updatedAt] = [wire.created_at, wire.updated_at].map((time) => {
    const moment = Date.parse(String(time));
    return Number.isNaN(moment) ? undefined : moment;
  });
  const isTimed = createdAt !== undefined && updatedAt !== undefined;
  return {
    id: id as string,
    status: String(status),
    source,
    settings: sourceRevisionConfig as Properties | undefined,
    /** The time of the creation, in ms since 1970. */
    createdAt,
    /** The time from the revision's creation to its last change of status. */
    seconds: isTimed ? Math.round(Math.max(0, updatedAt - createdAt) / 1000) : undefined,
    /** Why the revision failed, in the service's words. */
    reason: reasonIn(wire),
  };
}

const { source, sourceRevisionConfig } = revisionRows;

/** The changed settings, as far as the service shows settings. Empty for the first revision. */
function changesBetween(before: Shown | undefined, after: Shown): Difference[] {
  if (before === undefined) return [];
  const isShown = before.settings !== undefined && after.settings !== undefined;
  const rows = { source, ...(isShown ? { sourceRevisionConfig } : {}) };
  const settingsOf = ({ source, settings }: Shown): Properties => ({
    source,
    sourceRevisionConfig: settings,
  });
  return differences(rows, settingsOf(before), settingsOf(after));
}
