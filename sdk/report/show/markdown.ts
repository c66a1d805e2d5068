/** The plan as Markdown, for a pull request's comment and the summary of a CI job. */

import { hiddenChange } from "../judge/reasons";

import type { DeploymentReport, ListenerReport, Reason, Report, Result } from "../model";
import { cellCode, code, cut, html, marker, prose, visible } from "./escape";
import { fitted, type Section } from "./markdownFit";
import { type OutcomeWords, outcomeWords, resultHeadline } from "./resultWords";
import {
  allWarnings,
  beforeAfter,
  changedIn,
  deciding,
  EFFECTS,
  type FormatOptions,
  generationText,
  headline,
  labelOf,
  othersLines,
  parts,
  remarks,
  secretNames,
  shortType,
  unchangedText,
  VERDICT_WORDS,
} from "./words";

/** What GitHub accepts in one comment, counted here in bytes, of which there are never fewer than characters. */
export const COMMENT_LIMIT = 65_535;
const REASONS_IN_A_ROW = 4;
const CHANGES_IN_DETAIL = 100;

/** Each name or value only so long: a cell and a folded line of the diff. */
const SHORT = 72;
const LONG = 1_000;
/** In a result, which has fewer of them. */
const MEDIUM = 120;

const short = (text: string, most = SHORT): string => code(cut(visible(text), most));
const cell = (text: string, most = SHORT): string => cellCode(cut(visible(text), most));

/** One section per stack, under a headline over all; never longer than `limit` bytes. */
export function planMarkdown(reports: readonly Report[], options: FormatOptions = {}): string {
  const limit = options.limit ?? COMMENT_LIMIT;
  const over = reports.length === 1 ? [] : [`## ${headline(reports)}`, ""];
  return fitted({
    markers: reports.map(({ stack }) => marker("plan", stack)),
    over,
    sections: reports.map((report) => section(report, reports.length === 1 ? "##" : "###")),
    limit,
  });
}

function section(report: Report, level: string): Section {
  const { changed, listeners } = changedIn(report);
  const stack = short(report.stack);
  const own = headline([report]);
  return {
    head:
      level === "##"
        ? [`## ${own}`, "", `Stack ${stack}, digest ${short(report.digest)}`, ""]
        : [`### ${stack}`, "", `${own}; digest ${short(report.digest)}`, ""],
    warnings: allWarnings(report).map(warningLine),
    columns: ["deployment", "verdict", "why", "old → new"],
    rows: [...changed.map(deploymentRow), ...listeners.map(listenerRow)],
    tail: tailLines(report),
    details: changed.filter(hasDetails).map(detail),
  };
}

function warningLine({ of, text }: { of: string | null; text: string }): string {
  const named = of === null || text.includes(of) ? "" : `${short(of)}: `;
  return `${named}${warningText(text)}`;
}

const warningText = (text: string): string => prose(cut(visible(text), 600));

function deploymentRow(deployment: DeploymentReport): string {
  const { sign } = VERDICT_WORDS[deployment.verdict];
  const reasons = deciding(deployment);
  const changes = reasons.length > 0 ? cells(reasons, ({ path }) => cell(path)) : withoutReason(deployment);
  const why = [changes, ...remarks(deployment)].filter((part) => part !== "").join("<br>");
  const values = reasons.length > 0 ? cells(reasons, arrow) : builtFrom(deployment);
  return `| ${cell(deployment.name)} | ${sign} **${labelOf(deployment)}** | ${why} | ${values} |`;
}

function listenerRow(listener: ListenerReport): string {
  const { sign, label } = VERDICT_WORDS[listener.verdict];
  const why = cells(listener.reasons, ({ path }) => cell(path));
  return `| ${cell(listener.name)} (listener) | ${sign} ${label} | ${why} | ${cells(listener.reasons, arrow)} |`;
}

