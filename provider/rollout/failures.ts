/** What is said of a wait for many deployments that did not end well. */
import { plain } from "../fields/words";
import { countOf, type Member } from "./members";

/** How many failed, how the others ended, what to do, and a table of all that do not run. */
export function describeFailure(members: readonly Member[], seconds: number): string {
  const [deployed, failed, waiting] = [
    countOf(members, "deployed"),
    countOf(members, "failed"),
    countOf(members, "waiting"),
  ];
  const ended = [
    ...(failed > 0 ? [`${failed} of ${members.length} failed`] : []),
    ...(waiting > 0 ? [`${waiting} of ${members.length} were not deployed in time`] : []),
  ];
  const next =
    failed > 0
      ? "To make the failed revisions again, run `pulumi refresh`, then up"
      : "The next up waits again";
  const bad = members.filter(({ follow }) => follow.end !== "deployed");
  return `${ended.join(", ")} after ${seconds} s; ${deployed} deployed. ${next}\n${tableOf(bad)}`;
}

/** One line each, in columns. */
function tableOf(members: readonly Member[]): string {
  const cells = [
    ["deployment", "revision", "status", "seconds"],
    ...members.map(({ name, follow: { revisionId, status, seconds } }) => [
      plain(name),
      revisionId ?? "none yet",
      plain(status ?? "unknown"),
      String(seconds),
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...cells.map((line) => (line[column] as string).length)),
  );
  return cells
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] as number))
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `  ${line}`)
    .join("\n");
}
