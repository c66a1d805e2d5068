/** A value in words, for messages and for every format. */
import { SECRET, UNKNOWN_VALUE } from "./model";

/** The string, shortened to at most `most` characters. A shortened string ends with `…`. */
export function cut(text: string, most: number): string {
  // A string has at most as many characters as code units.
  if (text.length <= most) return text;
  const characters = [...text.slice(0, 2 * most + 2)];
  return characters.length <= most ? text : `${characters.slice(0, Math.max(0, most - 1)).join("")}…`;
}

/** The value on one line. A simple string is unchanged; everything else is JSON. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return "(not set)";
  if (value === SECRET || value === UNKNOWN_VALUE) return value;
  const simple = typeof value === "string" && /^[^\s"'(){}[\];]+$/u.test(value);
  return simple ? value : JSON.stringify(value);
}
