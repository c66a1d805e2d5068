/** The plan as Markdown, for a pull request's comment and the summary of a CI job. */
import type { Report, Result } from "../model";
import type { ChangeText } from "./changeText";
import { cellCode, code, cut, html, marker, prose, visible } from "./escape";
import { fitSections, type Section } from "./markdownFit";
import { type Entry, type Outline, outlinesOf, quietWords } from "./outline";
import { type OutcomeWords, outcomeWords, resultHeadline } from "./resultWords";
import { type FormatOptions, headline, shortDigest } from "./words";

/**
 * GitHub's limit for one comment, in characters. It is used as a limit in bytes, because a text never has more
 * characters than bytes.
 */
const COMMENT_LIMIT = 65_535;
const REASONS_IN_A_ROW = 4;
const CHANGES_IN_DETAIL = 100;

/** Limits for a name or value in a cell, and in a folded line of the diff. */
const SHORT = 72;
const LONG = 1_000;
/** The maximum length of a cell in a result's table, which has fewer columns than a plan's table. */
const MEDIUM = 120;

const short = (text: string, most = SHORT): string => code(cut(visible(text), most));
const long = (text: string): string => cut(visible(text), LONG);
const cell = (text: string, most = SHORT): string => cellCode(cut(visible(text), most));

/** One section per stack, under a common headline; at most `limit` bytes. */
export function planMarkdown(reports: readonly Report[], options: FormatOptions = {}): string {
  const single = reports.length === 1;
  const { shown: outlines, quiet } = outlinesOf(reports);
  return fitSections({
    markers: reports.map(({ stack }) => marker("plan", stack)),
    over: single ? [] : [`## ${headline(reports)}`, "", ...nameLines(quietWords(quiet), quiet, ".")],
    sections: outlines.map((outline) => section(outline, single)),
    limit: options.limit ?? COMMENT_LIMIT,
  });
}

/** A section's first lines: the headline, then the stack. In a list of several stacks, the stack comes first. */
const headLines = (text: string, stack: string, single: boolean): string[] =>
  single ? [`## ${text}`, "", `Stack ${stack}`, ""] : [`### ${stack}`, "", text, ""];

function section({ report, ...outline }: Outline, single: boolean): Section {
  return {
    head: headLines(outline.headline, short(report.stack), single),
    warnsFirst: report.failure !== null || report.refusals !== undefined,
    warnings: outline.warnings.map(
      ({ of, text }) => `${of === null ? "" : `${short(of)}: `}${warningText(text)}`,
    ),
    columns: ["deployment", "change"],
    rows: outline.entries.map(row),
    tail: [...unchangedLines(outline.unchanged), ...otherLines(outline.others)],
    details: outline.entries.filter(hasDetails).map(detail),
    foot: `Plan ${short(shortDigest(report.digest))}`,
  };
}

const warningText = (text: string): string => prose(cut(visible(text), 600));

function row(entry: Entry): string {
  const { kind, sign, deciding, builtFrom, isExplainedByWarning } = entry;
  const [name, label] =
    kind === "listener"
      ? [`${cell(entry.name)} (listener)`, entry.label]
      : [cell(entry.name), `**${entry.label}**`];
  const unexplained = [
    ...(builtFrom === null ? [] : [cell(builtFrom)]),
    ...(isExplainedByWarning ? ["see the warning"] : []),
  ];
  const lines = deciding.length > 0 ? firstLines(deciding.map(changeLine), REASONS_IN_A_ROW) : unexplained;
  const place = entry.service === null ? [] : [`on ${cell(entry.service)}`];
  // On a phone only two columns fit the screen, so the effect and the name share a column.
  return `| ${sign} ${label} ${name} | ${[...lines, ...place, ...entry.remarks].join("<br>")} |`;
}

/** The first `most` lines, and one line with the number of the remaining lines. */
const firstLines = (lines: readonly string[], most: number): string[] => [
  ...lines.slice(0, most),
  ...(lines.length > most ? [`… and ${lines.length - most} more`] : []),
];

const changeLine = ({ short: { path, before, after }, hidden }: ChangeText): string =>
  `${cell(path)} ${hidden ?? `${cell(before)} → ${cell(after)}`}`;

