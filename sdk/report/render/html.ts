/** A plan or its result as a page: the answer, the picture of each stack, and every change. */

import { cut } from "../valueText";
import type { ChangeText } from "./changeText";
import { html, visible } from "./escape";
import { codeOf, page, signOf } from "./htmlPage";
import type { Entry, Outline, Sheet } from "./outline";
import { picture } from "./picture";
import { shortDigest } from "./words";

/** If a stack has at most this many entries, all entries are open. */
const OPEN_UP_TO = 4;

/** The maximum length of an entry's change summary. */
const SHORT = 160;

export function sheetPage({ answer, counts, outlines }: Sheet): string {
  return page(`${answer} (${outlines.map(({ stack }) => stack).join(", ")})`, [
    "<header>",
    `<h1>${html(answer)}</h1>`,
    `<p class="counts">${html(counts)}</p>`,
    "</header>",
    ...outlines.flatMap((outline, index) => section(outline, index, outlines.length === 1)),
  ]);
}

function section(outline: Outline, index: number, isOnly: boolean): string[] {
  const { stack, digest, headline, warnings, entries, rest, pictured } = outline;
  const shownDigest = `<code title="${html(digest)}">${html(shortDigest(digest))}</code>`;
  return [
    `<section aria-label="${html(stack)}">`,
    `<p class="where">${codeOf(stack)} · plan ${shownDigest}</p>`,
    ...(isOnly ? [] : [`<h2>${html(headline)}</h2>`]),
    ...(warnings.length > 0 ? ['<div class="warnings" role="note">', list(warnings), "</div>"] : []),
    ...(pictured === undefined ? [] : picture(pictured, index)),
    ...entries.map((entry) => entryDetails(entry, entries.length <= OPEN_UP_TO)),
    ...(rest.length > 0 ? ['<div class="quiet">', list(rest), "</div>"] : []),
    "</section>",
  ];
}

const list = (lines: readonly string[]): string =>
  `<ul>\n${lines.map((text) => `<li>${html(text)}</li>`).join("\n")}\n</ul>`;

/** An entry, which is open at first if the stack has few entries or the entry reports a fault. */
function entryDetails(
  { tone, sign, name, label, aside, changes, notes }: Entry,
  isOneOfFew: boolean,
): string {
  const isOpen = isOneOfFew || tone === "wrong" || tone === "failed";
  const why = [aside, ...changes.map(({ path }) => path)].filter((words) => words !== "").join(", ");
  return [
    `<details class="${tone}"${isOpen ? " open" : ""}><summary>${signOf(sign)}`,
    `<strong dir="ltr">${html(name)}</strong> <span class="tone">${label}</span>`,
    `<span class="why">${html(cut(visible(why), SHORT))}</span></summary>`,
    '<div class="inner">',
    ...(changes.length > 0 ? [changeTable(changes)] : []),
    ...notes.map((text) => `<p>${html(text)}</p>`),
    "</div></details>",
  ].join("\n");
}

const COLUMNS = ["field", "before", "after", "effect"];

/** A table of changes. On a narrow screen, each row becomes a short list. */
function changeTable(changes: readonly ChangeText[]): string {
  const head = COLUMNS.map((column) => `<th scope="col">${column}</th>`).join("");
  const rows = changes.map(({ path, effect, hidden, before, after }) => {
    const values = hidden === null ? [codeOf(before), codeOf(after)] : ["", html(hidden)];
    const cells = [codeOf(path), ...values, html(effect)];
    return `<tr>${cells.map((cell, index) => `<td data-head="${COLUMNS[index]}">${cell}</td>`).join("")}</tr>`;
  });
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${rows.join("\n")}\n</tbody></table>`;
}
