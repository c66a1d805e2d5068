/** Planned against actual as a page, wrong predictions on top. */
import type { Outcome, Result } from "../model";
import { html } from "./escape";
import { codeOf, countList, page, signOf, table, warningBox } from "./htmlPage";
import {
  type OutcomeWords,
  outcomeWords,
  resultHeadline,
  STANDING_ORDER,
  STANDINGS,
  standing,
} from "./resultWords";
import type { FormatOptions } from "./words";

const COLUMNS = [
  { head: "the plan was" },
  { head: "deployment" },
  { head: "planned" },
  { head: "happened" },
  { head: "revision" },
  { head: "what the apply said", kind: "why" },
];

export function resultPage(results: readonly Result[], _options: FormatOptions = {}): string {
  const headline = resultHeadline(results);
  const outcomes = results.flatMap((result) => result.outcomes);
  return page(`${headline} (${results.map(({ stack }) => stack).join(", ")})`, [
    "<header>",
    `<h1>${html(headline)}</h1>`,
    standingCounts(outcomes),
    "</header>",
    ...results.flatMap((result) => section(result)),
  ]);
}

function standingCounts(outcomes: readonly Outcome[]): string {
  const items = STANDING_ORDER.map((name) => {
    const count = outcomes.filter((outcome) => standing(outcome) === name).length;
    return { name, count, ...STANDINGS[name] };
  });
  return countList("Predictions by how they stand", items);
}

function section(result: Result): string[] {
  const rows = outcomeWords(result).map(row);
  return [
    `<section aria-label="${html(result.stack)}">`,
    `<h2 dir="ltr">${html(result.stack)}</h2>`,
    `<p class="where">plan ${codeOf(result.digest)}</p>`,
    ...warningBox(result.warnings.map((text) => ({ of: null, text }))),
    ...(rows.length > 0 ? [table(COLUMNS, rows)] : ['<p class="quiet">No deployments.</p>']),
    "</section>",
  ];
}

function row({ name, stands, sign, label, predicted, happened, revision, messages }: OutcomeWords): string[] {
  return [
    `<span class="${stands}">${signOf(sign)} <strong class="tone">${label}</strong></span>`,
    `<strong dir="ltr">${html(name)}</strong>`,
    html(predicted),
    html(happened),
    revision === "" ? "" : codeOf(revision),
    messages.map((text) => `<div>${html(text)}</div>`).join(""),
  ];
}
