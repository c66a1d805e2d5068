/** What a terminal can show: colours, columns, and how many of them a text takes. */
import { cut, visible } from "./escape";
import type { FormatOptions } from "./words";

const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35 } as const;
export type Style = keyof typeof STYLES;

/** Paints a text that `visible` has been through. */
type Paint = (text: string, ...styles: readonly Style[]) => string;

const painter = (colour: boolean): Paint =>
  colour
    ? (text, ...styles) =>
        text === "" || styles.length === 0
          ? text
          : `\u001b[${styles.map((style) => STYLES[style]).join(";")}m${text}\u001b[0m`
    : (text) => text;

/** Colours when `stream` is a terminal; `NO_COLOR` and `FORCE_COLOR` win. Lines are cut for a terminal only. */
export function terminalOptions(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  environment: Readonly<Record<string, string | undefined>>,
): FormatOptions {
  const { NO_COLOR: never, FORCE_COLOR: always, TERM: terminal } = environment;
  const forced = always !== undefined && always !== "0" && always !== "false";
  const wanted = never === undefined || never === "" ? stream.isTTY === true && terminal !== "dumb" : false;
  const colour = always === undefined ? wanted : forced;
  return stream.isTTY && stream.columns ? { colour, width: stream.columns } : { colour };
}

/** Characters that take two columns: East Asian ones and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Columns that a text takes which `visible` has been through. */
export function columns(text: string): number {
  let sum = 0;
  for (const character of text) sum += /\p{M}/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return sum;
}

/** `text` made visible, in at most `most` columns. */
export function within(text: string, most: number): string {
  const line = visible(cut(text, Math.max(most, 1) * 4));
  if (columns(line) <= most && line.length <= most * 4) return line;
  let kept = "";
  let sum = 0;
  for (const character of line) {
    const next = columns(character);
    if (sum + next > most - 1) break;
    kept += character;
    sum += next;
  }
  return `${kept}…`;
}

export const padded = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - columns(text)));

/** Lines of at most `most` columns, broken between words, every line after the first with `indent` before it. */
export function wrapped(text: string, most: number, indent: string): string[] {
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

/** Where no terminal says how wide it is, nothing is cut that a person would still read. */
export const ENDLESS = 4_000;

/** What lines are written for. */
export interface Page {
  readonly paint: Paint;
  readonly width: number;
}

export const pageFor = ({ colour, width = ENDLESS }: FormatOptions): Page => ({
  paint: painter(colour === true),
  width: Math.max(width, 40),
});

export const bold = (text: string, { paint, width }: Page): string[] =>
  wrapped(text, width, "  ").map((line) => paint(line, "bold"));

export const warningLine = (text: string, { paint, width }: Page): string[] =>
  wrapped(`! ${text}`, width, "  ").map((line) => paint(line, "yellow"));
