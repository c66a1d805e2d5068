/** The plan as a page: the answer, the picture of the stack, then every change for who wants to read on. */

import { hiddenChange } from "../judge/reasons";

import {
  COUNTED_AS,
  type DeploymentReport,
  type ListenerReport,
  type Reason,
  type Report,
  type ReportVerdict,
  type Summary,
  VERDICTS,
} from "../model";
import { html } from "./escape";
import { codeOf, countList, page, signOf, table, warningBox } from "./htmlPage";
import { picture } from "./picture";
import {
  allWarnings,
  answer,
  beforeAfter,
  changedIn,
  deciding,
  EFFECTS,
  type FormatOptions,
  generationText,
  headline,
  isChanged,
  labelOf,
  numberOf,
  othersLines,
  parts,
  remarks,
  secretNames,
  shortType,
  total,
  unchangedText,
  VERDICT_WORDS,
} from "./words";

/** So few that all of them can stand open. */
const OPEN_UP_TO = 4;

export function planPage(reports: readonly Report[], _options: FormatOptions = {}): string {
  const sum = total(reports);
  const single = reports.length === 1;
  const title = `${headline(reports)} (${reports.map(({ stack }) => stack).join(", ")})`;
  const where = single ? [] : [`<p class="where">${numberOf(reports.length, "stack")}</p>`];
  return page(title, [
    "<header>",
    `<h1>${html(answer(reports))}</h1>`,
    ...where,
    ...(single ? [placeLine(reports[0] as Report)] : []),
    verdictCounts(sum),
    "</header>",
    ...reports.flatMap((report, index) => stackSection(report, index, single)),
  ]);
}

const placeLine = ({ stack, digest }: Report): string =>
  `<p class="where">${codeOf(stack)} · plan ${codeOf(digest)}</p>`;

function verdictCounts(summary: Summary): string {
  const items = VERDICTS.map((verdict) => {
    const { sign, counted } = VERDICT_WORDS[verdict];
    const count = summary[COUNTED_AS[verdict]];
    return { name: verdict, sign, count, label: counted(count) };
  });
  return countList("Deployments by what happens to them", items);
}

function stackSection(report: Report, index: number, single: boolean): string[] {
  const { changed, listeners } = changedIn(report);
  const open = changed.length + listeners.length <= OPEN_UP_TO;
  const head = single ? [] : [`<h2>${html(report.stack)}</h2>`, `<p>${html(headline([report]))}</p>`];
  return [
    single ? "<section>" : `<section aria-label="${html(report.stack)}">`,
    ...head,
    ...(single ? [] : [placeLine(report)]),
    ...warningBox(allWarnings(report)),
    ...picture(report, index),
    ...(changed.length + listeners.length > 0 ? ["<h3>Every change</h3>"] : []),
    ...changed.map((deployment) => deploymentDetails(deployment, open)),
    ...listeners.map((listener) => listenerDetails(listener, open)),
    ...rest(report),
    "</section>",
  ];
}

function deploymentDetails(deployment: DeploymentReport, open: boolean): string {
  const { makes, not } = parts(deployment.reasons);
  const why = deciding(deployment).map(({ path }) => path);
  const said = remarks(deployment).map((text) => `<p class="quiet">${html(text)}</p>`);
  const inner = [
    ...said,
    ...changeTable("Makes a revision", makes),
    ...changeTable("Does not make a revision", not),
    ...nameList("Secrets, by name", secretNames(deployment)),
    ...dependentList(deployment),
    facts(deployment),
  ];
  return details(deployment.name, deployment.verdict, labelOf(deployment), why, inner, open);
}

function listenerDetails(listener: ListenerReport, open: boolean): string {
  const why = ["listener", ...listener.reasons.map(({ path }) => path)];
  return details(
    listener.name,
    listener.verdict,
    VERDICT_WORDS[listener.verdict].label,
    why,
    changeTable("Changes", listener.reasons),
    open,
  );
}

function details(
  name: string,
  verdict: ReportVerdict,
  label: string,
  why: readonly string[],
  inner: readonly string[],
  open: boolean,
): string {
  const { sign } = VERDICT_WORDS[verdict];
  const more = why.length > 3 ? ` and ${why.length - 3} more` : "";
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

function changeTable(title: string, reasons: readonly Reason[]): string[] {
  if (reasons.length === 0) return [];
  const rows = reasons.map((reason) => {
    const hidden = hiddenChange(reason);
    if (hidden !== null) return [codeOf(reason.path), "", html(hidden), html(EFFECTS[reason.effect])];
    const [before, after] = beforeAfter(reason);
    return [codeOf(reason.path), codeOf(before), codeOf(after), html(EFFECTS[reason.effect])];
  });
  return [`<h3>${html(title)}</h3>`, table(COLUMNS, rows)];
}

function nameList(title: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const items = names.map((name) => `<li>${codeOf(name)}</li>`).join("");
  return [`<h3>${html(title)}</h3>`, `<ul class="names">${items}</ul>`];
}

function dependentList({ dependents }: DeploymentReport): string[] {
  if (dependents.length === 0) return [];
  const columns = [{ head: "depends on it" }, { head: "type" }, { head: "step" }, { head: "revision" }];
  const rows = dependents.map(({ name, type, op, properties, followsRevision }) => [
    `<strong dir="ltr">${html(name)}</strong>`,
    html(shortType(type)),
    html([op, ...properties].join(", ")),
    followsRevision ? "follows it" : "does not follow it",
  ]);
  return ["<h3>What depends on it</h3>", table(columns, rows)];
}

function facts(deployment: DeploymentReport): string {
  const { id, deploymentName, builtFrom, listenerId, connection, revisions, urn } = deployment;
  const rows: readonly (readonly [string, string | null])[] = [
    ["name on the service", deploymentName],
    ["id", id],
    ["generation", generationText(deployment)],
    ["active revision", revisions.activeId],
    [
      "latest revision",
      [revisions.latestId, revisions.latestStatus].filter((part) => part).join(" ") || null,
    ],
    ["built from", builtFrom],
    ["listener", listenerId],
    ["connection", connection],
    ["URN", urn],
  ];
  const shown = rows.filter(([, value]) => value !== null);
  return `<dl class="facts">${shown.map(([term, value]) => `<dt>${term}</dt><dd>${codeOf(value as string)}</dd>`).join("")}</dl>`;
}

function rest(report: Report): string[] {
  const same = report.deployments.filter((deployment) => !isChanged(deployment));
  const names = same.map(({ name }) => `<li>${codeOf(name)}</li>`).join("");
  const others = othersLines(report.others).map((line) => `<li>${codeOf(line)}</li>`);
  return [
    ...(same.length > 0
      ? [
          `<details class="unchanged"><summary>${signOf("=")} ${numberOf(same.length, "deployment")} unchanged</summary>`,
          `<div class="inner"><ul class="names">${names}</ul></div></details>`,
        ]
      : []),
    ...(report.unlisted > 0 ? [`<p class="quiet">${html(unchangedText(report) ?? "")}</p>`] : []),
    ...(others.length > 0 ? [`<div class="quiet">Other resources<ul>${others.join("")}</ul></div>`] : []),
  ];
}
