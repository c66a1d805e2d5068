/** Colors for a terminal, and aligned columns. */
import { styleText } from "node:util";
import type { FormatOptions } from "./words";

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "blue" | "magenta";

/** Adds terminal styles to a string that `visible` has escaped. */
export type Paint = (text: string, ...styles: readonly Style[]) => string;

export const painter = (color: boolean): Paint =>
  color
    ? (text, ...styles) =>
        styles.reduce((painted, style) => styleText(style, painted, { validateStream: false }), text)
    : (text) => text;

/** Uses colors if `stream` is a terminal. `NO_COLOR` and `FORCE_COLOR` override the choice. */
export function terminalOptions(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): FormatOptions {
  const { NO_COLOR: never, FORCE_COLOR: always, TERM: terminal } = environment;
  if (always !== undefined) return { color: always !== "0" && always !== "false" };
  return { color: !never && stream.isTTY === true && terminal !== "dumb" };
}

/** One line per row, in columns as wide as their widest cell. Each cell is a string that `visible` returned. */
export function aligned(table: readonly (readonly string[])[]): string[] {
  const widths = (table[0] ?? []).map((_, index) =>
    Math.max(...table.map((cells) => (cells[index] as string).length)),
  );
  return table.map((cells) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] as number))
      .join("  ")
      .trimEnd(),
  );
}
