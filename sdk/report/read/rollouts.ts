/**
 * Reads the statuses of revisions from Rollouts, because a deployment that did not wait for its revision has no status
 * in its own state.
 */
import { isLost } from "../../../provider/deployment/record";
import { nameIn, resourceOfType, typeIn } from "../../../provider/schema/naming";
import { type Properties, propertiesIn, valueAt } from "../../../provider/schema/value";
import { isUnproven } from "../../../provider/schema/verification";
import type { Events, Happening } from "./events";
import { recordedOf } from "./hidden";
import type { EngineState } from "./preview";

interface SeenRevision {
  /** URN of the deployment; undefined if the Rollout gives it another name than the program does. */
  readonly urn: string | undefined;
  readonly revisionId: string;
  readonly status: string;
}

/** Revisions by the id of their deployment. */
export type SeenRevisions = ReadonlyMap<string, SeenRevision>;

export const isRollout = (urn: string): boolean => resourceOfType(typeIn(urn)) === "Rollout";

/** The newest revisions that Rollouts have seen, read from the Rollouts' states. */
export function revisionsSeenBy(states: readonly (EngineState | undefined)[]): SeenRevisions {
  return new Map(states.flatMap((state) => (state === undefined ? [] : seenBy(state))));
}

function seenBy(state: EngineState): [id: string, seen: SeenRevision][] {
  const { deployments, revisions, statuses } = recordedOf(state);
  const urns = [...(state.dependencies ?? []), ...(state.propertyDependencies?.deployments ?? [])];
  return Object.entries(propertiesIn(deployments)).flatMap(([name, deployment]) => {
    const [id, revisionId, status] = [
      valueAt(deployment, ["id"]),
      valueAt(revisions, [name]),
      valueAt(statuses, [name]),
    ];
    if (typeof id !== "string" || typeof revisionId !== "string" || typeof status !== "string") return [];
    const urn = urns.find((each) => nameIn(each) === name && resourceOfType(typeIn(each)) === "Deployment");
    return [[id, { urn, revisionId, status }]];
  });
}

/** The newest revisions that the Rollouts of this up have seen. */
export function revisionsSeenIn({ eventsByUrn }: Events): SeenRevisions {
  const rollouts = [...eventsByUrn.values()].filter(({ urn }) => isRollout(urn));
  // In the events of a deletion, the new state (`after`) is null.
  return revisionsSeenBy(rollouts.map(({ after }) => (after ?? undefined) as EngineState | undefined));
}

/** The status of the deployment's latest revision as a Rollout saw it; undefined if no Rollout saw the revision. */
export function statusSeen(seenRevisions: SeenRevisions, state: Happening["after"]): string | undefined {
  const revision = seenRevisions.get(state?.id ?? "");
  return revision?.revisionId === valueAt(state?.outputs, ["latestRevisionId"])
    ? revision?.status
    : undefined;
}

/** The recorded properties of a deployment, with the status that a Rollout has seen, unless a refresh is newer. */
export function withSeen(properties: Properties, seenRevision: SeenRevision | undefined): Properties {
  // The service knows only that a revision is deployed, not whether it was verified.
  const isOpen =
    properties.rolloutState === "not awaited" ||
    properties.rolloutState === "unfinished" ||
    isUnproven(seenRevision?.status);
  if (seenRevision === undefined || !isOpen || properties.latestRevisionId !== seenRevision.revisionId)
    return properties;
  return { ...properties, ...seenOutputs(seenRevision) };
}

/** The state of a deployment of which only the newest revision is known; undefined if that revision runs. */
export function stateOfFailed(id: string, seenRevision: SeenRevision): EngineState | undefined {
  return seenRevision.status === "DEPLOYED" ? undefined : { id, outputs: seenOutputs(seenRevision) };
}

function seenOutputs({ revisionId, status }: SeenRevision): Properties {
  const latest = { latestRevisionId: revisionId, latestRevisionStatus: status };
  if (status === "DEPLOYED") return { ...latest, activeRevisionId: revisionId, rolloutState: "deployed" };
  return { ...latest, rolloutState: isLost(status) ? "failed" : "unfinished" };
}
