/** The plan as a page: whether traffic moves, the picture of the stack, and every change. */
import {
  COUNTED_AS,
  type Dependent,
  type Outcome,
  type Report,
  type Result,
  type Summary,
  VERDICTS,
} from "../model";
import type { ChangeText } from "./changeText";
import { html } from "./escape";
import { codeOf, countList, page, signOf, table, warningBox } from "./htmlPage";
import { type Entry, type Outline, outlinesOf, quietWords } from "./outline";
import { picture } from "./picture";
import {
  type OutcomeWords,
  outcomeWords,
  resultHeadline,
  STANDING_ORDER,
  STANDINGS,
  standing,
} from "./resultWords";
import {
  answer,
  countedAs,
  headline,
  isChanged,
  numberOf,
  shortDigest,
  shortType,
  total,
  VERDICT_WORDS,
} from "./words";

/** A page with at most this many entries shows all of them expanded. */
const OPEN_UP_TO = 4;

export function planPage(reports: readonly Report[]): string {
  const single = reports.length === 1;
  const { shown: outlines, quiet } = outlinesOf(reports);
  return sheet(headline(reports), answer(reports), reports, verdictCounts(total(reports)), [
    ...outlines.flatMap((outline, index) => stackSection(outline, index, single)),
    ...(quiet.length > 0
      ? [`<p class="quiet">${quietWords(quiet)}: ${quiet.map(codeOf).join(", ")}</p>`]
      : []),
  ]);
}

/** A page with a heading and counts of all stacks above its sections. */
function sheet(
  title: string,
  heading: string,
  stacks: readonly (Report | Result)[],
  counts: string,
  sections: readonly string[],
): string {
  return page(`${title} (${stacks.map(({ stack }) => stack).join(", ")})`, [
    "<header>",
    `<h1>${html(heading)}</h1>`,
    ...(stacks.length === 1
      ? stacks.map(placeLine)
      : [`<p class="where">${numberOf(stacks.length, "stack")}</p>`]),
    counts,
    "</header>",
    ...sections,
  ]);
}

const placeLine = ({ stack, digest }: Report | Result): string =>
  `<p class="where">${codeOf(stack)} · plan <code title="${html(digest)}">${html(shortDigest(digest))}</code></p>`;

function verdictCounts(summary: Summary): string {
  const countItems = VERDICTS.map((verdict) => {
    const count = summary[COUNTED_AS[verdict]];
    return { name: verdict, sign: VERDICT_WORDS[verdict].sign, count, label: countedAs(verdict, count) };
  });
  return countList("Deployments by what happens to them", countItems);
}

function stackSection({ report, ...outline }: Outline, index: number, single: boolean): string[] {
  const { entries } = outline;
  const head = [
    `<section aria-label="${html(report.stack)}">`,
    `<h2>${html(report.stack)}</h2>`,
    `<p>${html(outline.headline)}</p>`,
    placeLine(report),
  ];
  return [
    ...(single ? ["<section>"] : head),
    ...warningBox(outline.warnings),
    ...picture(report, index),
    ...(entries.length > 0 ? ["<h3>Every change</h3>"] : []),
    ...entries.map((entry) => entryDetails(entry, entries.length <= OPEN_UP_TO)),
    ...unchangedParts(report, outline.unchanged),
    ...(outline.others.length > 0
      ? [
          `<div class="quiet">Other resources<ul>${outline.others.map((line) => `<li>${codeOf(line)}</li>`).join("")}</ul></div>`,
        ]
      : []),
    "</section>",
  ];
}

function entryDetails(entry: Entry, open: boolean): string {
  const { kind, verdict, sign, name, label, remarks, groups, secrets, dependents, facts } = entry;
  const why = [...(kind === "listener" ? [kind] : []), ...entry.deciding.map(({ path }) => path)];
  const more = why.length > 3 ? ` and ${why.length - 3} more` : "";
  const inner = [
    ...remarks.map((text) => `<p class="quiet">${html(text)}</p>`),
    ...groups.flatMap(({ title, changes }) => [`<h3>${html(title)}</h3>`, changeTable(changes)]),
    ...(secrets.length > 0 ? ["<h3>Secrets, by name</h3>", nameList(secrets)] : []),
    ...(dependents.length > 0 ? ["<h3>What depends on it</h3>", dependentTable(dependents)] : []),
    ...(facts.length > 0 ? [factList(facts)] : []),
  ];
  return [
    `<details class="${verdict}"${open ? " open" : ""}><summary>${signOf(sign)}`,
    `<strong dir="ltr">${html(name)}</strong> <span class="tone">${label}</span>`,
    `<span class="why">${html(why.slice(0, 3).join(", "))}${more}</span></summary>`,
    `<div class="inner">${inner.join("\n")}</div></details>`,
  ].join("\n");
}

