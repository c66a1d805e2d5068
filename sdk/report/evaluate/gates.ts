/** Gates: kinds of changes on which the command fails, unless the user allows the resource. */
import { settingName } from "../../../provider/schema/naming";
import { escapeControls } from "../../../provider/schema/words";
import { isDeployment, type Report, type ResourceReport, resourcesIn } from "../model";
import { labelIn } from "../read/lines";
import { cut, valueText } from "../valueText";
import { type Changed, hiddenChange } from "./reasons";

export const GATES = ["new-revision", "replace", "may", "delete", "previous-failure"] as const;
export type Gate = (typeof GATES)[number];

interface GateOptions {
  readonly failOn: readonly Gate[];
  /** Names in the program, or URNs, of allowed resources. A name that several resources share allows no resource. */
  readonly allow: readonly string[];
}

const OFFENDS: { readonly [gate in Gate]: (report: ResourceReport) => boolean } = {
  "new-revision": ({ verdict }) => verdict === "new-revision",
  // A possible replacement also fails the gate, because the preview cannot rule the replacement out.
  replace: ({ verdict, otherwise }) => verdict === "replace" || otherwise !== undefined,
  // A listener never has the verdict `may-create-revision`, so a line that is not understood also fails the gate.
  may: (report) =>
    report.verdict === "may-create-revision" ||
    report.otherwise !== undefined ||
    report.notUnderstood !== undefined,
  // A replacement that deletes the old resource also fails the gate `delete`.
  delete: (report) =>
    report.verdict === "delete" || report.fate === "deleted" || leftoversOf(report).length > 0,
  "previous-failure": (report) => isDeployment(report) && report.previousFailure,
};

/**
 * The title for revisions that the stack's configuration forbids. No option of the command allows a forbidden revision.
 */
const FORBIDDEN = `${settingName("newRevisions")} is "forbid" in the stack's configuration, which the engine does not pass to providers that the program declares`;

/** Ids of the old deployments that earlier replacements left behind, and that this update deletes. */
export const leftoversOf = (report: ResourceReport): readonly string[] =>
  (isDeployment(report) && report.leftovers) || [];

/** One line per failed gate, followed by a line per offender with the reason. */
export function offencesIn(reports: readonly Report[], { failOn, allow }: GateOptions): string[] {
  const isForbidden = (each: ResourceReport) => isDeployment(each) && each.forbidden === true;
  return [
    ...failOn.flatMap((gate) => offendersIn(reports, `--fail-on ${gate}`, gate, OFFENDS[gate], allow)),
    ...offendersIn(reports, FORBIDDEN, "new-revision", isForbidden, []),
  ];
}

function offendersIn(
  reports: readonly Report[],
  title: string,
  gate: Gate,
  offends: (report: ResourceReport) => boolean,
  allow: readonly string[],
): string[] {
  const stackPrefix = ({ stack }: Report) => (reports.length > 1 ? `${escapeControls(stack)}: ` : "");
  const offenders = reports.flatMap((report) => {
    const allowed = allowedIn(report, allow);
    return resourcesIn(report)
      .filter((each) => offends(each) && !allowed.has(each.urn))
      .map((each) => `  ${stackPrefix(report)}${labelIn(each.urn)}: ${whyOf(gate, each)}`);
  });
  const count = `${offenders.length} ${offenders.length === 1 ? "offender" : "offenders"}`;
  return offenders.length === 0 ? [] : [`${title}: ${count}`, ...offenders];
}

function allowedIn(report: Report, allow: readonly string[]): ReadonlySet<string> {
  const urns = allow.flatMap((name) => {
    const namesakes = resourcesIn(report).filter((each) => each.name === name);
    return namesakes.length === 1 ? namesakes.map(({ urn }) => urn) : [];
  });
  return new Set([...allow, ...urns]);
}

/** Why the resource fails the gate: its reasons, or its warnings if the verdict does not show the fault. */
function whyOf(gate: Gate, { reasons, warnings, verdict, notUnderstood }: ResourceReport): string {
  const isWarned =
    gate === "delete" || gate === "previous-failure" || (gate === "may" && notUnderstood !== undefined);
  const [reasonWords, warningWords] = [reasons.map(reasonText), warnings.map(escapeControls)];
  const [first, second] = isWarned ? [warningWords, reasonWords] : [reasonWords, warningWords];
  return (first.length > 0 ? first : second).join("; ") || verdict;
}

const LONGEST = 80;

/** A reason in words, such as `secrets.KEY changed` or `sourceRevisionConfig.imageUri chat:1 -> chat:2`. */
export const reasonText = (change: Changed): string =>
  `${escapeControls(change.path)} ${changeWords(change)}`;

/** The change of a value in words, such as `chat:1 -> chat:2`. Hidden values are left out. */
export const changeWords = (change: Changed): string =>
  hiddenChange(change) ?? `${sideText(change.before)} -> ${sideText(change.after)}`;

const sideText = (value: unknown): string => cut(escapeControls(valueText(value)), LONGEST);
