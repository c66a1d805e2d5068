/** Prepares strings for people to read: makes strings safe to print, ends sentences, and corrects misspelled names. */

/** Characters that are invisible, move a cursor, change the direction or break a line, except the emoji selector. */
const UNSEEN =
  /(?!\uFE0F)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/**
 * The first character of each sequence that another program would treat as a command. CI runners execute `##[error]`
 * and `::error::`. The engine drops the color tag `<{%red%}>`.
 */
const COMMAND = /#(?=#\w*\[)|(?<![^\s]):(?=:)|(?<=<)\{(?=%)/g;

/** Each UTF-16 unit of the string as a `\uXXXX` escape of JSON and JavaScript. */
export const unicodeEscapes = (text: string): string =>
  text
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");

/** Escapes a string from outside. The result is one line that has no effect in a terminal or a log. */
export const escapeControls = (words: string): string =>
  words.replace(UNSEEN, unicodeEscapes).replace(COMMAND, unicodeEscapes);

/** Escapes each line separately. In a JSON string, an escape still means the same character. */
export const escapeLines = (words: string): string => words.split("\n").map(escapeControls).join("\n");

/** The string as one word of a shell command. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Orders strings by their code units, so that the order is the same on every machine. */
export const compareTexts = (first: string, second: string): number =>
  first < second ? -1 : Number(first > second);

/** Adds a final punctuation mark if the words have none, so that a sentence can follow. */
export const sentence = (words: string): string => (/[.!?]$/.test(words) ? words : `${words}.`);

/** The names on one line. A line of more than 90 characters is shortened. */
export const shownNames = (names: readonly string[]): string =>
  names.join(", ").replace(/^(?=.{91})(.{1,87}, ).*/, "$1…");

/** Returns, for example, `did you mean baseUrl?`. Returns the allowed names if no name is similar. */
export function suggestion(misspelling: string, names: readonly string[]): string {
  const meant = nearest(misspelling, names);
  return meant === undefined ? `allowed: ${shownNames(names)}` : `did you mean ${meant}?`;
}

/** Returns, for example, `. Did you mean "restore"?`. Empty if no word is similar. */
export function didYouMean(misspelling: string, names: readonly string[]): string {
  const meant = nearest(misspelling, names);
  return meant === undefined ? "" : `. Did you mean "${meant}"?`;
}

/**
 * The name that differs least from the misspelling, by at most two letters; undefined if there is none. Upper case and
 * underscores do not count, because each language has its own style of names.
 */
export function nearest(misspelling: string, names: readonly string[]): string | undefined {
  const plain = (name: string): string => name.toLowerCase().replaceAll("_", "");
  const distances = names.map((name) => ({ name, by: distance(plain(name), plain(misspelling)) }));
  return distances.filter(({ by }) => by <= 2).sort((first, second) => first.by - second.by)[0]?.name;
}

/** The edit distance, or 3 if the lengths differ by more than 2. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const nextRow = [i + 1];
    for (const [j, other] of [...b].entries()) {
      nextRow.push(
        Math.min(
          (row[j + 1] as number) + 1,
          (nextRow[j] as number) + 1,
          (row[j] as number) + (letter === other ? 0 : 1),
        ),
      );
    }
    row = nextRow;
  }
  return row[b.length] as number;
}

/** Puts the place in front. Callers mask only the words, because a secret may be spelled like the place. */
export const withPlace = (place: string, words: string): string =>
  place === "" ? words : `${place}: ${words}`;

export class PlacedError extends Error {
  constructor(
    readonly words: string,
    readonly place = "",
    cause?: unknown,
  ) {
    super(withPlace(place, words), cause === undefined ? undefined : { cause });
  }
}
