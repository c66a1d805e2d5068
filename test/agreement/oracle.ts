/** Compares line, report and result with what the service saw: a sentence for each difference. */
import { UNKNOWN } from "../../provider/fields/value";
import type { DeploymentState } from "../../sdk/emulator/index";
import {
  type DeploymentReport,
  type Report,
  type ReportVerdict,
  type Result,
  UNKNOWN_VALUE,
} from "../../sdk/report/model";
import { NO_LINES, type ProviderLines } from "../../sdk/report/read/heard";
import type { Preview } from "../../sdk/report/read/preview";
import { FOREIGN } from "./hands";
import { listenerMisses } from "./listenerOracle";
import type { ProfileName } from "./values";

/** The deployments on the service, and their records in the state. */
export interface Seen {
  readonly deployments: ReadonlyMap<string, DeploymentState>;
  /** The configurations of the deployments, by id. */
  readonly listeners: ReadonlyMap<string, string>;
  readonly ids: ReadonlyMap<string, string>;
}

export interface Update {
  readonly profile: ProfileName;
  readonly preview: Preview;
  readonly report: Report;
  readonly result: Result;
  readonly lines: ReadonlyMap<string, ProviderLines>;
  /** The configurations directly before the up, after other people's changes. */
  readonly before: Seen;
  readonly after: Seen;
  /** Ids of deployments that had another person's secret at their last refresh. */
  readonly foreign: ReadonlySet<string>;
  /** Ids of deployments that received a write. */
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
  const line = update.lines.get(entry.urn) ?? NO_LINES;
  return [
    ...wrong(
      !fulfilling(entry).includes(happened.what),
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
      (entry.verdict === "may-create-revision" || otherwiseIn(entry) !== undefined) &&
        !couldNotKnow(update, entry),
      `the line says "may" although the outcome was certain: ${line.line}`,
    ),
    ...wrong(
      entry.verdict === "unchanged" && update.written.has(entry.id ?? ""),
      "unchanged, but it was written to",
    ),
    ...((isReplacedAnyway(update, entry) || isUnplanned(entry)) && line.line === undefined
      ? []
      : lineMisses(entry.verdict, line, update.written.has(entry.id ?? ""))),
    ...oldMisses(update, entry, happened, line),
    ...secretMisses(update, entry),
  ];
}

export const wrong = (is: boolean, words: string): string[] => (is ? [words] : []);

type What = "created" | "another" | "gone" | "left" | "nothing" | `${number} revisions`;

interface Happened {
  readonly what: What;
  /** Whether the service has deleted the old deployment. */
  readonly oldIsGone: boolean;
}