function cells(reasons: readonly Reason[], shown: (reason: Reason) => string): string {
  const lines = reasons.slice(0, REASONS_IN_A_ROW).map(shown);
  const more = reasons.length - lines.length;
  return [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join("<br>");
}

function arrow(reason: Reason): string {
  const hidden = hiddenChange(reason);
  if (hidden !== null) return hidden;
  const [before, after] = beforeAfter(reason);
  return `${cell(before)} → ${cell(after)}`;
}

function withoutReason({ verdict, warnings, fate }: DeploymentReport): string {
  return warnings.length > 0 && verdict !== "create" && fate === null ? "see the warning" : "";
}

const builtFrom = ({ builtFrom: from }: DeploymentReport): string => (from === null ? "" : cell(from));

function tailLines(report: Report): string[] {
  const unchanged = unchangedText(report);
  const lines = unchanged === null ? [] : [`${unchanged.replace("--show-sames", "`--show-sames`")}.`];
  const others = othersLines(report.others);
  const folded = fence(others.slice(0, CHANGES_IN_DETAIL).map((line) => cut(visible(line), LONG)));
  return others.length === 0
    ? lines
    : [...lines, "", "<details><summary>Other resources</summary>", "", ...folded, "", "</details>"];
}

const hasDetails = (deployment: DeploymentReport): boolean =>
  deployment.reasons.length + deployment.dependents.length + secretNames(deployment).length > 0;

function detail(deployment: DeploymentReport): string {
  const { sign } = VERDICT_WORDS[deployment.verdict];
  const { makes, not } = parts(deployment.reasons);
  const generation = generationText(deployment);
  const name = `<code>${html(cut(visible(deployment.name), SHORT))}</code>`;
  return [
    `<details><summary>${sign} ${name}: ${labelOf(deployment)}${generation ? `, generation ${generation}` : ""}</summary>`,
    "",
    ...part("Makes a revision", makes),
    ...part("Does not make a revision", not),
    ...listed("Secrets, by name", secretNames(deployment)),
    ...listed("Follows the new revision", followers(deployment)),
    "</details>",
  ].join("\n");
}

function part(title: string, reasons: readonly Reason[]): string[] {
  if (reasons.length === 0) return [];
  const lines = reasons.slice(0, CHANGES_IN_DETAIL).flatMap((reason) => {
    const [before, after] = beforeAfter(reason).map((text) => cut(visible(text), LONG));
    const hidden = hiddenChange(reason);
    if (hidden !== null) return [`  ${cut(visible(reason.path), LONG)} ${hidden}: ${EFFECTS[reason.effect]}`];
    const changed = `  ${cut(visible(reason.path), LONG)}: ${EFFECTS[reason.effect]}`;
    return reason.effect === "kept" ? [changed, `  ${before}`] : [changed, `- ${before}`, `+ ${after}`];
  });
  const more = reasons.length - CHANGES_IN_DETAIL;
  return [`**${title}**`, "", ...fence(more > 0 ? [...lines, `  … and ${more} more`] : lines, "diff"), ""];
}

/** A block of lines that are text whatever they hold: its fence is longer than any within. */
export function fence(lines: readonly string[], language = ""): string[] {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []).map((run) => run.length);
  const bar = "`".repeat(Math.max(3, 1 + runs.reduce((most, length) => Math.max(most, length), 0)));
  return [`${bar}${language}`, ...lines, bar];
}

function listed(title: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length - CHANGES_IN_DETAIL;
  const shown = names
    .slice(0, CHANGES_IN_DETAIL)
    .map((name) => short(name))
    .join(", ");
  return [`${title}: ${shown}${more > 0 ? ` and ${more} more` : ""}`, ""];
}

const followers = ({ dependents }: DeploymentReport): string[] =>
  dependents
    .filter(({ followsRevision }) => followsRevision)
    .map(({ name, type, op }) => `${name} (${shortType(type)}, ${op})`);

// -- Planned against actual, wrong predictions on top. --

export function resultMarkdown(results: readonly Result[], options: FormatOptions = {}): string {
  const single = results.length === 1;
  return fitted({
    markers: results.map(({ stack }) => marker("result", stack)),
    over: single ? [] : [`## ${resultHeadline(results)}`, ""],
    sections: results.map((result) => resultSection(result, single)),
    limit: options.limit ?? COMMENT_LIMIT,
  });
}

function resultSection(result: Result, single: boolean): Section {
  const own = resultHeadline([result]);
  const stack = short(result.stack, MEDIUM);
  const outcomes = outcomeWords(result);
  return {
    head: single
      ? [`## ${own}`, "", `Stack ${stack}, plan ${short(result.digest, MEDIUM)}`, ""]
      : [`### ${stack}`, "", `${own}; plan ${short(result.digest, MEDIUM)}`, ""],
    warnings: result.warnings.map((text) => warningText(text)),
    columns: ["deployment", "the plan was", "planned", "happened", "revision"],
    rows: outcomes.map(outcomeRow),
    tail: [],
    details: outcomes.filter((outcome) => outcome.messages.length > 0).map(messagesOf),
  };
}

function outcomeRow({ name, sign, label, predicted, happened, revision }: OutcomeWords): string {
  const cells = [
    cell(name, MEDIUM),
    `${sign} **${label}**`,
    predicted,
    happened,
    revision === "" ? "" : cell(revision, MEDIUM),
  ];
  return `| ${cells.join(" | ")} |`;
}

function messagesOf({ name, messages }: OutcomeWords): string {
  const lines = messages.slice(0, 20).map((text) => `- ${prose(cut(visible(text), LONG))}`);
  const more = messages.length - lines.length;
  return [
    `What the apply said about ${short(name, MEDIUM)}:`,
    "",
    ...lines,
    ...(more > 0 ? [`- … and ${more} more`] : []),
  ].join("\n");
}
