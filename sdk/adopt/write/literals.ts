/** Writes texts from the service as string literals: always data, with nothing invisible in them. */

/** Characters that end a line or a comment, change the text direction, or are invisible. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

/** A language's escape sequence for a character. */
type Escape = (codePoint: number) => string;

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, "0");

/** JSON and JavaScript use two escapes for a character above U+FFFF. */
const perCodeUnit: Escape = (codePoint) =>
  [...String.fromCodePoint(codePoint)]
    .flatMap((character) => character.split(""))
    .map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`)
    .join("");

/** Python and YAML use one escape, of eight digits above U+FFFF. */
const perCodePoint: Escape = (codePoint) =>
  codePoint > 0xffff ? `\\U${hex(codePoint, 8)}` : `\\u${hex(codePoint, 4)}`;

/** In double quotes: JSON's escapes mean the same in all of these languages. */
const quoteWith = (escapeOf: Escape) => (text: string) =>
  JSON.stringify(text).replace(UNSEEN, (character) => escapeOf(character.codePointAt(0) as number));

export const javaScriptText = quoteWith(perCodeUnit);
export const jsonText = quoteWith(perCodeUnit);
export const pythonText = quoteWith(perCodePoint);
export const yamlText = quoteWith(perCodePoint);

/** Quoted names on one line, for a comment in any of the languages. */
export const quotedNames = (names: readonly string[]): string => names.map(jsonText).join(", ");
