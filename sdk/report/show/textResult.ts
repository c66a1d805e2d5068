/** Planned against actual as text, wrong predictions on top. */
import type { Outcome, Result } from "../model";
import { visible } from "./escape";
import {
  byStanding,
  happenedText,
  predictedText,
  resultHeadline,
  revisionText,
  STANDINGS,
  type Standing,
  standing,
} from "./resultWords";
import {
  bold,
  columns,
  type Page,
  padded,
  pageFor,
  type Style,
  warningLine,
  within,
  wrapped,
} from "./terminal";
import type { FormatOptions } from "./words";

const STYLES: { readonly [S in Standing]: readonly Style[] } = {
  wrong: ["red", "bold"],
  failed: ["red"],
  undecided: ["yellow"],
  right: ["green"],
};

export function resultText(results: readonly Result[], options: FormatOptions = {}): string {
  const page = pageFor(options);
  const { paint, width } = page;
  const headline = (of: readonly Result[]) => bold(resultHeadline(of), page);
  const over = results.length === 1 ? [] : [...headline(results), ""];
  const stacks = results.flatMap((result) => [
    ...(results.length === 1 ? headline([result]) : []),
    paint(within(`${result.stack}  ${result.digest}`, width), "dim"),
    "",
    ...result.warnings.flatMap((text) => warningLine(text, page)),
    ...outcomeLines(byStanding(result.outcomes), page),
    "",
  ]);
  return [...over, ...stacks].join("\n");
}

function outcomeLines(outcomes: readonly Outcome[], { paint, width }: Page): string[] {
  const longest = outcomes.reduce((most, { name }) => Math.max(most, columns(visible(name))), 0);
  const nameWidth = Math.min(28, Math.floor(width / 3), longest);
  return outcomes.flatMap((outcome) => {
    const stands = standing(outcome);
    const { sign, label } = STANDINGS[stands];
    const name = padded(within(outcome.name, nameWidth), nameWidth);
    const story =
      stands === "right" || stands === "failed"
        ? `${happenedText(outcome)}  ${revisionText(outcome)}`
        : `planned ${predictedText(outcome)}, happened ${happenedText(outcome)}  ${revisionText(outcome)}`;
    const room = Math.max(4, width - nameWidth - 16);
    const head = `${paint(sign, ...STYLES[stands])} ${paint(name, "bold")}  ${paint(padded(label, 10), ...STYLES[stands])}`;
    const said = outcome.messages.flatMap((text) => wrapped(text, width - 4, "  "));
    return [`${head}  ${within(story.trimEnd(), room)}`, ...said.map((line) => `    ${paint(line, "dim")}`)];
  });
}
