/** Selects the picture's content: slim cards for edits in place, large ones for greater changes, tiles for the rest. */
import { byUrgency } from "../evaluate/order";
import type { Dependent, DeploymentReport, ListenerReport, Report } from "../model";
import { isChanged, labelOf } from "./words";

/** Maximum number of cards in a readable picture; the others become tiles. */
const MOST_CARDS = 24;
const MOST_SLIM = 12;
const MOST_DEPENDENTS = 40;

export interface Group {
  /** The listener's id; null for the service's own compute, or if the id is unknown. */
  readonly listenerId: string | null;
  readonly listener: ListenerReport | undefined;
  readonly cards: readonly DeploymentReport[];
  readonly slim: readonly DeploymentReport[];
}

export interface PictureContent {
  readonly groups: readonly Group[];
  readonly tiles: readonly DeploymentReport[];
  /** The dependents that get an arrow, by the URN of the deployment. */
  readonly dependents: ReadonlyMap<string, readonly Dependent[]>;
}

const moves = ({ verdict }: DeploymentReport): boolean => verdict !== "in-place" && verdict !== "unchanged";

export function contentOf(report: Report): PictureContent {
  const deployments = byUrgency(report.deployments);
  const cards = deployments.filter(moves).slice(0, MOST_CARDS);
  const slim = deployments.filter(({ verdict }) => verdict === "in-place").slice(0, MOST_SLIM);
  const inGroups = new Set([...cards, ...slim]);
  return {
    groups: groupsOf([...cards, ...slim], report.listeners),
    tiles: deployments.filter((deployment) => !inGroups.has(deployment)),
    dependents: dependentsOf(cards),
  };
}

function groupsOf(
  deployments: readonly DeploymentReport[],
  listeners: readonly ListenerReport[],
): readonly Group[] {
  const changing = listeners.filter(({ verdict }) => verdict !== "unchanged").map(({ id }) => id);
  const ids = new Set([...deployments.map(({ listenerId }) => listenerId), ...changing]);
  return [...ids].map((listenerId) => {
    const members = deployments.filter((deployment) => deployment.listenerId === listenerId);
    return {
      listenerId,
      listener: listenerId === null ? undefined : listeners.find(({ id }) => id === listenerId),
      cards: members.filter(moves),
      slim: members.filter((deployment) => !moves(deployment)),
    };
  });
}

/** The dependents to draw: those that follow the new revision, and all other dependents if there is room. */
function dependentsOf(cards: readonly DeploymentReport[]): ReadonlyMap<string, readonly Dependent[]> {
  const all = cards.flatMap(({ dependents }) => dependents);
  const few = all.length <= MOST_DEPENDENTS;
  let room = MOST_DEPENDENTS;
  const entries = cards.map(({ urn, dependents }) => {
    const arrows = dependents.filter(({ followsRevision }) => few || followsRevision).slice(0, room);
    room -= arrows.length;
    return [urn, arrows] as const;
  });
  return new Map(entries);
}

/** The picture in a sentence, for readers who cannot see it. */
export function descriptionOf({ groups, tiles, dependents }: PictureContent): string {
  const cards = groups.flatMap((group) =>
    group.cards.map((deployment) => {
      const { name, urn } = deployment;
      const followers = (dependents.get(urn) ?? []).filter(({ followsRevision }) => followsRevision);
      const names = followers.map((dependent) => dependent.name).join(", ");
      return `${name}: ${labelOf(deployment)}${names === "" ? "" : `, followed by ${names}`}`;
    }),
  );
  const slim = groups.flatMap((group) => group.slim.map(({ name }) => `${name}: in place`));
  const unchanged = tiles.filter((deployment) => !isChanged(deployment)).length;
  const changing = tiles.length - unchanged;
  return [
    ...cards,
    ...slim,
    ...(changing > 0 ? [`${changing} more that change, as tiles`] : []),
    ...(unchanged > 0 ? [`${unchanged} unchanged, as tiles`] : []),
  ].join("; ");
}
