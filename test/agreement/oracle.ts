/** Whether line, report and result are what the service saw: a sentence for each that was not. */
import { UNKNOWN } from "../../provider/fields/value";
import type { DeploymentState } from "../../sdk/emulator/index";
import type { DeploymentReport, ListenerReport, Report, ReportVerdict, Result } from "../../sdk/report/model";
import { type HeardLines, NOTHING_HEARD } from "../../sdk/report/read/heard";
import type { Preview } from "../../sdk/report/read/preview";
import { FOREIGN } from "./hands";
import { isDrawn } from "./switches";
import type { ProfileName } from "./values";

/** What the service has, and what the state holds of it. */
export interface Seen {
  readonly deployments: ReadonlyMap<string, DeploymentState>;
  readonly listeners: ReadonlySet<string>;
  readonly ids: ReadonlyMap<string, string>;
}

export interface Update {
  readonly profile: ProfileName;
  readonly preview: Preview;
  readonly report: Report;
  readonly result: Result;
  readonly lines: ReadonlyMap<string, HeardLines>;
  readonly before: Seen;
  readonly after: Seen;
  /** Revisions that other hands made after the plan, by id. */
  readonly byHand: ReadonlyMap<string, number>;
  /** Ids that were written to. */
  readonly written: ReadonlySet<string>;
}

export interface Miss {
  /** Name in the program. */
  readonly name: string;
  readonly words: string;
}

export function missesOf(update: Update): Miss[] {
  const { deployments, listeners } = update.report;
  return [
    ...deployments.flatMap((entry) =>
      deploymentMisses(update, entry).map((words) => ({ name: entry.name, words })),
    ),
    ...listeners.flatMap((entry) =>
      listenerMisses(update, entry).map((words) => ({ name: entry.name, words })),
    ),
    ...unsaid(update),
  ];
}

function deploymentMisses(update: Update, entry: DeploymentReport): string[] {
  const happened = happenedTo(update, entry);
  const outcome = update.result.outcomes.find(({ urn }) => urn === entry.urn);
  const line = update.lines.get(entry.urn) ?? NOTHING_HEARD;
  return [
    ...wrong(
      !RIGHT[entry.verdict].includes(happened.what),
      `the report says ${entry.verdict}, but: ${happened.what}`,
    ),
    ...wrong(
      outcome?.right !== true,
      `the result says ${outcome?.predicted}, ${outcome?.happened}: right ${outcome?.right}`,
    ),
    ...wrong(
      outcome?.messages.some((each) => each.startsWith("NOT as planned")) === true,
      `the proof says: ${outcome?.messages.join(" | ")}`,
    ),
    ...wrong(
      entry.verdict === "may-create-revision" && !couldNotKnow(update, entry),
      `"may" where it could have known: ${line.line}`,
    ),
    ...wrong(
      entry.verdict === "unchanged" && update.written.has(entry.id ?? ""),
      "unchanged, but it was written to",
    ),
    ...lineMisses(entry.verdict, line, update.written.has(entry.id ?? "")),
    ...oldMisses(update, entry, happened, line),
    ...secretMisses(update, entry),
  ];
}

const wrong = (is: boolean, words: string): string[] => (is ? [words] : []);

type What = "created" | "another" | "gone" | "left" | "nothing" | `${number} revisions`;

interface Happened {
  readonly what: What;
  /** Whether the service has the old one no longer. */
  readonly oldIsGone: boolean;
}

function happenedTo({ before, after, byHand }: Update, { urn, id, verdict }: DeploymentReport): Happened {
  const now = after.ids.get(urn);
  const oldIsGone = id !== null && !after.deployments.has(id);
  const is = now === undefined ? undefined : after.deployments.get(now);
  if (id === null) return { what: is === undefined ? "nothing" : "created", oldIsGone };
  if (verdict === "delete" || now === undefined) {
    const isForgotten = ![...after.ids.values()].includes(id);
    return { what: oldIsGone ? "gone" : isForgotten ? "left" : "nothing", oldIsGone };
  }
  if (now !== id) return { what: is === undefined ? "nothing" : "another", oldIsGone };
  const was = before.deployments.get(id);
  if (is === undefined || was === undefined) return { what: "gone", oldIsGone };
  return {
    what: `${is.revisions.length - was.revisions.length - (byHand.get(id) ?? 0)} revisions`,
    oldIsGone,
  };
}

const RIGHT: { readonly [verdict in ReportVerdict]: readonly What[] } = {
  create: ["created"],
  replace: ["another"],
  delete: ["gone", "left"],
  "new-revision": ["1 revisions"],
  "may-create-revision": ["0 revisions", "1 revisions"],
  "in-place": ["0 revisions"],
  unchanged: ["0 revisions"],
};

