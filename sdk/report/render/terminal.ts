/** Colors and columns of a terminal. */
import { styleText } from "node:util";
import { cut, visible } from "./escape";
import type { FormatOptions } from "./words";

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "blue" | "magenta";

/** Adds terminal styles to a text that `visible` has escaped. */
type Paint = (text: string, ...styles: readonly Style[]) => string;

const painter = (color: boolean): Paint =>
  color
    ? (text, ...styles) =>
        styles.reduce((painted, style) => styleText(style, painted, { validateStream: false }), text)
    : (text) => text;

/** Colors and a width if `stream` is a terminal; `NO_COLOR` and `FORCE_COLOR` override the choice of colors. */
export function terminalOptions(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  environment: Readonly<Record<string, string | undefined>>,
): FormatOptions {
  const { NO_COLOR: never, FORCE_COLOR: always, TERM: terminal } = environment;
  const forced = always !== undefined && always !== "0" && always !== "false";
  const byDefault =
    never === undefined || never === "" ? stream.isTTY === true && terminal !== "dumb" : false;
  const color = always === undefined ? byDefault : forced;
  return stream.isTTY && stream.columns ? { color, width: stream.columns } : { color };
}

/** Characters that take two columns: East Asian characters and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** The number of columns of a text that `visible` returned. */
export function columns(text: string): number {
  let sum = 0;
  for (const character of text) sum += /\p{M}/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return sum;
}

/** `text` with its invisible characters escaped, cut to at most `most` columns. */
export function within(text: string, most: number): string {
  const line = visible(cut(text, Math.max(most, 1) * 4));
  if (columns(line) <= most && line.length <= most * 4) return line;
  let prefix = "";
  let sum = 0;
  for (const character of line) {
    const next = columns(character);
    if (sum + next > most - 1) break;
    prefix += character;
    sum += next;
  }
  return `${prefix}…`;
}

export const pad = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - columns(text)));

/** One line per row, in columns as wide as their widest cell. Each cell is a text that `visible` returned. */
export function aligned(table: readonly (readonly string[])[]): string[] {
  const widths = (table[0] ?? []).map((_, index) =>
    Math.max(...table.map((cells) => columns(cells[index] as string))),
  );
  return table.map((cells) =>
    cells
      .map((cell, index) => pad(cell, widths[index] as number))
      .join("  ")
      .trimEnd(),
  );
}

/** Lines of at most `most` columns, broken between words. Each line after the first starts with `indent`. */
export function wrap(text: string, most: number, indent: string): string[] {
  const lines: string[] = [];
  let line = "";
  const room = () => most - (lines.length > 0 ? indent.length : 0);
  for (const word of visible(text).split(" ")) {
    if (line !== "" && columns(line) + 1 + columns(word) > room()) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? within(word, Math.max(room(), 8)) : `${line} ${word}`;
  }
  return [...lines, line].map((each, index) => (index === 0 ? each : `${indent}${each}`));
}

/** The width, in columns, to which lines are cut if there is no terminal: no person would read a longer line. */
const ENDLESS = 4_000;

/** The colors and width for lines. */
export interface Page {
  readonly paint: Paint;
  readonly width: number;
}

export const pageFor = ({ color, width = ENDLESS }: FormatOptions): Page => ({
  paint: painter(color === true),
  width: Math.max(width, 40),
});

export const bold = (text: string, { paint, width }: Page): string[] =>
  wrap(text, width, "  ").map((line) => paint(line, "bold"));

export const warningLine = (text: string, { paint, width }: Page): string[] =>
  wrap(`! ${text}`, width, "  ").map((line) => paint(line, "yellow"));
