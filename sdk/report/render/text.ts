/** A plan or its result as text for a terminal or a log. A terminal wraps long lines by itself. */

import { cut } from "../valueText";
import type { ChangeText } from "./changeText";
import { visible } from "./escape";
import type { Entry, Outline, Sheet } from "./outline";
import { type Paint, painter, type Style } from "./terminal";
import { type FormatOptions, shortDigest, titleOf } from "./words";

const STYLES: { readonly [T in Entry["tone"]]: readonly Style[] } = {
  replace: ["red", "bold"],
  delete: ["red", "bold"],
  "new-revision": ["magenta", "bold"],
  "may-create-revision": ["yellow", "bold"],
  create: ["green", "bold"],
  "in-place": ["blue"],
  unchanged: ["dim"],
  wrong: ["red", "bold"],
  failed: ["red"],
  undecided: ["yellow"],
  right: ["green"],
};

/** No person would read a longer line. */
const LONGEST_LINE = 4_000;

const line = (text: string): string => cut(visible(text), LONGEST_LINE);

export function sheetText(sheet: Sheet, { color = false }: FormatOptions): string {
  const { outlines } = sheet;
  const paint = painter(color);
  return [
    ...(outlines.length === 1 ? [] : [paint(titleOf(sheet), "bold"), ""]),
    ...outlines.flatMap((outline) => stackLines(outline, paint)),
  ].join("\n");
}

function stackLines(outline: Outline, paint: Paint): string[] {
  const { stack, digest, headline, warnings, entries, rest } = outline;
  const nameWidth = Math.min(28, Math.max(0, ...entries.map(({ name }) => visible(name).length)));
  return [
    paint(headline, "bold"),
    paint(line(`${stack}  plan ${shortDigest(digest)}`), "dim"),
    "",
    ...gap(warnings.map((text) => paint(line(`! ${text}`), "yellow"))),
    ...entries.flatMap((entry) => gap(entryLines(entry, nameWidth, paint))),
    ...gap(rest.map((text) => paint(line(`  ${text}`), "dim"))),
  ];
}

const gap = (lines: readonly string[]): string[] => (lines.length > 0 ? [...lines, ""] : []);

function entryLines(entry: Entry, nameWidth: number, paint: Paint): string[] {
  const { tone, sign, label, aside, changes, notes } = entry;
  const name = cut(visible(entry.name), Math.max(nameWidth, 1)).padEnd(nameWidth);
  const head = `${paint(sign, ...STYLES[tone])} ${paint(name, "bold")}  ${paint(label, ...STYLES[tone])}`;
  return [
    aside === "" ? head : `${head}  ${paint(line(aside), "dim")}`,
    ...changes.map((change) => `    ${line(changeLine(change))}  ${paint(`(${change.effect})`, "dim")}`),
    ...notes.map((text) => `    ${paint(line(text), "dim")}`),
  ];
}

const changeLine = ({ path, hidden, before, after }: ChangeText): string =>
  `${path}  ${hidden ?? `${before} → ${after}`}`;
