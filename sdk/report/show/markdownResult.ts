/** Planned against actual as Markdown, wrong predictions on top. */
import type { Outcome, Result } from "../model";
import { cellCode, code, cut, marker, prose, visible } from "./escape";
import { COMMENT_LIMIT } from "./markdown";
import { fitted, type Section } from "./markdownFit";
import {
  byStanding,
  happenedText,
  predictedText,
  resultHeadline,
  revisionText,
  STANDINGS,
  standing,
} from "./resultWords";
import type { FormatOptions } from "./words";

const SHORT = 120;
const short = (text: string): string => code(cut(visible(text), SHORT));
const cell = (text: string): string => cellCode(cut(visible(text), SHORT));

export function resultMarkdown(results: readonly Result[], options: FormatOptions = {}): string {
  const single = results.length === 1;
  return fitted({
    markers: results.map(({ stack }) => marker("result", stack)),
    over: single ? [] : [`## ${resultHeadline(results)}`, ""],
    sections: results.map((result) => section(result, single)),
    limit: options.limit ?? COMMENT_LIMIT,
  });
}

function section(result: Result, single: boolean): Section {
  const own = resultHeadline([result]);
  const stack = short(result.stack);
  const outcomes = byStanding(result.outcomes);
  return {
    head: single
      ? [`## ${own}`, "", `Stack ${stack}, plan ${short(result.digest)}`, ""]
      : [`### ${stack}`, "", `${own}; plan ${short(result.digest)}`, ""],
    warnings: result.warnings.map((text) => prose(cut(visible(text), 600))),
    columns: ["deployment", "the plan was", "planned", "happened", "revision"],
    rows: outcomes.map(row),
    tail: [],
    details: outcomes.filter((outcome) => outcome.messages.length > 0).map(messages),
  };
}

function row(outcome: Outcome): string {
  const { sign, label } = STANDINGS[standing(outcome)];
  const cells = [
    cell(outcome.name),
    `${sign} **${label}**`,
    predictedText(outcome),
    happenedText(outcome),
    revisionText(outcome) === "" ? "" : cell(revisionText(outcome)),
  ];
  return `| ${cells.join(" | ")} |`;
}

function messages(outcome: Outcome): string {
  const lines = outcome.messages.slice(0, 20).map((text) => `- ${prose(cut(visible(text), 1_000))}`);
  const more = outcome.messages.length - lines.length;
  return [
    `What the apply said about ${short(outcome.name)}:`,
    "",
    ...lines,
    ...(more > 0 ? [`- … and ${more} more`] : []),
  ].join("\n");
}
