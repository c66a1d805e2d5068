/** Draws the parts of the picture as SVG. */
import { type Dependent, type DeploymentReport, type ReportVerdict, SECRET, UNKNOWN_VALUE } from "../model";
import { html, visible } from "./escape";
import type { Group } from "./pictureContent";
import { columns, within } from "./terminal";
import { labelOf, shortType, VERDICT_WORDS } from "./words";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The width of one column of text in units of the SVG, wide enough for capitals in every font. */
const COLUMN = { name: 9.8, slim: 8.4, plain: 7, mono: 7.4, small: 6.5 } as const;

const squeeze = (text: string, width: number, kind: keyof typeof COLUMN): string =>
  html(within(text, Math.max(1, Math.floor(width / COLUMN[kind]))));

/** Cuts text at its start, because the end of an image or path tells the reader more. */
function fitEnd(text: string, width: number): string {
  const most = Math.max(4, Math.floor(width / COLUMN.mono));
  const line = visible(text);
  if (columns(line) <= most) return html(line);
  const characters = [...line.slice(-4 * most)];
  while (columns(characters.join("")) > most - 1) characters.shift();
  const end = characters.join("");
  // If the first half of the text has a slash, cut there.
  const seam = end.indexOf("/");
  return html(`…${seam > 0 && seam < end.length / 2 ? end.slice(seam) : end}`);
}

const rectangle = ({ x, y, width, height }: Box, name: string, round = 10): string =>
  `<rect class="${name}" x="${x}" y="${y}" width="${width}" height="${height}" rx="${round}"/>`;

const label = (x: number, y: number, text: string, name = "", end = false): string =>
  `<text x="${x}" y="${y}"${name ? ` class="${name}"` : ""}${end ? ' text-anchor="end"' : ""}>${text}</text>`;

/** A group of SVG elements with a tooltip. */
const group = (name: string, tooltip: string, ...pieces: readonly string[]): string =>
  `<g${name ? ` class="${name}"` : ""}><title>${html(tooltip)}</title>${pieces.join("")}</g>`;

/** An arrow from left to right. */
export function arrow(path: string, x: number, y: number, name: string): string {
  return `<path class="${name}" d="${path}"/><path class="tip" d="M${x} ${y} l-9 -5 v10 z"/>`;
}

const UNDER: { readonly [V in ReportVerdict]: readonly [now: string, next: string] } = {
  replace: ["goes with the old one", "a new deployment"],
  delete: ["serves until the apply", "leaves the stack"],
  "new-revision": ["serves now", "is built, then serves"],
  "may-create-revision": ["serves now", "built only perhaps"],
  create: ["nothing serves yet", "its first revision"],
  "in-place": ["is still serving", ""],
  unchanged: ["is still serving", ""],
};

const NEXT: { readonly [F in NonNullable<DeploymentReport["fate"]>]: string } = {
  retained: "leaves the stack, runs on",
  deleted: "is deleted on the service",
  refused: "is refused",
};

/** The texts on and under the current revision and the next one. */
function revisionTexts({ verdict, revisions, builtFrom, id, fate, reasons }: DeploymentReport) {
  const [nowUnder, nextUnder] = UNDER[verdict];
  const serving = revisions.activeId ?? revisions.latestId;
  const short = (revisionId: string | null) => (revisionId === null ? "revision" : revisionId.slice(0, 8));
  const hasFailed = revisions.latestStatus?.endsWith("FAILED") === true;
  return {
    now: verdict === "create" ? "none" : (builtBefore(reasons) ?? short(serving ?? id)),
    nowUnder: hasFailed && verdict !== "delete" ? "the latest revision failed" : nowUnder,
    next: verdict === "delete" ? (fate === "retained" ? "unmanaged" : "gone") : (builtFrom ?? "new revision"),
    nextUnder: verdict === "delete" && fate !== null ? NEXT[fate] : nextUnder,
    perhaps: verdict === "may-create-revision" || verdict === "delete",
  };
}

const BUILT_FROM = ["imageUri", "repoRef", "sourceTarballPath"].map((name) => `sourceRevisionConfig.${name}`);

