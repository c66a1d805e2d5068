/** The one place where a name or value from outside becomes text of a format: nothing of it may act there. */

/** Invisible, or able to move a cursor, to turn the direction, or to break a line; the emoji selector is harmless. */
const UNSEEN =
  /(?!\uFE0F)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/** One line of `text` in which everything can be seen: what cannot stands as `\uXXXX`. Holds for a terminal as it is. */
export function visible(text: string): string {
  return text.replace(
    UNSEEN,
    (character) => `\\u${(character.codePointAt(0) as number).toString(16).padStart(4, "0")}`,
  );
}

/** Whole characters of `text`, at most `most` of them; the last is … when some were cut. */
export function cut(text: string, most: number): string {
  // A character is at most two units long, so a text that cannot be too long is never taken apart.
  if (text.length <= most) return text;
  const characters = [...text.slice(0, 2 * most + 2)];
  return characters.length <= most ? text : `${characters.slice(0, Math.max(0, most - 1)).join("")}…`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text for an HTML or SVG element, or for an attribute between quotes. */
export function html(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

/** A code span: the place of GitHub's and GitLab's Markdown in which mentions, references and addresses stay text. */
export const code = (text: string): string => span(visible(text) || '""');

/** A code span in a table's cell, where a pipe needs a backslash that no other backslash may stand before. */
export function cellCode(text: string): string {
  return (visible(text) || '""')
    .split(/(?<=\\)(?=\|)/)
    .map((part) => span(part.replaceAll("|", "\\|")))
    .join("<!-- -->");
}

function span(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  // One space at each side is taken away again, unless there is nothing but spaces.
  const padded = /^[ `]|[ `]$/.test(text) && /[^ ]/.test(text) ? ` ${text} ` : text;
  return `${fence}${padded}${fence}`;
}

/** A word that no Markdown gives a meaning to: no mention, no reference, no address, no short commit id. */
const PLAIN_WORD = /^\(?(?![a-f]{7,}\b)(?:[A-Za-z]+(?:-[A-Za-z]+)*|\d{1,6})[,.;:!?)]{0,2}$/;

/** A sentence as Markdown: its plain words as they are, everything else as code. */
export function prose(sentence: string): string {
  const parts: { plain: boolean; words: string[] }[] = [];
  for (const word of visible(sentence).trim().split(/ +/)) {
    // A number at the start could begin a list.
    const plain = PLAIN_WORD.test(word) && !(parts.length === 0 && /^\d/.test(word));
    const last = parts.at(-1);
    if (last && last.plain === plain) last.words.push(word);
    else parts.push({ plain, words: [word] });
  }
  return parts.map(({ plain, words }) => (plain ? words.join(" ") : code(words.join(" ")))).join(" ");
}

/** The comment by which a recipe finds what it wrote for a stack; renders as nothing. */
export function marker(kind: "plan" | "result", stack: string): string {
  const safe = encodeURIComponent(visible(stack))
    .replaceAll("%2F", "/")
    .replace(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/-(?=-|$)/g, "%2D");
  return `<!-- deployment-control ${kind}: ${safe.slice(0, 600)} -->`;
}
