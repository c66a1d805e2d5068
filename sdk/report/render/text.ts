/** The plan, and its comparison with the result, as text for a terminal or a log. */
import type { Report, ReportVerdict, Result } from "../model";
import type { ChangeText } from "./changeText";
import { visible } from "./escape";
import { type Entry, type Outline, outlinesOf, quietWords } from "./outline";
import { type OutcomeWords, outcomeWords, resultHeadline, type Standing } from "./resultWords";
import { bold, columns, type Page, pad, pageFor, type Style, warningLine, within, wrap } from "./terminal";
import { type FormatOptions, headline, shortDigest } from "./words";

const VERDICT_STYLES: { readonly [V in ReportVerdict]: readonly Style[] } = {
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
  const { shown: outlines, quiet } = outlinesOf(reports);
  const quietLines =
    quiet.length === 0 ? [] : wrap(`${quietWords(quiet)}: ${quiet.join(", ")}`, page.width, "");
  const sections = outlines.flatMap((outline) => stackLines(outline, page, reports.length === 1));
  return [...over, ...sections, ...gap(quietLines)].join("\n");
}

function stackLines(
  { report, warnings, entries, ...outline }: Outline,
  page: Page,
  single: boolean,
): string[] {
  const { paint, width } = page;
  const head = single
    ? [...bold(outline.headline, page), planLine(report, page)]
    : [paint(within(report.stack, width - 1), "bold"), ...wrap(outline.headline, width, "  ")];
  const deployments = entries.filter(({ kind }) => kind === "deployment");
  const longestLabel = Math.max(0, ...deployments.map(({ label }) => label.length));
  // A name made only of combining marks takes no column, but if the name is cut, the `…` at its end takes one.
  const longestName = Math.max(1, ...deployments.map(({ name }) => columns(visible(name))));
  const nameWidth = Math.min(28, width - longestLabel - 5, longestName);
  const tail = [
    ...(outline.unchanged === null ? [] : [`= ${outline.unchanged}`]),
    ...outline.others.map((line) => `  other resources: ${line}`),
  ];
  return [
    ...head,
    "",
    ...gap(warnings.flatMap(({ of, text }) => warningLine(of === null ? text : `${of}: ${text}`, page))),
    ...entries.flatMap((entry) => entryLines(entry, nameWidth, page)),
    ...gap(tail.map((line) => paint(within(line, width), "dim"))),
  ];
}

const planLine = ({ stack, digest }: Report | Result, { paint, width }: Page): string =>
  paint(within(`${stack}  plan ${shortDigest(digest)}`, width), "dim");

const gap = (lines: readonly string[]): string[] => (lines.length > 0 ? [...lines, ""] : []);

function entryLines(entry: Entry, nameWidth: number, page: Page): string[] {
  const { paint, width } = page;
  const secrets = `    secrets  ${within(entry.secrets.join(" "), width - 13)}`;
  return gap([
    entry.kind === "listener" ? listenerHead(entry, page) : deploymentHead(entry, nameWidth, page),
    ...(entry.service === null ? [] : [`    ${paint(within(`on ${entry.service}`, width - 4), "dim")}`]),
    ...entry.remarks.map((text) => `    ${paint(within(text, width - 4), "yellow")}`),
    ...entry.groups.flatMap(({ changes }) => changes.flatMap((change) => changeLines(change, page))),
    ...(entry.secrets.length > 0 ? [secrets] : []),
    ...entry.followers.map((follower) => `    ${paint(within(`└ then ${follower}`, width - 4), "dim")}`),
  ]);
}

function deploymentHead(entry: Entry, nameWidth: number, { paint, width }: Page): string {
  const { verdict, sign, label, generation, builtFrom } = entry;
  const styles = VERDICT_STYLES[verdict];
  const name = pad(within(entry.name, nameWidth), nameWidth);
  const head = `${paint(sign, ...styles)} ${paint(name, "bold")}  ${paint(label, ...styles)}`;
  const aside = generation === null ? (builtFrom ?? "") : `generation ${generation}`;
  const room = width - nameWidth - columns(label) - 6;
  return aside === "" || room < 8 ? head : `${head}  ${paint(within(aside, room), "dim")}`;
}

function listenerHead({ verdict, sign, name, label }: Entry, { paint, width }: Page): string {
  const styles = VERDICT_STYLES[verdict];
  const nameText = paint(within(name, Math.max(width - label.length - 16, 8)), "bold");
  return `${paint(sign, ...styles)} ${nameText}  ${paint(label, ...styles)} ${paint("(listener)", "dim")}`;
}

/** The path, the old and new values, and the effect; if that line is too wide, each value gets its own line. */
function changeLines({ hidden, effect, ...change }: ChangeText, { paint, width }: Page): string[] {
  const room = width - 6;
  const [before, after] = [visible(change.before), visible(change.after)];
  const path = within(change.path, room);
  const effectText = `  ${paint(`(${effect})`, "dim")}`;
  const fits = (line: string) => columns(line) + effect.length + 4 <= room;
  if (fits(`${path}  ${hidden ?? `${before} → ${after}`}`))
    return [`    ${path}  ${hidden ?? `${paint(before, "dim")} → ${after}`}${effectText}`];
  const values =
    hidden === null
      ? [paint(`- ${within(before, room - 4)}`, "dim"), `+ ${within(after, room - 4)}`]
      : [hidden];
  return [`    ${path}${fits(path) ? effectText : ""}`, ...values.map((line) => `      ${line}`)];
}

// -- The result: the plan compared with the outcomes, wrong predictions first. --

const STANDING_STYLES: { readonly [S in Standing]: readonly Style[] } = {
  wrong: ["red", "bold"],
  failed: ["red"],
  undecided: ["yellow"],
  right: ["green"],
};

export function resultText(results: readonly Result[], options: FormatOptions = {}): string {
  const page = pageFor(options);
  const head = [...bold(resultHeadline(results), page), ...(results.length === 1 ? [] : [""])];
  const stacks = results.flatMap((result) => [
    planLine(result, page),
    "",
    ...result.warnings.flatMap((text) => warningLine(text, page)),
    ...outcomeLines(outcomeWords(result), page),
    "",
  ]);
  return [...head, ...stacks].join("\n");
}

function outcomeLines(outcomes: readonly OutcomeWords[], { paint, width }: Page): string[] {
  const longest = outcomes.reduce((most, { name }) => Math.max(most, columns(visible(name))), 1);
  const nameWidth = Math.min(28, Math.floor(width / 3), longest);
  return outcomes.flatMap(({ stands, sign, label, predicted, happened, revision, took, ...outcome }) => {
    const styles = STANDING_STYLES[stands];
    const name = pad(within(outcome.name, nameWidth), nameWidth);
    const isExpected = stands === "right" || stands === "failed";
    const story = isExpected ? happened : `planned ${predicted}, happened ${happened}`;
    const room = Math.max(4, width - nameWidth - 16);
    const head = `${paint(sign, ...styles)} ${paint(name, "bold")}  ${paint(pad(label, 10), ...styles)}`;
    const messageLines = outcome.messages.flatMap((text) => wrap(text, width - 4, "  "));
    return [
      `${head}  ${within([story, revision, took].filter((part) => part !== "").join("  "), room)}`,
      ...messageLines.map((line) => `    ${paint(line, "dim")}`),
    ];
  });
}