/** An argument is not known yet, or its class leaves it open. */
function couldNotKnow({ preview, profile }: Update, { urn, reasons }: DeploymentReport): boolean {
  const step = preview.steps.find((each) => each.urn === urn && each.newState);
  const isOpen =
    profile === "contract" ? /^secret(s|References)\b/ : /^sourceConfig\.(install|build)Command$/;
  return (
    JSON.stringify(step?.newState?.inputs ?? {}).includes(UNKNOWN) ||
    reasons.some(({ path }) => isOpen.test(path))
  );
}

/** The provider says what the report says; in place, it may have nothing to say of what is never sent. */
function lineMisses(
  verdict: ReportVerdict,
  { line, verdict: said, notUnderstood }: HeardLines,
  isWritten: boolean,
) {
  const speaks =
    !["create", "delete", "unchanged"].includes(verdict) && (verdict !== "in-place" || isWritten);
  return [
    ...wrong(speaks && said !== verdict, `the report says ${verdict}, the line: ${line}`),
    ...wrong(
      !speaks && said !== undefined && said !== verdict,
      `the report says ${verdict}, the line: ${line}`,
    ),
    ...notUnderstood.map((each) => `not understood: ${each}`),
  ];
}

/** What becomes of the old one of a replacement, and of what is deleted. */
function oldMisses(
  { after }: Update,
  { id, fate, verdict }: DeploymentReport,
  { oldIsGone }: Happened,
  { line }: HeardLines,
): string[] {
  if (verdict !== "replace" && verdict !== "delete") return [];
  const happened = oldIsGone ? "deleted" : "retained";
  return [
    ...wrong(fate !== happened, `the report says of the old one: ${fate}, but it was ${happened} (${id})`),
    ...wrong(lineFate(line, happened) !== happened, `the line says "${line}", but it was ${happened}`),
    ...wrong(oldIsGone !== !after.deployments.has(id ?? ""), "unclear"),
  ];
}

/** A line that hedges is right either way. */
function lineFate(line: string | undefined, otherwise: string): string {
  if (line === undefined || / unless /.test(line)) return otherwise;
  if (/; the old one, id \S+, is deleted$/.test(line)) return "deleted";
  return /; the old one stays, id \S+$/.test(line) ? "retained" : otherwise;
}

/** Secrets that go without the program having had them, and counts that are not what happened. */
function secretMisses({ before, after }: Update, entry: DeploymentReport): string[] {
  const [was, is] = [before, after].map(({ deployments }) => deployments.get(entry.id ?? "")?.secrets);
  if (was === undefined || is === undefined || !isDrawn("foreign secrets")) return [];
  const isRemoved = was.some(({ name }) => name === FOREIGN) && !is.some(({ name }) => name === FOREIGN);
  return wrong(isRemoved && !JSON.stringify(entry).includes(FOREIGN), `${FOREIGN} was removed, unsaid`);
}

function listenerMisses({ before, after, lines }: Update, entry: ListenerReport): string[] {
  const now = after.ids.get(entry.urn);
  const { line } = lines.get(entry.urn) ?? NOTHING_HEARD;
  const isReplaced = entry.id !== null && now !== undefined && now !== entry.id;
  const happened =
    entry.id === null ? "create" : now === undefined ? "delete" : isReplaced ? "replace" : "same";
  const said = ["in-place", "unchanged"].includes(entry.verdict) ? "same" : entry.verdict;
  const isGone = entry.id !== null && before.listeners.has(entry.id) && !after.listeners.has(entry.id);
  const old = isGone ? "deleted" : "retained";
  const warned = entry.warnings.some((each) => /^the listener \S+ is deleted on the service$/.test(each));
  const isOver = happened === "replace" || happened === "delete";
  return [
    ...wrong(said !== happened, `the report says ${entry.verdict}, but: ${happened}`),
    ...wrong(
      isOver && warned !== isGone,
      `the report says of the old listener: ${entry.warnings.join(" | ")}, but it was ${old}`,
    ),
    ...wrong(isOver && lineFate(line, old) !== old, `the line says "${line}", but it was ${old}`),
  ];
}

/** Whatever changed on the service must be somewhere in the report. */
function unsaid({ before, after, report, byHand }: Update): Miss[] {
  const said = new Set(
    report.deployments.flatMap(({ id, urn, leftovers = [] }) => [
      id ?? "",
      after.ids.get(urn) ?? "",
      ...leftovers,
    ]),
  );
  const all = new Set([...before.deployments.keys(), ...after.deployments.keys()]);
  return [...all].flatMap((id) => {
    const [was, is] = [before, after].map(({ deployments }) => deployments.get(id));
    const isMoved =
      (is?.revisions.length ?? -1) !==
      (was?.revisions.length ?? -1) + (was === undefined ? 0 : (byHand.get(id) ?? 0));
    const name = String((is ?? was)?.name);
    return isMoved && !said.has(id)
      ? [{ name, words: `${id} changed on the service, and is in no report` }]
      : [];
  });
}
