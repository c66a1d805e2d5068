/** The picture of a stack as inline SVG. A changed deployment is a card; every other deployment is a tile. */
import {
  byUrgency,
  type Dependent,
  type DeploymentReport,
  type ListenerReport,
  type Report,
  type ReportVerdict,
} from "../model";
import { html } from "./escape";
import { arrow, card, type Drawing, dependentRow, place, tiles } from "./pictureDraw";
import { headline, isChanged, labelOf } from "./words";

/** Maximum numbers of cards and dependents in a readable picture. Further deployments become tiles. */
const MOST_CARDS = 16;
const MOST_DEPENDENTS = 40;

const WIDTH = 1160;
const GAP = 14;
/** Positions and widths of the columns. */
const PLACES = 190;
const CARDS = 250;
const CARD_WIDTH = 520;
const AFTER = 850;
/** Heights of a card, of a slim card and of a dependent. */
const CARD = 88;
const SLIM = 36;
const DEPENDENT = 44;

export function picture(report: Report, index: number): string[] {
  if (report.deployments.length === 0) return [];
  const deployments = byUrgency(report.deployments);
  const cards = deployments.filter(isChanged).slice(0, MOST_CARDS);
  const followers = followersOf(cards);
  const width = followers.length > 0 ? CARD_WIDTH : WIDTH - CARDS - 1;
  const middle = cardColumn(cards, report.listeners, width);
  const right = followerColumn(followers, middle.centers);
  const below = tiles(deployments.slice(cards.length), Math.max(middle.height, right.height), WIDTH);
  const id = `picture-${index}`;
  return [
    '<div class="picture">',
    `<svg viewBox="0 0 ${WIDTH} ${below.height}" role="img" aria-labelledby="${id}-title ${id}-text">`,
    `<title id="${id}-title">${html(`${report.stack}: ${headline([report])}`)}</title>`,
    `<desc id="${id}-text">${html(cards.map(descriptionOf).join("; "))}</desc>`,
    ...middle.pieces,
    ...right.pieces,
    ...below.pieces,
    "</svg>",
    "</div>",
  ];
}

/** A dependent, and the deployments that it follows. */
interface Follower {
  readonly dependent: Dependent;
  readonly from: DeploymentReport[];
}

/** Each dependent once, in the order of the cards. */
function followersOf(cards: readonly DeploymentReport[]): Follower[] {
  const byUrn = new Map<string, Follower>();
  for (const deployment of cards)
    for (const dependent of deployment.dependents) {
      const follower = byUrn.get(dependent.urn) ?? { dependent, from: [] };
      follower.from.push(deployment);
      byUrn.set(dependent.urn, follower);
    }
  return [...byUrn.values()].slice(0, MOST_DEPENDENTS);
}

/** The cards, grouped by listener, with the listener on the left. */
function cardColumn(cards: readonly DeploymentReport[], listeners: readonly ListenerReport[], width: number) {
  let y = 2;
  const pieces: string[] = [];
  const centers = new Map<DeploymentReport, number>();
  const changedIds = listeners.filter(isChanged).map(({ id }) => id);
  for (const listenerId of new Set([...cards.map((each) => each.listenerId), ...changedIds])) {
    const top = y;
    for (const deployment of cards.filter((each) => each.listenerId === listenerId)) {
      const height = deployment.verdict === "in-place" ? SLIM : CARD;
      const center = y + height / 2;
      centers.set(deployment, center);
      pieces.push(`<path class="under" d="M${PLACES} ${center} H${CARDS}"/>`);
      pieces.push(card(deployment, { x: CARDS, y, width, height }));
      y += height + GAP;
    }
    y = Math.max(y, top + 64 + GAP);
    const listener = listeners.find(({ id }) => id === listenerId && id !== null);
    pieces.push(place(listenerId, listener, { x: 0, y: top, width: PLACES, height: y - GAP - top }));
    y += GAP;
  }
  return { pieces, centers, height: y };
}

/** Draws the followers in a column. An arrow leads to each follower from every deployment that it depends on. */
function followerColumn(
  followers: readonly Follower[],
  centers: ReadonlyMap<DeploymentReport, number>,
): Drawing {
  const pieces = followers.flatMap(({ dependent, from }, index) => {
    const y = 2 + index * (DEPENDENT + GAP);
    const arrows = from.map((each) => curve(each.verdict, centers.get(each) ?? 0, y + DEPENDENT / 2));
    return [...arrows, dependentRow(dependent, { x: AFTER, y, width: WIDTH - AFTER - 1, height: DEPENDENT })];
  });
  return { pieces, height: 2 + followers.length * (DEPENDENT + GAP) };
}

function curve(verdict: ReportVerdict, fromY: number, toY: number): string {
  const start = CARDS + CARD_WIDTH;
  const bend = `M${start} ${fromY} C${start + 40} ${fromY} ${AFTER - 48} ${toY} ${AFTER - 9} ${toY}`;
  return `<g class="${verdict}">${arrow(bend, AFTER, toY)}</g>`;
}

/** A card in words, for readers who cannot see the picture. */
function descriptionOf(deployment: DeploymentReport): string {
  const names = deployment.dependents.map(({ name }) => name).join(", ");
  return `${deployment.name}: ${labelOf(deployment)}${names === "" ? "" : `, followed by ${names}`}`;
}
