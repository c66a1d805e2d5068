/** Waiting for many deployments at once: one listing of each service per round tells of all that run by now. */
import type { Clock } from "./client/retry";
import { plain } from "./describe";
import { type Follow, secondsBetween } from "./follow";
import type { Service } from "./service";

export interface Wait {
  readonly timeoutSeconds: number;
  readonly clock: Clock;
  /** Told with each change, and at the start. */
  readonly tell: (words: string) => Promise<void>;
}

const SHORTEST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** A pause is no longer than this part of what was waited: the end is seen that much late at most. */
const PART_OF_ELAPSED = 0.15;
/** Listings do not tell of failures. Nothing hinges on when these are seen, as the others are awaited all the same. */
const LOOKS_PER_ROUND = 10;
const LOOKS_AT_THE_END = 100;

/** Waits until each has ended or the time is over. Faults of the service's answers go through. */
export async function followAll(follows: readonly Follow[], wait: Wait): Promise<{ seconds: number }> {
  const { clock } = wait;
  const started = clock.now();
  const deadline = started + wait.timeoutSeconds * 1000;
  let told = "";
  for (;;) {
    const before = clock.now();
    await listAll(waiting(follows), clock);
    await lookAtDue(follows, wait, LOOKS_PER_ROUND);
    const seconds = secondsBetween(started, clock.now());
    const counts = describeCounts(follows);
    if (counts !== told && follows.length > 0) await wait.tell(progress(follows, seconds));
    told = counts;
    if (waiting(follows).length === 0) return { seconds };
    const now = clock.now();
    if (now >= deadline) return await lastLook(follows, wait, started);
    const pause = Math.max(SHORTEST_PAUSE_MS, (now - started) * PART_OF_ELAPSED, now - before);
    await clock.sleep(Math.min(pause, LONGEST_PAUSE_MS, deadline - now));
  }
}

function waiting(follows: readonly Follow[]): Follow[] {
  return follows.filter(({ end }) => end === "waiting");
}

async function listAll(follows: readonly Follow[], clock: Clock): Promise<void> {
  const byService = new Map<Service, Follow[]>();
  for (const follow of follows)
    byService.set(follow.service, [...(byService.get(follow.service) ?? []), follow]);
  await Promise.all([...byService].map(([service, own]) => listOne(service, own, clock)));
}

async function listOne(service: Service, follows: readonly Follow[], clock: Clock): Promise<void> {
  const found = await service.directory.current([...new Set(follows.map(({ id }) => id))]);
  for (const follow of follows) follow.sees(found.get(follow.id), clock.now());
}

async function lookAtDue(follows: readonly Follow[], wait: Wait, most: number): Promise<void> {
  const now = wait.clock.now();
  const due = waiting(follows)
    .filter(({ dueAt }) => dueAt <= now)
    .sort((one, other) => one.dueAt - other.dueAt)
    .slice(0, most);
  await Promise.all(due.map((follow) => look(follow, wait)));
}

async function look(follow: Follow, wait: Wait): Promise<void> {
  const followed = await follow.look(wait.clock.now());
  if (followed !== undefined) await wait.tell(`${plain(follow.name)}: ${followed}`);
}

/** How far those have come that are still waited for; that this is not to be learnt must not hide the time-out. */
async function lastLook(
  follows: readonly Follow[],
  wait: Wait,
  started: number,
): Promise<{ seconds: number }> {
  const seconds = secondsBetween(started, wait.clock.now());
  const looked = waiting(follows).slice(0, LOOKS_AT_THE_END);
  await Promise.allSettled(looked.map((follow) => look(follow, wait)));
  return { seconds };
}

function progress(follows: readonly Follow[], seconds: number): string {
  return `${countOf(follows, "deployed")} of ${follows.length} deployed after ${seconds} s (${describeCounts(follows)})`;
}

/** `63 waiting, 2 failed`, which changes whenever one of them ends. */
function describeCounts(follows: readonly Follow[]): string {
  const failed = countOf(follows, "failed");
  return `${countOf(follows, "waiting")} waiting${failed > 0 ? `, ${failed} failed` : ""}`;
}

export function countOf(follows: readonly Follow[], end: Follow["end"]): number {
  return follows.filter((follow) => follow.end === end).length;
}
