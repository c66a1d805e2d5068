/** Which slots a preview or a report refuses, and which ones fail in an up. */
import type { Report } from "../../sdk/report/model";
import type { Preview } from "../../sdk/report/read/preview";

/** The number in the name of what a slot declares; -1 for none. */
export const slotOf = (name: string): number =>
  Number(/^(?:agents-)?(?:[a-z]+-)?(\d+)/.exec(name)?.[1] ?? -1);

const slotsAt = (urns: readonly string[]): number[] =>
  urns.map((urn) => slotOf(urn.split("::").at(-1) as string)).filter((index) => index >= 0);

/** The slots whose plan is refused: by the preview that fails, or by the report. */
export function refusedIn(preview: Preview, report: Report): number[] {
  const failing = preview.diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ urn = "" }) => urn);
  const refusals = (report as { refusals?: readonly string[] }).refusals ?? [];
  const named = [
    ...[report.failure, ...refusals].join("\n").matchAll(/"([a-z]+-\d+[^"]*)"|::([a-z]+-\d+\S*)/g),
  ];
  const fated = [
    ...report.deployments.filter(({ fate }) => fate === "refused"),
    ...report.listeners.filter(isRefused),
  ];
  const names = [...named.map(([, label, end]) => label ?? end ?? ""), ...fated.map(({ name }) => name)];
  return [...slotsAt(failing), ...names.map(slotOf).filter((index) => index >= 0)];
}

const isRefused = ({ warnings }: Report["listeners"][number]): boolean =>
  warnings.some((each) => each.includes("the up will refuse this"));

/** The slots of which an up says that something failed. */
export function failedIn(events: string): Set<number> {
  const each = events
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
  const urns = each.flatMap(({ resOpFailedEvent, diagnosticEvent }) => [
    resOpFailedEvent?.metadata.urn ?? "",
    diagnosticEvent?.severity === "error" ? (diagnosticEvent.urn ?? "") : "",
  ]);
  return new Set(slotsAt(urns));
}

/** The lines of a command's output that say why it failed. */
export const errorsIn = (text: string): string =>
  text
    .split("\n")
    .filter((line) => /error:|refus/.test(line))
    .join("\n");