/** The image, branch or path before the change; undefined if it does not change, or if it is secret or unknown. */
function builtBefore(reasons: DeploymentReport["reasons"]): string | undefined {
  const before = reasons.find(({ path }) => BUILT_FROM.includes(path))?.before;
  return typeof before === "string" && before !== SECRET && before !== UNKNOWN_VALUE ? before : undefined;
}

/** Draws a moving deployment: its name, its verdict, and its current revision next to the new revision. */
export function card(deployment: DeploymentReport, box: Box): string {
  const { sign } = VERDICT_WORDS[deployment.verdict];
  const words = labelOf(deployment);
  const { x, y, width } = box;
  const top = y + 46;
  const [start, gap] = [x + 18, 40];
  const pill = (width - 36 - gap) * 0.38;
  const next = { x: start + pill + gap, y: top, width: width - 36 - gap - pill, height: 30 };
  const { now: current, nowUnder, next: coming, nextUnder, perhaps } = revisionTexts(deployment);
  const room = width - 76 - words.length * 8;
  return group(
    `moving ${deployment.verdict}`,
    `${deployment.name}: ${words}`,
    rectangle(box, "box"),
    rectangle({ x, y: y + 12, width: 5, height: box.height - 24 }, "stripe", 2),
    label(start, y + 29, squeeze(deployment.name, room, "name"), "name"),
    label(x + width - 16, y + 29, `${sign} ${words}`, "toned", true),
    rectangle({ x: start, y: top, width: pill, height: 30 }, "pill", 15),
    label(start + 13, top + 20, fitEnd(current, pill - 24), "mono"),
    label(start + 4, top + 46, squeeze(nowUnder, pill + gap - 8, "small"), "small"),
    arrow(
      `M${start + pill + 6} ${top + 15} h${gap - 18}`,
      next.x - 4,
      top + 15,
      perhaps ? "way perhaps" : "way",
    ),
    rectangle(next, perhaps ? "coming perhaps" : "coming", 15),
    label(next.x + 13, top + 20, fitEnd(coming, next.width - 24), "mono"),
    label(next.x + 4, top + 46, squeeze(nextUnder, next.width - 8, "small"), "small"),
  );
}

/** One line for a deployment that is edited in place. */
export function slimRow(deployment: DeploymentReport, box: Box): string {
  const { sign } = VERDICT_WORDS[deployment.verdict];
  const words = labelOf(deployment);
  const { x, y, width } = box;
  return group(
    `slim ${deployment.verdict}`,
    `${deployment.name}: ${words}`,
    rectangle(box, "box", 8),
    label(x + 18, y + 23, squeeze(deployment.name, width - 120, "slim"), "name"),
    label(x + width - 16, y + 23, `${sign} ${words}`, "toned", true),
  );
}

/** The listener or compute that a group of deployments runs on. */
export function place({ listener, listenerId }: Group, box: Box): string {
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

export function dependentRow({ name, type, op, properties, followsRevision }: Dependent, box: Box): string {
  const { x, y, width } = box;
  const description = `${shortType(type)} · ${op}${properties.length > 0 ? ` · ${properties.join(", ")}` : ""}`;
  return group(
    "",
    `${name} ${followsRevision ? "follows the revision" : "does not follow the revision"}`,
    rectangle(box, "box", 8),
    label(x + 14, y + 19, squeeze(name, width - 24, "plain")),
    label(x + 14, y + 35, squeeze(description, width - 24, "small"), "small"),
  );
}

const TILE = 18;
const STEP = 23;

/** Small squares, one per deployment, under a title. */
export function tiles(
  deployments: readonly DeploymentReport[],
  title: string,
  left: number,
  top: number,
  width: number,
): { readonly svg: string; readonly bottom: number } {
  const inRow = Math.max(1, Math.floor((width + STEP - TILE) / STEP));
  const squares = deployments.map((deployment, index) => {
    const x = left + (index % inRow) * STEP;
    const y = top + 12 + Math.floor(index / inRow) * STEP;
    const square = rectangle({ x, y, width: TILE, height: TILE }, "tile", 4);
    return group(deployment.verdict, `${deployment.name}: ${labelOf(deployment)}`, square);
  });
  const rows = Math.ceil(deployments.length / inRow);
  return {
    svg: [label(left, top, html(title), "small"), ...squares].join(""),
    bottom: top + 12 + rows * STEP,
  };
}
