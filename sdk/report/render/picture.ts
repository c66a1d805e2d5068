/** The picture of a stack as inline SVG, for wide windows and paper; a phone shows only the list of changes. */
import { byUrgency } from "../evaluate/order";
import { type Dependent, type DeploymentReport, type Report, VERDICTS } from "../model";
import { html } from "./escape";
import { contentOf, descriptionOf, type Group, type PictureContent } from "./pictureContent";
import { arrow, type Box, card, dependentRow, place, slimRow, tiles } from "./pictureDraw";
import { counts, VERDICT_WORDS } from "./words";

const SLIM = 36;
const GAP = 14;
const DEPENDENT = 44;
const MANY = 6;

export function picture(report: Report, index: number): string[] {
  if (report.deployments.length === 0) return [];
  const content = contentOf(report);
  const { svg, height } = layoutOf(content);
  const id = `picture-${index}`;
  return [
    '<div class="picture">',
    `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="${id}-title ${id}-text">`,
    `<title id="${id}-title">${html(`${report.stack}: ${counts(report.summary)}`)}</title>`,
    `<desc id="${id}-text">${html(descriptionOf(content))}</desc>`,
    svg,
    "</svg>",
    "</div>",
  ];
}

interface Layout {
  readonly svg: string;
  readonly height: number;
}

const WIDTH = 1160;
/** Positions and widths of the columns. */
const PLACES = 190;
const CARDS = 250;
const CARD_WIDTH = 520;
const CARD_HEIGHT = 108;
const AFTER = 850;

/** Listeners on the left, deployments in the middle, dependents on the right. */
function layoutOf(content: PictureContent): Layout {
  let y = 2;
  const pieces: string[] = [];
  const middles = new Map<DeploymentReport, number>();
  const middle = middleColumns(content);
  for (const group of content.groups) {
    const grid = deploymentGrid(group, y, middle);
    const bottom = Math.max(grid.bottom, y + 64);
    const beside = { x: 0, y, width: PLACES, height: bottom - y };
    pieces.push(placeBeside(group, beside, grid.boxes), ...grid.pieces);
    for (const [deployment, box] of grid.boxes) middles.set(deployment, box.y + box.height / 2);
    y = bottom + 2 * GAP;
  }
  const followerColumn = followers(content, middles);
  const tileRows = tileGroups(content, Math.max(y, followerColumn.height));
  return { svg: [...pieces, followerColumn.svg, tileRows.svg].join("\n"), height: tileRows.height };
}

interface Columns {
  readonly count: number;
  readonly width: number;
}

/** Without dependents, the cards take the whole width, in two columns if there are many. */
function middleColumns({ groups, dependents }: PictureContent): Columns {
  if ([...dependents.values()].some((each) => each.length > 0)) return { count: 1, width: CARD_WIDTH };
  const most = Math.max(...groups.map(({ cards, slim }) => cards.length + slim.length), 0);
  const whole = WIDTH - CARDS - 1;
  return most > MANY ? { count: 2, width: (whole - GAP) / 2 } : { count: 1, width: whole };
}

function deploymentGrid({ cards, slim }: Group, top: number, { count, width }: Columns) {
  let y = top;
  const pieces: string[] = [];
  const boxes = new Map<DeploymentReport, Box>();
  const rows = [
    { deployments: cards, height: CARD_HEIGHT, draw: card },
    { deployments: slim, height: SLIM, draw: slimRow },
  ];
  for (const { deployments, height, draw } of rows)
    for (const [index, deployment] of deployments.entries()) {
      const column = index % count;
      const box = { x: CARDS + column * (width + GAP), y, width, height };
      boxes.set(deployment, box);
      pieces.push(draw(deployment, box));
      if (column === count - 1 || index === deployments.length - 1) y += height + GAP;
    }
  return { pieces, boxes, bottom: y - GAP };
}

/** Draws the listener, as high as its deployments together, with a line to each of them. */
function placeBeside(group: Group, box: Box, boxes: ReadonlyMap<DeploymentReport, Box>): string {
  const ways = [...boxes.values()].map(
    ({ x, y, height }) => `<path class="under" d="M${PLACES} ${y + height / 2} H${x}"/>`,
  );
  return [...ways, place(group, box)].join("");
}

/** Draws each dependent once, near the middle of its deployments, with an arrow from each deployment. */
function followers(
  { groups, dependents }: PictureContent,
  middles: ReadonlyMap<DeploymentReport, number>,
): Layout {
  const cards = groups.flatMap((group) => group.cards);
  const byUrn = new Map<string, { dependent: Dependent; from: [DeploymentReport, boolean][] }>();
  for (const deployment of cards)
    for (const dependent of dependents.get(deployment.urn) ?? []) {
      const entry = byUrn.get(dependent.urn) ?? { dependent, from: [] };
      entry.from.push([deployment, dependent.followsRevision]);
      byUrn.set(dependent.urn, entry);
    }
  const rows = [...byUrn.values()]
    .map((each) => ({
      ...each,
      middle: each.from.reduce((sum, [from]) => sum + (middles.get(from) ?? 0), 0) / each.from.length,
    }))
    .sort((first, second) => first.middle - second.middle);
  let y = 2;
  const pieces: string[] = [];
  for (const [index, { dependent, from, middle }] of rows.entries()) {
    // Each dependent is as near to the middle of its cards as the dependents below it allow.
    const shareBelow = rows.slice(index).filter((row) => row.middle === middle).length;
    y = Math.max(y, middle - (shareBelow * (DEPENDENT + 10) - 10) / 2);
    const box = { x: AFTER, y, width: WIDTH - AFTER - 1, height: DEPENDENT };
    const ways = from.map(([deployment, follows]) =>
      curve(deployment, middles.get(deployment) ?? 0, y + DEPENDENT / 2, follows),
    );
    pieces.push(...ways, dependentRow(dependent, box));
    y += DEPENDENT + 10;
  }
  return { svg: pieces.join("\n"), height: y };
}

function curve({ verdict }: DeploymentReport, fromY: number, toY: number, follows: boolean): string {
  const [start, end] = [CARDS + CARD_WIDTH, AFTER];
  const bend = `M${start} ${fromY} C${start + 40} ${fromY} ${end - 48} ${toY} ${end - 9} ${toY}`;
  if (!follows) return `<path class="beside" d="${bend}"/>`;
  const perhaps = verdict === "may-create-revision" ? " perhaps" : "";
  return `<g class="${verdict}">${arrow(bend, end, toY, `way${perhaps}`)}</g>`;
}

/** One grid of tiles per verdict. */
function tileGroups({ tiles: tileDeployments }: PictureContent, from: number): Layout {
  let y = from;
  const pieces: string[] = [];
  for (const verdict of VERDICTS) {
    const deployments = byUrgency(tileDeployments).filter((deployment) => deployment.verdict === verdict);
    if (deployments.length === 0) continue;
    const { sign, label } = VERDICT_WORDS[verdict];
    const title = `${sign} ${deployments.length} ${verdict === "unchanged" ? "" : "more: "}${label}`;
    const { svg, bottom } = tiles(deployments, title, 1, y + 16, WIDTH - 2);
    pieces.push(svg);
    y = bottom + 6;
  }
  return { svg: pieces.join("\n"), height: Math.ceil(y + 2) };
}
