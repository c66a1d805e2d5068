/** What the picture shows: what moves, drawn big by listener; what is edited in place, small; the rest as tiles. */
import { byUrgency, type Dependent, type DeploymentReport, type ListenerReport, type Report } from "../model";
import { isChanged, labelOf } from "./words";

/** So many cards are still a picture; the others become tiles. */
const MOST_CARDS = 24;
const MOST_SLIM = 12;
const MOST_DEPENDENTS = 40;

export interface Group {
  /** Null: on the service's own compute, or unknown. */
  readonly listenerId: string | null;
  readonly listener: ListenerReport | undefined;
  readonly cards: readonly DeploymentReport[];
  readonly slim: readonly DeploymentReport[];
}

export interface Drawn {
  readonly groups: readonly Group[];
  readonly tiles: readonly DeploymentReport[];
  /** Dependents worth an arrow, by the URN of the deployment. */
  readonly dependents: ReadonlyMap<string, readonly Dependent[]>;
}

const moves = ({ verdict }: DeploymentReport): boolean => verdict !== "in-place" && verdict !== "unchanged";

export function drawn(report: Report): Drawn {
  const deployments = byUrgency(report.deployments);
  const cards = deployments.filter(moves).slice(0, MOST_CARDS);
  const slim = deployments.filter(({ verdict }) => verdict === "in-place").slice(0, MOST_SLIM);
  const shown = new Set([...cards, ...slim]);
  return {
    groups: groupsOf([...cards, ...slim], report.listeners),
    tiles: deployments.filter((deployment) => !shown.has(deployment)),
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
    const own = deployments.filter((deployment) => deployment.listenerId === listenerId);
    return {
      listenerId,
      listener: listenerId === null ? undefined : listeners.find(({ id }) => id === listenerId),
      cards: own.filter(moves),
      slim: own.filter((deployment) => !moves(deployment)),
    };
  });
}

/** Those that follow the revision, and the others as long as there is room for them. */
function dependentsOf(cards: readonly DeploymentReport[]): ReadonlyMap<string, readonly Dependent[]> {
  const all = cards.flatMap(({ dependents }) => dependents);
  const few = all.length <= MOST_DEPENDENTS;
  let room = MOST_DEPENDENTS;
  const entries = cards.map(({ urn, dependents }) => {
    const wanted = dependents.filter(({ followsRevision }) => few || followsRevision).slice(0, room);
    room -= wanted.length;
    return [urn, wanted] as const;
  });
  return new Map(entries);
}

/** The picture in a sentence, for who cannot see it. */
export function described({ groups, tiles, dependents }: Drawn): string {
  const cards = groups.flatMap((group) =>
    group.cards.map((deployment) => {
      const { name, urn } = deployment;
      const after = (dependents.get(urn) ?? []).filter(({ followsRevision }) => followsRevision);
      const names = after.map((dependent) => dependent.name).join(", ");
      return `${name}: ${labelOf(deployment)}${names === "" ? "" : `, followed by ${names}`}`;
    }),
  );
  const slim = groups.flatMap((group) => group.slim.map(({ name }) => `${name}: in place`));
  const unchanged = tiles.filter((deployment) => !isChanged(deployment)).length;
  const rest = tiles.length - unchanged;
  return [
    ...cards,
    ...slim,
    ...(rest > 0 ? [`${rest} more that change, as tiles`] : []),
    ...(unchanged > 0 ? [`${unchanged} unchanged, as tiles`] : []),
  ].join("; ");
}
