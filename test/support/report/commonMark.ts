/**
 * Reads the small part of GitHub's Markdown that the report uses, as strictly as GitHub does: everything except our
 * code spans, fences, tags and entities is prose, and prose must have only plain words.
 */

export interface Read {
  /** The visible contents of code spans and fences. */
  readonly code: readonly string[];
  /** The text outside of code and tags. */
  readonly prose: string;
  /** The tags, in order. */
  readonly tags: readonly string[];
  /** The cells of each row of all tables. */
  readonly rows: readonly (readonly string[])[];
}

export function read(markdown: string): Read {
  const code: string[] = [];
  const prose: string[] = [];
  const tags: string[] = [];
  const rows: string[][] = [];
  let fence: string | undefined;
  for (const line of markdown.split("\n")) {
    const bar = /^ {0,3}(`{3,})[a-z]*\s*$/.exec(line)?.[1];
    if (fence !== undefined) {
      if (bar !== undefined && bar.length >= fence.length) fence = undefined;
      else code.push(line);
      continue;
    }
    if (bar !== undefined) {
      fence = bar;
      continue;
    }
    // A block of HTML: nothing in this line is Markdown.
    if (/^<\/?details>/.test(line)) {
      tags.push(...(line.match(/<[^>]*>/g) ?? []));
      continue;
    }
    const isRow = line.startsWith("|");
    const cells = isRow ? cellsOf(line) : [line];
    if (isRow) rows.push(cells);
    for (const cell of cells) inline(cell, { code, prose, tags });
  }
  if (fence !== undefined) throw new Error("a fence is not closed");
  return { code, prose: prose.join("\n"), tags, rows };
}

/**
 * The cells of a table's row. A backslash belongs to the character after it; in the cells, only `\|` loses its
 * backslash.
 */
export function cellsOf(line: string): string[] {
  const cells: string[] = [""];
  for (let at = 1; at < line.length; at += 1) {
    const character = line[at] as string;
    if (character === "\\" && at + 1 < line.length) {
      cells[cells.length - 1] += character + line[at + 1];
      at += 1;
    } else if (character === "|") cells.push("");
    else cells[cells.length - 1] += character;
  }
  if (cells.pop() !== "") throw new Error(`a row does not end with a pipe: ${line}`);
  return cells.map((cell) => cell.replaceAll("\\|", "|").trim());
}

interface Into {
  readonly code: string[];
  readonly prose: string[];
  readonly tags: string[];
}

const TAG = /^<(?:\/?[a-z]+|!-- (?:(?!--|>).)*-->|!-- -->)>?/;

function inline(text: string, into: Into): void {
  let plain = "";
  let joins = false;
  for (let at = 0; at < text.length; ) {
    const run = /^`+/.exec(text.slice(at))?.[0];
    if (run !== undefined) {
      const close = closing(text, at + run.length, run.length);
      if (close === undefined) throw new Error(`a code span is not closed: ${text}`);
      const span = stripped(text.slice(at + run.length, close));
      if (joins) into.code.push(`${into.code.pop()}${span}`);
      else into.code.push(span);
      joins = false;
      at = close + run.length;
      plain += "\uE000";
      continue;
    }
    const tag = text[at] === "<" ? TAG.exec(text.slice(at))?.[0] : undefined;
    if (tag !== undefined) {
      into.tags.push(tag);
      joins = tag === "<!-- -->";
      at += tag.length;
      continue;
    }
    joins = false;
    plain += text[at];
    at += 1;
  }
  into.prose.push(plain);
}

function closing(text: string, from: number, length: number): number | undefined {
  for (const match of text.slice(from).matchAll(/`+/g))
    if (match[0].length === length) return from + match.index;
  return undefined;
}

function stripped(span: string): string {
  const padded = span.startsWith(" ") && span.endsWith(" ") && /[^ ]/.test(span);
  return padded ? span.slice(1, -1) : span;
}
