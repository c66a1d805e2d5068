/** Waits for many deployments at once, and describes their progress and failures. */
import { escapeControls } from "../fields/words";
import type { Follow } from "../waiting/follow";
import { type Poller, setFault } from "../waiting/poller";
import type { StatusLog } from "../waiting/statusLog";

/** A deployment of a rollout. */
export interface Member {
  /** The deployment's name in the program. */
  readonly name: string;
  readonly follow: Follow;
  readonly poller: Poller;
}

/** The command that makes failed revisions again: their deployments did not wait, so their states lack the failure. */
export const REMAKING = "pulumi up --refresh";

/** Number of members that ended this way; `waiting`: that have not ended. */
export function countOf(members: readonly Member[], end: Follow["end"]): number {
  return members.filter(({ follow }) => follow.end === end).length;
}

/** Waits until each member has ended or the time is over. Reports the counts at the start and at each change. */
export async function followAll(
  members: readonly Member[],
  log: StatusLog,
  tell: (words: string) => Promise<void>,
): Promise<void> {
  const report = async () => {
    const counts = describeCounts(members);
    const progress = `${countOf(members, "deployed")} of ${members.length} deployed`;
    if (log.changed(counts)) await tell(`${progress} after ${log.total()} s (${counts})`);
  };
  const pollers = [...new Set(members.map(({ poller }) => poller))];
  const watches = pollers.map((each) => {
    const follows = members.filter(({ poller }) => poller === each).map(({ follow }) => follow);
    return each.watch(follows, report);
  });
  try {
    await Promise.all(watches);
  } catch (fault) {
    // Also stop waiting for members on other services.
    const follows = members.map(({ follow }) => follow);
    setFault(follows, fault);
    for (const each of pollers) each.wake();
    throw fault;
  }
}

/** `63 waiting, 2 failed`: changes whenever a member ends. */
function describeCounts(members: readonly Member[]): string {
  const failures = countOf(members, "failed");
  return `${countOf(members, "waiting")} waiting${failures > 0 ? `, ${failures} failed` : ""}`;
}

/** How many members failed or are late, what to do, and a table of all that are not deployed. */
export function describeFailure(members: readonly Member[], seconds: number): string {
  const [running, failures, pending] = [
    countOf(members, "deployed"),
    countOf(members, "failed"),
    countOf(members, "waiting"),
  ];
  const ends = [
    ...(failures > 0 ? [`${failures} of ${members.length} failed`] : []),
    ...(pending > 0 ? [`${pending} of ${members.length} were not deployed in time`] : []),
  ];
  const next =
    failures > 0 ? `To make the failed revisions again, run \`${REMAKING}\`` : "The next up waits again";
  const bad = members.filter(({ follow }) => follow.end !== "deployed");
  return `${ends.join(", ")} after ${seconds} s; ${running} deployed. ${next}\n${tableOf(bad)}${reasonsOf(bad)}`;
}

function reasonsOf(members: readonly Member[]): string {
  const lines = members.flatMap(({ name, follow: { reason } }) =>
    reason === undefined ? [] : [`\n  ${escapeControls(name)}: ${reason}`],
  );
  return lines.length === 0 ? "" : `\nThe service says:${lines.join("")}`;
}

/** A table with one line per member. */
function tableOf(members: readonly Member[]): string {
  const cells = [
    ["deployment", "revision", "status", "seconds", "goes on serving"],
    ...members.map(({ name, follow: { revisionId, status, seconds, servingId } }) => [
      escapeControls(name),
      revisionId ?? "none yet",
      escapeControls(status ?? "unknown"),
      String(seconds),
      servingId ?? "none",
    ]),
  ];
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...cells.map((line) => (line[column] as string).length)),
  );
  const padded = (line: string[]) => line.map((cell, column) => cell.padEnd(widths[column] as number));
  return cells.map((line) => `  ${padded(line).join("  ")}`.trimEnd()).join("\n");
}