const unchangedLines = (unchanged: string | null): string[] =>
  unchanged === null ? [] : [`${unchanged.replace("--show-sames", "`--show-sames`")}.`];

function otherLines(lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const folded = fence(lines.slice(0, CHANGES_IN_DETAIL).map(long));
  return ["", "<details><summary>Other resources</summary>", "", ...folded, "", "</details>"];
}

const hasDetails = ({ kind, groups, dependents, secrets }: Entry): boolean =>
  kind === "deployment" && groups.length + dependents.length + secrets.length > 0;

function detail({ sign, name, label, generation, groups, secrets, followers }: Entry): string {
  const codeName = `<code>${html(cut(visible(name), SHORT))}</code>`;
  return [
    `<details><summary>${sign} ${codeName}: ${label}${generation ? `, generation ${generation}` : ""}</summary>`,
    "",
    ...groups.flatMap(({ title, changes }) => [`**${title}**`, "", ...difference(changes), ""]),
    ...nameLines("Secrets, by name", secrets),
    ...nameLines("Follows the new revision", followers),
    "</details>",
  ].join("\n");
}

function difference(changes: readonly ChangeText[]): string[] {
  const pieces = changes.map(({ path, effect, isKept, hidden, before, after }) => {
    if (hidden !== null) return `${long(path)} ${hidden}: ${effect}`;
    const values = isKept ? [`  ${long(before)}`] : [`- ${long(before)}`, `+ ${long(after)}`];
    return [`${long(path)}: ${effect}`, ...values].join("\n");
  });
  return fence(
    firstLines(pieces, CHANGES_IN_DETAIL).map((piece) => `  ${piece}`),
    "diff",
  );
}

/** A code block whose fence is longer than every fence in its lines. */
function fence(lines: readonly string[], language = ""): string[] {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []).map((run) => run.length);
  const bar = "`".repeat(Math.max(3, 1 + runs.reduce((most, length) => Math.max(most, length), 0)));
  return [`${bar}${language}`, ...lines, bar];
}

/** A line with a title and the first names. `end`: the punctuation at the end of the line. */
function nameLines(title: string, names: readonly string[], end = ""): string[] {
  if (names.length === 0) return [];
  const more = names.length - CHANGES_IN_DETAIL;
  const text = names.slice(0, CHANGES_IN_DETAIL).map((name) => short(name));
  return [`${title}: ${text.join(", ")}${more > 0 ? ` and ${more} more` : ""}${end}`, ""];
}

// -- The result: the plan compared with the outcomes, wrong predictions first. --

export function resultMarkdown(results: readonly Result[], options: FormatOptions = {}): string {
  const single = results.length === 1;
  return fitSections({
    markers: results.map(({ stack }) => marker("result", stack)),
    over: single ? [] : [`## ${resultHeadline(results)}`, ""],
    sections: results.map((result) => resultSection(result, single)),
    limit: options.limit ?? COMMENT_LIMIT,
  });
}

function resultSection(result: Result, single: boolean): Section {
  const outcomes = outcomeWords(result);
  return {
    head: headLines(resultHeadline([result]), short(result.stack, MEDIUM), single),
    warnsFirst: true,
    warnings: result.warnings.map(warningText),
    columns: ["the plan was", "deployment", "planned", "happened", "revision", "took"],
    rows: outcomes.map(outcomeRow),
    tail: [],
    details: outcomes.filter((outcome) => outcome.messages.length > 0).map(messagesOf),
    foot: `Plan ${short(shortDigest(result.digest))}`,
  };
}

function outcomeRow({ name, sign, label, predicted, happened, revision, took }: OutcomeWords): string {
  const cells = [
    `${sign} **${label}**`,
    cell(name, MEDIUM),
    predicted,
    happened,
    revision === "" ? "" : cell(revision, MEDIUM),
    took,
  ];
  return `| ${cells.join(" | ")} |`;
}

function messagesOf({ name, messages }: OutcomeWords): string {
  const lines = firstLines(
    messages.map((text) => prose(long(text))),
    20,
  );
  return [`The apply said about ${short(name, MEDIUM)}:`, "", ...lines.map((line) => `- ${line}`)].join("\n");
}
