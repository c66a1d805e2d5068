/** The plan as text, for a terminal or a log, and planned against actual. */

import { hiddenChange } from "../judge/reasons";

import type { DeploymentReport, ListenerReport, Reason, Report, ReportVerdict, Result } from "../model";
import { visible } from "./escape";
import { type OutcomeWords, outcomeWords, resultHeadline, type Standing } from "./resultWords";
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
import {
  allWarnings,
  beforeAfter,
  changedIn,
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

export const VERDICT_STYLES: { readonly [V in ReportVerdict]: readonly Style[] } = {
  replace: ["red", "bold"],
  delete: ["red", "bold"],
  "new-revision": ["magenta", "bold"],
  "may-create-revision": ["yellow", "bold"],
  create: ["green", "bold"],
  "in-place": ["blue"],
  unchanged: ["dim"],
};

export function planText(reports: readonly Report[], options: FormatOptions = {}): string {
  const page = pageFor(options);
  const over = reports.length === 1 ? [] : [...bold(headline(reports), page), ""];
  return [...over, ...reports.flatMap((report) => stackLines(report, page, reports.length === 1))].join("\n");
}

function stackLines(report: Report, page: Page, single: boolean): string[] {
  const { paint, width } = page;
  const { changed, listeners } = changedIn(report);
  const name = within(report.stack, width - 1);
  const head = single
    ? [...bold(headline([report]), page), paint(within(`${report.stack}  ${report.digest}`, width), "dim")]
    : [paint(name, "bold"), ...wrapped(headline([report]), width, "  ")];
  const longestVerdict = Math.max(0, ...changed.map((each) => labelOf(each).length));
  const nameWidth = Math.min(
    28,
    width - longestVerdict - 5,
    Math.max(0, ...changed.map((each) => columns(visible(each.name)))),
  );
  return [
    ...head,
    "",
    ...gap(warningLines(report, page)),
    ...changed.flatMap((deployment) => deploymentLines(deployment, nameWidth, page)),
    ...listeners.flatMap((listener) => listenerLines(listener, page)),
    ...gap(restLines(report, page)),
  ];
}

const gap = (lines: readonly string[]): string[] => (lines.length > 0 ? [...lines, ""] : []);

function warningLines(report: Report, page: Page): string[] {
  return allWarnings(report).flatMap(({ of, text }) =>
    warningLine(of === null || text.includes(of) ? text : `${of}: ${text}`, page),
  );
}

function deploymentLines(deployment: DeploymentReport, nameWidth: number, page: Page): string[] {
  const { paint, width } = page;
  const { sign } = VERDICT_WORDS[deployment.verdict];
  const label = labelOf(deployment);
  const name = padded(within(deployment.name, nameWidth), nameWidth);
  const generation = generationText(deployment);
  const room = width - nameWidth - columns(label) - 6;
  const beside = generation === null ? (deployment.builtFrom ?? "") : `generation ${generation}`;
  const styles = VERDICT_STYLES[deployment.verdict];
  const head = `${paint(sign, ...styles)} ${paint(name, "bold")}  ${paint(label, ...styles)}`;
  const { makes, not } = parts(deployment.reasons);
  return gap([
    beside === "" || room < 8 ? head : `${head}  ${paint(within(beside, room), "dim")}`,
    ...remarks(deployment).map((text) => `    ${paint(within(text, width - 4), "yellow")}`),
    ...reasonLines(makes, page),
    ...reasonLines(not, page),
    ...secretLine(deployment, page),
    ...followerLines(deployment, page),
  ]);
}

function listenerLines(listener: ListenerReport, page: Page): string[] {
  const { paint, width } = page;
  const { sign, label } = VERDICT_WORDS[listener.verdict];
  const styles = VERDICT_STYLES[listener.verdict];
  const name = paint(within(listener.name, Math.max(width - label.length - 16, 8)), "bold");
  const head = `${paint(sign, ...styles)} ${name}  ${paint(label, ...styles)} ${paint("(listener)", "dim")}`;
  return gap([head, ...reasonLines(listener.reasons, page)]);
}

/** `    path   old → new   new revision`; where that is too wide, the values stand in lines of their own. */
function reasonLines(reasons: readonly Reason[], { paint, width }: Page): string[] {
  const room = width - 6;
  return reasons.flatMap((reason) => {
    const effect = EFFECTS[reason.effect];
    const hidden = hiddenChange(reason);
    const [before, after] = beforeAfter(reason).map(visible) as [string, string];
    const path = within(reason.path, room);
    const line = `${path}  ${hidden ?? `${before} → ${after}`}`;
    const shown = `  ${paint(`(${effect})`, "dim")}`;
    if (columns(line) + effect.length + 4 <= room)
      return [`    ${path}  ${hidden ?? `${paint(before, "dim")} → ${after}`}${shown}`];
    return [
      columns(path) + effect.length + 4 <= room ? `    ${path}${shown}` : `    ${path}`,
      ...(hidden === null
        ? [`      ${paint(`- ${within(before, room - 4)}`, "dim")}`, `      + ${within(after, room - 4)}`]
        : [`      ${hidden}`]),
    ];
  });
}

function secretLine(deployment: DeploymentReport, { width }: Page): string[] {
  const names = secretNames(deployment);
  return names.length === 0 ? [] : [`    secrets  ${within(names.join(" "), width - 13)}`];
}

function followerLines({ dependents }: DeploymentReport, { paint, width }: Page): string[] {
  const following = dependents.filter(({ followsRevision }) => followsRevision);
  return following.map(
    ({ name, type, op }) =>
      `    ${paint(within(`└ then ${name} (${shortType(type)}, ${op})`, width - 4), "dim")}`,
  );
}

function restLines(report: Report, { paint, width }: Page): string[] {
  const unchanged = unchangedText(report);
  const same = unchanged === null ? [] : [`= ${unchanged}`];
  const others = othersLines(report.others).map((line) => `  other resources: ${line}`);
  return [...same, ...others].map((line) => paint(within(line, width), "dim"));
}

// -- Planned against actual, wrong predictions on top. --

const STANDING_STYLES: { readonly [S in Standing]: readonly Style[] } = {
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
    ...outcomeLines(outcomeWords(result), page),
    "",
  ]);
  return [...over, ...stacks].join("\n");
}

function outcomeLines(outcomes: readonly OutcomeWords[], { paint, width }: Page): string[] {
  const longest = outcomes.reduce((most, { name }) => Math.max(most, columns(visible(name))), 0);
  const nameWidth = Math.min(28, Math.floor(width / 3), longest);
  return outcomes.flatMap(({ stands, sign, label, predicted, happened, revision, ...outcome }) => {
    const styles = STANDING_STYLES[stands];
    const name = padded(within(outcome.name, nameWidth), nameWidth);
    const isExpected = stands === "right" || stands === "failed";
    const story = isExpected ? happened : `planned ${predicted}, happened ${happened}`;
    const room = Math.max(4, width - nameWidth - 16);
    const head = `${paint(sign, ...styles)} ${paint(name, "bold")}  ${paint(padded(label, 10), ...styles)}`;
    const said = outcome.messages.flatMap((text) => wrapped(text, width - 4, "  "));
    return [
      `${head}  ${within(`${story}  ${revision}`.trimEnd(), room)}`,
      ...said.map((line) => `    ${paint(line, "dim")}`),
    ];
  });
}