function happenedTo({ before, after }: Update, { urn, id, verdict }: DeploymentReport): Happened {
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
  return { what: `${is.revisions.length - was.revisions.length} revisions`, oldIsGone };
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

/** The outcomes that fulfill a prediction. A possible replacement has the outcomes of both cases. */
function fulfilling(entry: DeploymentReport): readonly What[] {
  const { verdict } = entry;
  const otherwise = otherwiseIn(entry);
  return otherwise === undefined ? RIGHT[verdict] : ["another", ...RIGHT[otherwise]];
}

const otherwiseIn = (entry: DeploymentReport) => (entry as { otherwise?: ReportVerdict }).otherwise;

/** Whether the engine decided without asking the provider. */
export const isUnplanned = ({ notUnderstood = [] }: DeploymentReport): boolean =>
  notUnderstood.some((each) => each.startsWith("settings of its provider are not known"));

/** Whether the plan could not know: an argument is unknown, or its class leaves the effect open. */
function couldNotKnow({ preview, profile }: Update, entry: DeploymentReport): boolean {
  const { urn, reasons } = entry;
  const step = preview.steps.find((each) => each.urn === urn && each.newState);
  const isOpen =
    profile === "contract"
      ? /^(secrets|secretReferences|environment)\b/
      : /^sourceConfig\.(install|build)Command$/;
  return (
    isUnplanned(entry) ||
    JSON.stringify(step?.newState?.inputs ?? {}).includes(UNKNOWN) ||
    reasons.some(({ path }) => isOpen.test(path))
  );
}

/** Whether the engine replaces it along with a dependency, or by force, without asking the provider. */
const isReplacedAnyway = ({ preview }: Update, { urn, verdict }: DeploymentReport): boolean =>
  verdict === "replace" &&
  preview.steps.every(
    ({ urn: of, replaceReasons }) => of !== urn || ["", "id"].includes(String(replaceReasons ?? "")),
  );

/** The provider's line must match the report; for changes in place that are never sent, it may be missing. */
function lineMisses(
  verdict: ReportVerdict,
  { line, verdict: said, notUnderstood }: ProviderLines,
  isWritten: boolean,
) {
  const speaks =
    !["create", "delete", "unchanged"].includes(verdict) && (verdict !== "in-place" || isWritten);
  // The engine deletes first what depends on a forced replacement. The provider only knows that a value may change.
  if (verdict === "replace" && line?.startsWith("may be replaced")) return [];
  return [
    ...wrong(speaks && said !== verdict, `the report says ${verdict}, the line: ${line}`),
    ...wrong(
      !speaks && said !== undefined && said !== verdict,
      `the report says ${verdict}, the line: ${line}`,
    ),
    ...notUnderstood.map((each) => `not understood: ${each}`),
  ];
}

/** The part of a miss that says that a replaced deployment should have been deleted. */
export const OLD_ONE_STAYS = "the report says of the old one: deleted, but it was retained";

/** Checks the fate of a replaced deployment and of a deleted one. */
function oldMisses(
  { preview }: Update,
  { id, urn, fate, verdict }: DeploymentReport,
  { what, oldIsGone }: Happened,
  { line }: ProviderLines,
): string[] {
  if (what !== "another" && verdict !== "delete") return [];
  const happened = oldIsGone ? "deleted" : "retained";
  const knew = preview.steps.some((each) => each.urn === urn && each.oldState?.inputs?.__retained === true);
  return [
    ...wrong(fate !== happened, `the report says of the old one: ${fate}, but it was ${happened} (${id})`),
    ...wrong(lineFate(line, happened) !== happened, `the line says "${line}", but it was ${happened}`),
    ...wrong(knew && HEDGE.test(line ?? ""), `the line hedges where its own options tell: "${line}"`),
  ];
}

/** The words that a line adds if the provider cannot see every option. */
const HEDGE = / unless an option keeps it/;

/** A line that leaves open whether the deployment is replaced is right either way. */
export function lineFate(line: string | undefined, otherwise: string): string {
  if (line === undefined || HEDGE.test(line)) return otherwise;
  if (/; the old one, id \S+, is deleted$/.test(line)) return "deleted";
  return /; the old one stays, id \S+$/.test(line) ? "retained" : otherwise;
}

/** Names of secrets that are added or removed although the report does not say so. */
function secretMisses({ before, after, foreign }: Update, entry: DeploymentReport): string[] {
  const { id, secrets, reasons } = entry;
  const [was, is] = [before, after].map(({ deployments }) => namesIn(deployments.get(id ?? "")));
  if (was === undefined || is === undefined || isUnknownAsAWhole(entry)) return [];
  const plain = reasons.flatMap(({ path }) => (path.startsWith("environment.") ? [path.slice(12)] : []));
  const said = [...secrets.added, ...secrets.changed, ...plain];
  const isForeign = (name: string) => name === FOREIGN && !foreign.has(id ?? "");
  const gone = was.filter((name) => !is.includes(name) && !isForeign(name) && !isSaidToGo(name, entry));
  const come = is.filter((name) => !was.includes(name) && name !== "KEY" && !said.includes(name));
  return [
    ...gone.map((name) => `the secret ${name} was removed, unsaid`),
    ...come.map((name) => `the secret ${name} was added, unsaid`),
  ];
}

/**
 * The generated classes take a map of secrets as a whole: one unknown value makes its names unknown too, and only the
 * provider's own check shows them one by one.
 */
const isUnknownAsAWhole = (entry: DeploymentReport): boolean =>
  (isUnplanned(entry) && entry.warnings.some((warning) => warning.endsWith("its secrets are not shown"))) ||
  entry.reasons.some(({ path, after }) => /^(secrets|environment)$/.test(path) && after === UNKNOWN_VALUE);

const namesIn = (deployment: DeploymentState | undefined) => deployment?.secrets.map(({ name }) => name);

const isSaidToGo = (name: string, { secrets, warnings, reasons }: DeploymentReport): boolean =>
  secrets.removed.includes(name) || JSON.stringify([warnings, reasons]).includes(name);

/** Every change on the service must be somewhere in the report. */
function unsaid({ before, after, report }: Update): Miss[] {
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
    const isMoved = is?.revisions.length !== was?.revisions.length;
    const name = String((is ?? was)?.name);
    return isMoved && !said.has(id)
      ? [{ name, words: `${id} changed on the service, and is in no report` }]
      : [];
  });
}
