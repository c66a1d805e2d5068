/**
 * Compares a listener's report and plan line with the listener on the service, and returns a sentence for each
 * difference.
 */
import type { ListenerReport } from "../../sdk/report/model";
import { NO_LINES } from "../../sdk/report/read/lines";
import { lineFate, type Update, wrong } from "./oracle";

export function listenerMisses({ before, after, lines, result }: Update, entry: ListenerReport): string[] {
  const now = after.ids.get(entry.urn);
  const { line } = lines.get(entry.urn) ?? NO_LINES;
  const isReplaced = entry.id !== null && now !== undefined && now !== entry.id;
  const happened =
    entry.id === null ? "create" : now === undefined ? "delete" : isReplaced ? "replace" : "same";
  const said = ["in-place", "unchanged"].includes(entry.verdict) ? "same" : entry.verdict;
  const isGone = entry.id !== null && before.listeners.has(entry.id) && !after.listeners.has(entry.id);
  const old = isGone ? "deleted" : "retained";
  const warned = entry.warnings.some((each) => /^the listener \S+ is deleted on the service/.test(each));
  const isOver = happened === "replace" || happened === "delete";
  const [was, is] = [before, after].map(({ listeners }) => listeners.get(entry.id ?? ""));
  const isSaid = /k8sNamespaces/.test(JSON.stringify([entry.reasons, entry.warnings]));
  const { differences = [] } = result.outcomes.find(({ urn }) => urn === entry.urn) ?? {};
  return [
    ...wrong(differences.length > 0, `the result says: ${differences.join(" | ")}`),
    ...wrong(!isOver && was !== is && !isSaid, `it changed without a word: ${was}, ${is}`),
    ...wrong(!isOver && was === is && isSaid, `it is said to change, and stays: ${is}`),
    ...wrong(said !== happened, `the report says ${entry.verdict}, but: ${happened}`),
    ...wrong(
      isOver && warned !== isGone,
      `the report says of the old listener: ${entry.warnings.join(" | ")}, but it was ${old}`,
    ),
    ...wrong(isOver && lineFate(line, old) !== old, `the line says "${line}", but it was ${old}`),
  ];
}