const COLUMNS = [
  { head: "field" },
  { head: "before", kind: "before" },
  { head: "after" },
  { head: "effect" },
];

function changeTable(changes: readonly ChangeText[]): string {
  const rows = changes.map(({ path, effect, hidden, before, after }) => {
    const values = hidden === null ? [codeOf(before), codeOf(after)] : ["", html(hidden)];
    return [codeOf(path), ...values, html(effect)];
  });
  return table(COLUMNS, rows);
}

const nameList = (names: readonly string[]): string =>
  `<ul class="names">${names.map((name) => `<li>${codeOf(name)}</li>`).join("")}</ul>`;

function dependentTable(dependents: readonly Dependent[]): string {
  const columns = [{ head: "depends on it" }, { head: "type" }, { head: "step" }, { head: "revision" }];
  const rows = dependents.map(({ name, type, op, properties, followsRevision }) => [
    `<strong dir="ltr">${html(name)}</strong>`,
    html(shortType(type)),
    html([op, ...properties].join(", ")),
    followsRevision ? "follows it" : "does not follow it",
  ]);
  return table(columns, rows);
}

const factList = (facts: Entry["facts"]): string =>
  `<dl class="facts">${facts.map(([term, value]) => `<dt>${term}</dt><dd>${codeOf(value)}</dd>`).join("")}</dl>`;

function unchangedParts({ deployments, unlisted }: Report, unchanged: string | null): string[] {
  const unchangedNames = deployments.filter((deployment) => !isChanged(deployment)).map(({ name }) => name);
  return [
    ...(unchangedNames.length > 0
      ? [
          `<details class="unchanged"><summary>${signOf("=")} ${numberOf(unchangedNames.length, "deployment")} unchanged</summary>`,
          `<div class="inner">${nameList(unchangedNames)}</div></details>`,
        ]
      : []),
    ...(unlisted > 0 ? [`<p class="quiet">${html(unchanged ?? "")}</p>`] : []),
  ];
}

// -- The result: the plan compared with the outcomes, wrong predictions first. --

export function resultPage(results: readonly Result[]): string {
  const heading = resultHeadline(results);
  const counts = standingCounts(results.flatMap(({ outcomes }) => outcomes));
  const sections = results.flatMap((result) => resultSection(result, results.length === 1));
  return sheet(heading, heading, results, counts, sections);
}

function standingCounts(outcomes: readonly Outcome[]): string {
  const countItems = STANDING_ORDER.map((name) => {
    const count = outcomes.filter((outcome) => standing(outcome) === name).length;
    return { name, count, ...STANDINGS[name] };
  });
  return countList("Predictions by how they stand", countItems);
}

function resultSection(result: Result, isOnly: boolean): string[] {
  const rows = outcomeWords(result);
  const head = [`<h2 dir="ltr">${html(result.stack)}</h2>`, placeLine(result)];
  return [
    `<section aria-label="${html(result.stack)}">`,
    ...(isOnly ? [] : head),
    ...warningBox(result.warnings.map((text) => ({ of: null, text }))),
    ...(rows.length > 0
      ? rows.map((outcome) => outcomeDetails(outcome, rows.length <= OPEN_UP_TO))
      : ['<p class="quiet">No deployments.</p>']),
    "</section>",
  ];
}

/**
 * One row: the name, the plan next to the outcome, the revision and its time. Opening the row shows the lines of the
 * apply.
 */
function outcomeDetails({ stands, sign, label, ...outcome }: OutcomeWords, open: boolean): string {
  const { name, predicted, happened, revision, took, messages } = outcome;
  const isExpected = stands === "right" && predicted === happened;
  const story = isExpected ? happened : `planned: ${predicted}, happened: ${happened}`;
  const inner = messages.map((text) => `<p>${html(text)}</p>`);
  return [
    `<details class="${stands}"${open || stands === "wrong" || stands === "failed" ? " open" : ""}><summary>${signOf(sign)}`,
    `<strong dir="ltr">${html(name)}</strong> <span class="tone">${label}</span>`,
    `<span>${html(story)}</span>`,
    ...(revision === "" ? [] : [codeOf(revision)]),
    ...(took === "" ? [] : [`<span class="why">after ${took}</span>`]),
    "</summary>",
    `<div class="inner said">${inner.join("\n") || '<p class="quiet">The apply said nothing about it.</p>'}</div></details>`,
  ].join("\n");
}
