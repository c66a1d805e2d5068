/** Texts from the service as literals of languages: data whatever they hold, and nothing in them unseen. */

/** What could end a line or a comment, turn the direction of a text, or not be seen at all. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

/** How a language writes a character by its number. */
type Escape = (codePoint: number) => string;

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, "0");

/** Two escapes for a character beyond the first 65,536, as JSON and JavaScript have it. */
const inUnits: Escape = (codePoint) =>
  [...String.fromCodePoint(codePoint)]
    .flatMap((character) => character.split(""))
    .map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`)
    .join("");

/** One escape, of eight digits where four do not do, as Python and YAML have it. */
const whole: Escape = (codePoint) =>
  codePoint > 0xffff ? `\\U${hex(codePoint, 8)}` : `\\u${hex(codePoint, 4)}`;

/** In double quotes. Every escape of JSON means the same in these languages. */
const quoted = (escaped: Escape) => (text: string) =>
  JSON.stringify(text).replace(UNSEEN, (character) => escaped(character.codePointAt(0) as number));

export const javaScriptText = quoted(inUnits);
export const jsonText = quoted(inUnits);
export const pythonText = quoted(whole);
export const yamlText = quoted(whole);

/** Names in a comment of any of the languages: one line, each in quotes. */
export const listedNames = (names: readonly string[]): string => names.map(jsonText).join(", ");
