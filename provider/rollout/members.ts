/** Waiting for many deployments at once, and telling how far they have come. */
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

/** Until each has ended or the time is over. Tells how it stands at the start, and each change. */
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
