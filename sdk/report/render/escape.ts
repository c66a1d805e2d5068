/** Names and values from outside enter an output format only through this file, which makes each of them plain text. */
import { escapeControls, escapeLines } from "../../../provider/schema/words";

/** One line with invisible characters as `\uXXXX`. Safe for a terminal. */
export const visible = escapeControls;

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

/** A code span. GitHub and GitLab make no mentions, references or links inside a code span. */
export const code = (text: string): string => span(visible(text) || '""');

/** A code span in a table's cell. A pipe in a cell must have exactly one backslash before it. */
export function cellCode(text: string): string {
  return (visible(text) || '""')
    .split(/(?<=\\)(?=\|)/)
    .map((part) => span(part.replaceAll("|", "\\|")))
    .join("<!-- -->");
}

function span(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  // Markdown removes one space on each side of a code span, unless the span has only spaces.
  const padded = /^[ `]|[ `]$/.test(text) && /[^ ]/.test(text) ? ` ${text} ` : text;
  return `${fence}${padded}${fence}`;
}

/** A word with no special meaning in Markdown: no mention, reference, address or short commit id. */
const PLAIN_WORD = /^(?:(?![a-f]{7,}$)[A-Za-z]+(?:-[A-Za-z]+)*|\d{1,6}|->|→|e\.g)?$/;

/** A word and the quotes, brackets and punctuation around it, if they mean nothing in Markdown. Never splits JSON. */
const AROUND = /^(["(]*)([^[\]{}<>|\\`]*?|->)([",.;:!?)]*)$/;

/** A sentence as Markdown. Plain words stay unchanged; everything else becomes code. */
export const prose = (sentence: string): string => proseWith(sentence, code);

/** A sentence as Markdown in a table's cell. */
export const cellProse = (sentence: string): string => proseWith(sentence, cellCode);

function proseWith(sentence: string, asCode: (text: string) => string): string {
  const text = visible(sentence).trim();
  // A list's bullet with nothing after it would turn the line above into a heading.
  if (text === "") return asCode(text);
  const words = text.split(/ +/).map((word, index) => {
    const [, before = "", inner = word, after = ""] = AROUND.exec(word) ?? [];
    // A number at the start could begin a list.
    const isPlain = PLAIN_WORD.test(inner) && !(index === 0 && /^\d/.test(inner));
    return { before, inner, after, isPlain };
  });
  const parts: typeof words = [];
  for (const word of words) {
    const last = parts.at(-1);
    const isJoined = last && !last.isPlain && !word.isPlain && last.after === "" && word.before === "";
    if (isJoined) parts.splice(-1, 1, { ...last, inner: `${last.inner} ${word.inner}`, after: word.after });
    else parts.push(word);
  }
  return parts
    .map(({ before, inner, after, isPlain }) => `${before}${isPlain ? inner : asCode(inner)}${after}`)
    .join(" ");
}

/** An invisible comment, by which a CI job finds its earlier report for a stack. */
export function marker(kind: "plan" | "result", stack: string): string {
  const safe = encodeURIComponent(visible(stack))
    .replaceAll("%2F", "/")
    .replace(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/-(?=-|$)/g, "%2D");
  return `<!-- deployment-control ${kind}: ${safe.slice(0, 600)} -->`;
}

/** JSON of one report, or of an array for several stacks, with every value unchanged. The JSON is safe to print. */
export const reportJson = (values: readonly unknown[]): string =>
  escapeLines(`${JSON.stringify(values.length === 1 ? values[0] : values, null, 2)}\n`);
