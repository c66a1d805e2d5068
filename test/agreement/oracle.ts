/**
 * Compares the plan line, the report and the result with what the service saw, and returns a sentence for each
 * difference.
 */
import { UNKNOWN } from "../../provider/schema/value";
import type { DeploymentState } from "../../sdk/emulator/index";
import {
  type DeploymentReport,
  type Report,
  type ReportVerdict,
  type Result,
  UNKNOWN_VALUE,
} from "../../sdk/report/model";
import { NO_LINES, type ProviderLines, saidIn } from "../../sdk/report/read/lines";
import type { Preview } from "../../sdk/report/read/preview";
import { listenerMisses } from "./listenerOracle";
import type { ProfileName } from "./values";

/** The deployments and listeners on the service, and the ids in the state, by URN. */
export interface Seen {
  readonly deployments: ReadonlyMap<string, DeploymentState>;
  /** The listeners' configurations as JSON, by id. */
  readonly listeners: ReadonlyMap<string, string>;
  readonly ids: ReadonlyMap<string, string>;
}

export interface Update {
  readonly profile: ProfileName;
  readonly preview: Preview;
  readonly report: Report;
  readonly result: Result;
  readonly lines: ReadonlyMap<string, ProviderLines>;
  /** The contents of the service and the state right before `pulumi up`, with all changes from outside the program. */
  readonly before: Seen;
  readonly after: Seen;
  /** The ids of the deployments that received a write. */
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
  // The provider's settings are unknown before the apply, so the report says that the deployment was not planned.
  if (entry.notUnderstood?.some((words) => words.startsWith("settings of its provider"))) return [];
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
      `the result says ${outcome?.predicted}, ${outcome?.happened}: right ${outcome?.right} (${outcome?.differences?.join(" | ")})`,
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

function happenedTo({ before, after }: Update, entry: DeploymentReport): Happened {
  const { urn, verdict } = entry;
  const now = after.ids.get(urn);
  const isThere = now !== undefined && after.deployments.has(now);
  // The plan does not know which deployment this creation adopts.
  const isAdopted = entry.id === null && now !== undefined && before.deployments.has(now);
  const id = isAdopted ? now : entry.id;
  const oldIsGone = id !== null && !after.deployments.has(id);
  if (id === null) return { what: isThere ? "created" : "nothing", oldIsGone };
  if (verdict === "delete" || now === undefined) {
    const isForgotten = isTakenOver(entry) || ![...after.ids.values()].includes(id);
    return { what: oldIsGone ? "gone" : isForgotten ? "left" : "nothing", oldIsGone };
  }
  if (now !== id) return { what: isThere ? "another" : "nothing", oldIsGone };
  const [was, is] = [before, after].map(({ deployments }) => deployments.get(id)?.revisions.length);
  if (is === undefined || was === undefined) return { what: "gone", oldIsGone };
  return { what: `${is - was} revisions`, oldIsGone };
}

/** Whether the report says that a different resource takes over this removed resource's deployment. */
const isTakenOver = ({ fate, warnings }: DeploymentReport): boolean =>
  fate === "retained" && warnings.some((each) => each.endsWith(" takes it over"));

const RIGHT: { readonly [verdict in ReportVerdict]: readonly What[] } = {
  create: ["created"],
  replace: ["another"],
  delete: ["gone", "left"],
  "new-revision": ["1 revisions"],
  "may-create-revision": ["0 revisions", "1 revisions"],
  "in-place": ["0 revisions"],
  unchanged: ["0 revisions"],
};

/**
 * The outcomes that make a prediction right. The prediction "may be replaced" is right whether or not the deployment is
 * replaced.
 */
function fulfilling(entry: DeploymentReport): readonly What[] {
  const { verdict, id } = entry;
  const otherwise = otherwiseIn(entry);
  // A creation that may adopt an existing deployment may also find no deployment to adopt.
  if (id === null && verdict === "may-create-revision") return ["created", ...RIGHT[verdict]];
  return otherwise === undefined ? RIGHT[verdict] : ["another", ...RIGHT[otherwise]];
}

const otherwiseIn = (entry: DeploymentReport) => (entry as { otherwise?: ReportVerdict }).otherwise;

/** Whether the engine planned the deployment without asking the provider. */
export const isUnplanned = ({ notUnderstood = [] }: DeploymentReport): boolean =>
  notUnderstood.some((each) => each.startsWith("settings of its provider are not known"));

/**
 * Whether the plan left the outcome open, because an argument is unknown, or because the class of a changed argument
 * does not decide the effect.
 */
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

/** Whether the engine, not the provider, replaces the deployment: by force, or because a dependency is replaced. */
const isReplacedAnyway = ({ preview }: Update, { urn, verdict }: DeploymentReport): boolean =>
  verdict === "replace" &&
  preview.steps.some(
    ({ urn: of, op, replaceReasons }) =>
      of === urn && op === "replace" && ["", "id"].includes(String(replaceReasons ?? "")),
  );

/** Checks that the plan line matches the report. An update in place that sends nothing needs no line. */
function lineMisses(
  verdict: ReportVerdict,
  { line, verdict: said, notUnderstood }: ProviderLines,
  isWritten: boolean,
) {
  const adopted = line?.replace(/^takes over the existing \w+ \S+; (it )?/, "");
  const verdictSaid = said ?? (adopted === line ? undefined : saidIn(adopted ?? "")?.verdict);
  const speaks =
    !["create", "delete", "unchanged"].includes(verdict) && (verdict !== "in-place" || isWritten);
  // Before a forced replacement, the engine deletes the resources that depend on the replaced resource. Their plan
  // lines say only "may be replaced", because the provider sees only a value that may change.
  if (verdict === "replace" && line?.startsWith("may be replaced")) return [];
  return [
    ...wrong(speaks && verdictSaid !== verdict, `the report says ${verdict}, the line: ${line}`),
    ...wrong(
      !speaks && verdictSaid !== undefined && verdictSaid !== verdict,
      `the report says ${verdict}, the line: ${line}`,
    ),
    ...notUnderstood.map((each) => `not understood: ${each}`),
  ];
}

/** Matches a miss in which the report says that a replaced resource is deleted, but the service kept the resource. */
export const OLD_ONE_STAYS =
  /the report says of the old (one: deleted, but|listener: .*is deleted on the service.* but) it was retained/;

/** Checks what became of a deployment that was replaced or deleted. */
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

/** Matches the words that end a plan line if the provider cannot see every option of the resource. */
const HEDGE = / unless an option keeps it/;

/**
 * Returns the fate of a replaced deployment according to the plan line, or `otherwise` if the line leaves the fate
 * open.
 */
export function lineFate(line: string | undefined, otherwise: string): string {
  if (line === undefined || HEDGE.test(line)) return otherwise;
  if (/; the old one, id \S+, is deleted$/.test(line)) return "deleted";
  return /; the old one stays, id \S+$/.test(line) ? "retained" : otherwise;
}

/** A sentence for each added or removed secret that the report does not mention. */
function secretMisses({ before, after }: Update, entry: DeploymentReport): string[] {
  const { id, secrets, reasons } = entry;
  const [was, is] = [before, after].map(({ deployments }) => namesIn(deployments.get(id ?? "")));
  if (was === undefined || is === undefined || isUnknownAsAWhole(entry)) return [];
  const plain = reasons.flatMap(({ path }) => (path.startsWith("environment.") ? [path.slice(12)] : []));
  const reported = [...secrets.added, ...secrets.changed, ...plain];
  const removed = was.filter((name) => !is.includes(name) && !isSaidToGo(name, entry));
  const added = is.filter((name) => !was.includes(name) && name !== "KEY" && !reported.includes(name));
  return [
    ...removed.map((name) => `the secret ${name} was removed, unsaid`),
    ...added.map((name) => `the secret ${name} was added, unsaid`),
  ];
}

/**
 * Whether the report is allowed to leave out the names of the secrets. A generated class takes the map of secrets as a
 * whole, so one unknown value hides all names in the map; only the provider's check then sees the names.
 */
const isUnknownAsAWhole = (entry: DeploymentReport): boolean =>
  (isUnplanned(entry) && entry.warnings.some((warning) => warning.endsWith("its secrets are not shown"))) ||
  entry.reasons.some(({ path, after }) => /^(secrets|environment)$/.test(path) && after === UNKNOWN_VALUE);

const namesIn = (deployment: DeploymentState | undefined) => deployment?.secrets.map(({ name }) => name);

const isSaidToGo = (name: string, { secrets, warnings, reasons }: DeploymentReport): boolean =>
  secrets.removed.includes(name) || JSON.stringify([warnings, reasons]).includes(name);

/** A miss for each deployment that has changed revisions on the service, but no entry in the report. */
function unsaid({ before, after, report }: Update): Miss[] {
  const reportedIds = new Set(
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
    return isMoved && !reportedIds.has(id)
      ? [{ name, words: `${id} changed on the service, and is in no report` }]
      : [];
  });
}
