/** The frame of both pages: one file, no script, no requests, in the reader's light or dark mode. */
import { createHash } from "node:crypto";
import { html, visible } from "./escape";
import { STYLE } from "./htmlStyle";

/** Makes the browser refuse everything but this style sheet. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

export function page(title: string, body: readonly string[]): string {
  return [
    "<!DOCTYPE html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${html(title)}</title>`,
    `<style>${STYLE}</style>`,
    "</head>",
    "<body>",
    "<main>",
    ...body,
    "</main>",
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

export const codeOf = (text: string): string => `<code dir="ltr">${html(text)}</code>`;

/** A visual sign next to words with the same meaning, for readers who do not see the colour. */
export const signOf = (sign: string): string => `<span class="sign" aria-hidden="true">${sign}</span>`;

interface Count {
  /** Names its colour in the style sheet. */
  readonly name: string;
  readonly sign: string;
  readonly count: number;
  readonly label: string;
}

/** The counts that are not zero, in a row. */
export function countList(title: string, counts: readonly Count[]): string {
  const items = counts
    .filter(({ count }) => count > 0)
    .map(
      ({ name, sign, count, label }) => `<li class="${name}">${signOf(sign)} <b>${count}</b> ${label}</li>`,
    );
  return `<ul class="counts" aria-label="${title}">${items.join("")}</ul>`;
}

interface Column {
  readonly head: string;
  readonly kind?: string;
}

/** A table with HTML cells; on a narrow screen each row becomes a short list. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const head = columns.map(({ head: text }) => `<th scope="col">${html(text)}</th>`).join("");
  const lines = rows.map((cells) => {
    const htmlCells = cells.map((cell, index) => {
      const column = columns[index] as Column;
      const kind = column.kind ? ` class="${column.kind}"` : "";
      return `<td data-head="${html(column.head)}"${kind}>${cell}</td>`;
    });
    return `<tr>${htmlCells.join("")}</tr>`;
  });
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${lines.join("\n")}\n</tbody></table>`;
}

export function warningBox(
  warnings: readonly { readonly of: string | null; readonly text: string }[],
): string[] {
  if (warnings.length === 0) return [];
  const lines = warnings.map(({ of, text }) => {
    const prefix = of === null || visible(text).includes(visible(of)) ? "" : `<strong>${html(of)}</strong>: `;
    return `<li>${prefix}${html(text)}</li>`;
  });
  const title = warnings.length === 1 ? "1 warning" : `${warnings.length} warnings`;
  return [`<div class="warnings" role="note"><strong>${title}</strong><ul>`, ...lines, "</ul></div>"];
}
