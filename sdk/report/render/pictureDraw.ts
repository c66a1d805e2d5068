/** Draws the parts of the picture as SVG. */
import { type Dependent, type DeploymentReport, type ListenerReport, SECRET, UNKNOWN_VALUE } from "../model";
import { cut } from "../valueText";
import { html, visible } from "./escape";
import { countsOf, labelOf, shortType, VERDICT_WORDS } from "./words";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** SVG elements, and the height down to their lower end. */
export interface Drawing {
  readonly pieces: readonly string[];
  readonly height: number;
}

/** The width of a character in units of the SVG, wide enough for capitals in every font. */
const CHARACTER = { name: 9.8, plain: 7, mono: 7.4, small: 6.5 } as const;

const squeeze = (text: string, width: number, kind: keyof typeof CHARACTER): string =>
  html(cut(visible(text), Math.max(1, Math.floor(width / CHARACTER[kind]))));

/** Cuts text at its start, because the end of an image or path tells the reader more. */
function fitEnd(text: string, width: number): string {
  const most = Math.max(4, Math.floor(width / CHARACTER.mono));
  const characters = [...visible(text)];
  return html(characters.length <= most ? characters.join("") : `…${characters.slice(1 - most).join("")}`);
}

const rectangle = ({ x, y, width, height }: Box, name: string, round = 10): string =>
  `<rect class="${name}" x="${x}" y="${y}" width="${width}" height="${height}" rx="${round}"/>`;

const label = (x: number, y: number, text: string, name = "", end = false): string =>
  `<text x="${x}" y="${y}"${name ? ` class="${name}"` : ""}${end ? ' text-anchor="end"' : ""}>${text}</text>`;

const group = (name: string, tooltip: string, ...pieces: readonly string[]): string =>
  `<g${name ? ` class="${name}"` : ""}><title>${html(tooltip)}</title>${pieces.join("")}</g>`;

/** An arrow from left to right. */
export const arrow = (path: string, x: number, y: number): string =>
  `<path class="way" d="${path}"/><path class="tip" d="M${x} ${y} l-9 -5 v10 z"/>`;

/** The words for the current revision, and for what comes next: a new revision, or the deployment's end. */
function revisionTexts({ verdict, generation, builtFrom, fate, reasons }: DeploymentReport) {
  const number = generation.before === null ? "revision" : `generation ${generation.before}`;
  return {
    current: verdict === "create" ? "none" : (builtBefore(reasons) ?? number),
    coming:
      verdict === "delete" ? (fate === "deleted" ? "gone" : "unmanaged") : (builtFrom ?? "new revision"),
  };
}

const BUILT_FROM = ["imageUri", "repoRef", "sourceTarballPath"].map((name) => `sourceRevisionConfig.${name}`);

/** The image, branch or path before the change; undefined if the value stays, is secret or is unknown. */
function builtBefore(reasons: DeploymentReport["reasons"]): string | undefined {
  const before = reasons.find(({ path }) => BUILT_FROM.includes(path))?.before;
  return typeof before === "string" && before !== SECRET && before !== UNKNOWN_VALUE ? before : undefined;
}

/** Draws a deployment. Also draws the current and new revisions, unless the deployment changes in place. */
export function card(deployment: DeploymentReport, box: Box): string {
  const { name, verdict } = deployment;
  const words = labelOf(deployment);
  const { x, y, width } = box;
  const isMoving = verdict !== "in-place";
  return group(
    `${isMoving ? "moving" : "slim"} ${verdict}`,
    `${name}: ${words}`,
    rectangle(box, "box"),
    label(x + 18, y + 24, squeeze(name, width - 76 - words.length * 8, "name"), "name"),
    label(x + width - 16, y + 24, `${VERDICT_WORDS[verdict].sign} ${words}`, "toned", true),
    ...(isMoving ? [revisionsIn(deployment, box)] : []),
  );
}

function revisionsIn(deployment: DeploymentReport, { x, y, width, height }: Box): string {
  const { current, coming } = revisionTexts(deployment);
  const [start, top, gap] = [x + 18, y + 42, 40];
  const pill = (width - 36 - gap) * 0.38;
  const next = { x: start + pill + gap, y: top, width: width - 36 - gap - pill, height: 30 };
  return [
    rectangle({ x, y: y + 12, width: 5, height: height - 24 }, "stripe", 2),
    rectangle({ x: start, y: top, width: pill, height: 30 }, "pill", 15),
    label(start + 13, top + 20, fitEnd(current, pill - 24), "mono"),
    arrow(`M${start + pill + 6} ${top + 15} h${gap - 18}`, next.x - 4, top + 15),
    rectangle(next, "coming", 15),
    label(next.x + 13, top + 20, fitEnd(coming, next.width - 24), "mono"),
  ].join("");
}

/** The listener or compute that a group of deployments runs on. `listenerId` is null for the service's own compute. */
export function place(listenerId: string | null, listener: ListenerReport | undefined, box: Box): string {
  const { x, y, width } = box;
  const name = listener?.name ?? (listenerId === null ? "the service's compute" : listenerId);
  const verdict = listener?.verdict ?? "unchanged";
  const { sign, label: words } = VERDICT_WORDS[verdict];
  const second = listenerId === null ? "no listener" : `listener ${listener?.computeId ?? ""}`.trim();
  return group(
    verdict,
    `${second}: ${name}`,
    rectangle(box, "pill"),
    label(x + 14, y + 21, squeeze(name, width - 24, "plain")),
    label(x + 14, y + 38, squeeze(second, width - 24, "small"), "small"),
    verdict === "unchanged" ? "" : label(x + 14, y + 55, `${sign} ${words}`, "toned"),
  );
}

export function dependentRow({ name, type, op }: Dependent, box: Box): string {
  const { x, y, width } = box;
  return group(
    "",
    `${name} follows the revision`,
    rectangle(box, "box", 8),
    label(x + 14, y + 19, squeeze(name, width - 24, "plain")),
    label(x + 14, y + 35, squeeze(`${shortType(type)} · ${op}`, width - 24, "small"), "small"),
  );
}

const TILE = 18;
const STEP = 23;

/** Small squares, one per deployment, under their counts. */
export function tiles(deployments: readonly DeploymentReport[], top: number, width: number): Drawing {
  if (deployments.length === 0) return { pieces: [], height: top };
  const inRow = Math.floor(width / STEP);
  const squares = deployments.map((deployment, index) => {
    const x = 1 + (index % inRow) * STEP;
    const y = top + 28 + Math.floor(index / inRow) * STEP;
    const square = rectangle({ x, y, width: TILE, height: TILE }, "tile", 4);
    return group(deployment.verdict, `${deployment.name}: ${labelOf(deployment)}`, square);
  });
  return {
    pieces: [label(1, top + 16, countsOf(deployments), "small"), ...squares],
    height: top + 34 + Math.ceil(deployments.length / inRow) * STEP,
  };
}
