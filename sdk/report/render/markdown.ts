/** A plan or its result as Markdown, for a pull request's comment and the summary of a CI job. */

import { cut } from "../valueText";
import type { ChangeText } from "./changeText";
import { cellCode, cellProse, code, html, marker, prose, visible } from "./escape";
import type { Entry, Outline, Sheet } from "./outline";
import { numberOf, shortDigest, titleOf } from "./words";

/** GitHub limits a comment to this many characters. Here the limit applies to bytes, which is stricter. */
const COMMENT_LIMIT = 65_535;
/** Bytes that are reserved for the line about omitted pieces. */
const RESERVE = 150;
const WARNINGS = 20;
const CHANGES_IN_A_ROW = 4;
const LINES_IN_DETAIL = 100;

/** Limits for a name or value in a cell, for a sentence, and for a line of the diff. */
const SHORT = 120;
const SENTENCE = 600;
const LONG = 1_000;

const cell = (text: string): string => cellCode(cut(visible(text), SHORT));
const long = (text: string): string => cut(visible(text), LONG);
const sentence = (text: string): string => prose(cut(visible(text), SENTENCE));

/** Lines that make sense only together. */
interface Piece {
  readonly text: string;
  /** If the pieces do not all fit, pieces of a lower rank take precedence. */
  readonly rank: number;
}

/** One section per stack, under a common headline. Short enough for a comment. */
export function sheetMarkdown(sheet: Sheet): string {
  const { kind, outlines } = sheet;
  const isOnly = outlines.length === 1;
  const pieces = [
    ...outlines.map(({ stack }) => ({ text: marker(kind, stack), rank: 1 })),
    ...(isOnly ? [] : [{ text: `## ${titleOf(sheet)}\n`, rank: 0 }]),
    ...outlines.flatMap((outline) => sectionPieces(outline, isOnly)),
  ];
  return fitted(pieces);
}

function sectionPieces(outline: Outline, isOnly: boolean): Piece[] {
  const { stack, digest, headline, warnings, entries, rest } = outline;
  const place = `${code(cut(visible(stack), SHORT))}, plan ${code(shortDigest(digest))}`;
  const warningLines = firstLines(warnings.map(sentence), WARNINGS).map((text) => `> - ${text}`);
  const head = [
    ...(isOnly ? [`## ${headline}`, "", `Stack ${place}`] : [`### ${place}`, "", headline]),
    ...(warningLines.length > 0 ? ["", "> [!WARNING]", ...warningLines] : []),
    ...(entries.length > 0 ? ["", "| deployment | change |", "|---|---|"] : []),
  ];
  const restLines = firstLines(rest.map(sentence), LINES_IN_DETAIL).map((text) => `- ${text}`);
  const detailed = entries.filter(({ changes, notes }) => changes.length + notes.length > 0);
  return [
    { text: head.join("\n"), rank: 1 },
    ...entries.map((entry) => ({ text: row(entry), rank: 2 })),
    ...(restLines.length > 0 ? [{ text: ["", ...restLines].join("\n"), rank: 2 }] : []),
    ...detailed.map((entry) => ({ text: detail(entry), rank: 3 })),
    { text: "", rank: 1 },
  ];
}

function row({ sign, label, name, aside, changes }: Entry): string {
  const lines = [
    ...(aside === "" ? [] : [cellProse(cut(visible(aside), SHORT))]),
    ...firstLines(changes.map(changeLine), CHANGES_IN_A_ROW),
  ];
  // On a phone only two columns fit the screen, so the effect and the name share a column.
  return `| ${sign} **${label}** ${cell(name)} | ${lines.join("<br>")} |`;
}

/** The first `most` lines, and one line with the number of the remaining lines. */
const firstLines = (lines: readonly string[], most: number): string[] => [
  ...lines.slice(0, most),
  ...(lines.length > most ? [`… and ${lines.length - most} more`] : []),
];

const changeLine = ({ path, before, after, hidden }: ChangeText): string =>
  `${cell(path)} ${hidden ?? `${cell(before)} → ${cell(after)}`}`;

function detail({ sign, name, label, changes, notes }: Entry): string {
  const noteLines = firstLines(notes.map(long).map(prose), LINES_IN_DETAIL).map((text) => `- ${text}`);
  return [
    "",
    `<details><summary>${sign} <code>${html(cut(visible(name), SHORT))}</code>: ${label}</summary>`,
    "",
    ...(changes.length > 0 ? [...difference(changes), ""] : []),
    ...(notes.length > 0 ? [...noteLines, ""] : []),
    "</details>",
  ].join("\n");
}

/** The changes in a code block whose fence is longer than every fence in the changes. */
function difference(changes: readonly ChangeText[]): string[] {
  const pieces = changes.map(({ path, effect, hidden, before, after }) =>
    hidden === null
      ? `  ${long(path)}: ${effect}\n- ${long(before)}\n+ ${long(after)}`
      : `  ${long(path)} ${hidden}: ${effect}`,
  );
  const lines = firstLines(pieces, LINES_IN_DETAIL);
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []).map((run) => run.length);
  const fence = "`".repeat(runs.reduce((most, length) => Math.max(most, length + 1), 3));
  return [`${fence}diff`, ...lines, fence];
}

/** The pieces in order. If the text is too long, leaves out the last pieces of the highest rank. */
function fitted(pieces: readonly Piece[]): string {
  const fittingPieces = new Set<Piece>();
  let bytesLeft = COMMENT_LIMIT - RESERVE;
  // The sort keeps the order of pieces that have the same rank.
  for (const piece of [...pieces].sort((first, second) => first.rank - second.rank)) {
    bytesLeft -= Buffer.byteLength(piece.text) + 1;
    if (bytesLeft < 0) break;
    fittingPieces.add(piece);
  }
  const omitted = pieces.length - fittingPieces.size;
  const notice = `\n… and ${numberOf(omitted, "more part")}, too long for this place; the report's HTML and JSON have all.`;
  const texts = pieces.filter((piece) => fittingPieces.has(piece)).map(({ text }) => text);
  return `${[...texts, ...(omitted > 0 ? [notice] : [])].join("\n")}\n`;
}
