/** What is said of a wait for many deployments that did not end well. */
import { plain } from "./describe";
import type { Follow } from "./follow";
import { countOf } from "./poller";

/** How many failed, how the others ended, what to do, and a table of all that do not run. */
export function describeFailure(follows: readonly Follow[], seconds: number): string {
  const [deployed, failed, waiting] = [
    countOf(follows, "deployed"),
    countOf(follows, "failed"),
    countOf(follows, "waiting"),
  ];
  const ended = [
    ...(failed > 0 ? [`${failed} of ${follows.length} failed`] : []),
    ...(waiting > 0 ? [`${waiting} of ${follows.length} were not deployed in time`] : []),
  ];
  const next =
    failed > 0
      ? "To make the failed revisions again, run `pulumi refresh`, then up"
      : "The next up waits again";
  const bad = follows.filter(({ end }) => end !== "deployed");
  return `${ended.join(", ")} after ${seconds} s; ${deployed} deployed. ${next}\n${tableOf(bad)}`;
}

/** One line each, in columns. */
function tableOf(follows: readonly Follow[]): string {
  const cells = [
    ["deployment", "revision", "status", "seconds"],
    ...follows.map(({ name, revisionId, status, seconds }) => [
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
