/** Waits for many deployments at once, and describes how far they have come and what failed. */
import { escapeControls } from "../fields/words";
import type { Follow } from "../waiting/follow";
import { type Poller, setFault } from "../waiting/poller";
import type { StatusLog } from "../waiting/statusLog";

/** A deployment of a rollout. */
export interface Member {
  /** In the program. */
  readonly name: string;
  readonly follow: Follow;
  readonly poller: Poller;
}

/** How many have ended so, or are still waited for. */
export function countOf(members: readonly Member[], end: Follow["end"]): number {
  return members.filter(({ follow }) => follow.end === end).length;
}

/** Waits until each has ended or the time is over. Reports the counts at the start and at each change. */
export async function followAll(
  members: readonly Member[],
  log: StatusLog,
  tell: (words: string) => Promise<void>,
): Promise<void> {
  const seen = async () => {
    const counts = describeCounts(members);
    const deployed = `${countOf(members, "deployed")} of ${members.length} deployed`;
    if (log.changed(counts)) await tell(`${deployed} after ${log.total()} s (${counts})`);
  };
  const pollers = [...new Set(members.map(({ poller }) => poller))];
  const watches = pollers.map((own) => {
    const follows = members.filter(({ poller }) => poller === own).map(({ follow }) => follow);
    return own.watch(follows, seen);
  });
  try {
    await Promise.all(watches);
  } catch (fault) {
    // Those on other services are not waited for any longer either.
    const follows = members.map(({ follow }) => follow);
    setFault(follows, fault);
    for (const own of pollers) own.wake();
    throw fault;
  }
}

/** `63 waiting, 2 failed`, which changes whenever one of them ends. */
function describeCounts(members: readonly Member[]): string {
  const failed = countOf(members, "failed");
  return `${countOf(members, "waiting")} waiting${failed > 0 ? `, ${failed} failed` : ""}`;
}

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
      escapeControls(name),
      revisionId ?? "none yet",
      escapeControls(status ?? "unknown"),
      String(seconds),
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...cells.map((line) => (line[column] as string).length)),
  );
  const padded = (line: string[]) => line.map((cell, column) => cell.padEnd(widths[column] as number));
  return cells.map((line) => `  ${padded(line).join("  ")}`.trimEnd()).join("\n");
}
