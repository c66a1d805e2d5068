/** Polls a service for all waits on it together, up to their deadlines. */
import { alarmOf, type Clock } from "../client/clock";
import type { Endpoints } from "../client/endpoints";
import { LARGEST_PAGE } from "../client/paging";
import type { Properties } from "../fields/value";
import type { Follow, WaitContext } from "./follow";
import { Pace } from "./pace";

/** Maximum number of revisions that a round reads, most overdue first. The listing alone does not show failures. */
const LOOKS_PER_ROUND = 10;
const LOOKS_AT_THE_END = 100;

/**
 * Lists the deployments with these ids as they are now. An error in place of a deployment means that it is unknown
 * whether the deployment exists.
 */
interface Listings {
  current(ids: readonly string[]): Promise<ReadonlyMap<string, Properties | Error | undefined>>;
}

interface Watch {
  readonly follows: readonly Follow[];
  readonly tell: () => Promise<void>;
  readonly end: () => void;
  readonly fail: (fault: unknown) => void;
}

export class Poller implements WaitContext {
  readonly pace = new Pace();
  readonly endpoints: Endpoints;
  readonly clock: Clock;
  readonly #listings: Listings;
  readonly #watches = new Set<Watch>();
  #isPolling = false;
  /** Ends the pause early. */
  #waking = new AbortController();

  constructor(endpoints: Endpoints, listings: Listings, clock: Clock) {
    this.endpoints = endpoints;
    this.#listings = listings;
    this.clock = clock;
  }

  /**
   * Resolves when each wait has ended or has reached its deadline. Calls `tell` after each round that polled any of
   * these waits. Rejects with errors of the service and of `tell`.
   */
  async watch(follows: readonly Follow[], tell = async () => {}): Promise<void> {
    let leave = () => {};
    const allEnded = new Promise<void>((end, fail) => {
      const watch = { follows, tell, end, fail };
      leave = () => this.#watches.delete(watch);
      this.#watches.add(watch);
    });
    this.#startPolling(follows);
    const deadline = Math.max(...follows.map((follow) => follow.deadline));
    try {
      await untilDeadline(
        deadline,
        this.clock,
        allEnded.then(() => lookAtTheEnd(follows)),
      );
    } finally {
      leave();
    }
  }

  /** Ends the pause, so that the next round begins now. */
  wake(): void {
    this.#waking.abort();
  }

  /**
   * Polls the new waits at once, with one exception: a wait that begins right after a write pauses first if there are
   * other waits, or if its revision has already been read.
   */
  #startPolling(follows: readonly Follow[]): void {
    const now = this.clock.now();
    const isAlone = this.#waiting().length <= 1;
    for (const follow of follows) {
      const isJustSeen = follow.isFromTheStart && (!isAlone || follow.lookedAt > 0);
      follow.pollAt = isJustSeen ? this.pace.sharedMoment(now, follow.pause) : now;
    }
    this.wake();
    if (!this.#isPolling) void this.#poll();
  }

  #waiting(): Follow[] {
    return [...this.#watches].flatMap(({ follows }) => follows.filter(({ end }) => end === "waiting"));
  }

  async #poll(): Promise<void> {
    this.#isPolling = true;
    for (let now = this.clock.now(); ; ) {
      await this.#round(now);
      this.#settle(now);
      if (this.#watches.size === 0) break;
      const next = Math.min(...this.#waiting().map(({ pollAt, deadline }) => Math.min(pollAt, deadline)));
      this.#waking = new AbortController();
      try {
        await this.clock.sleep(Math.max(0, next - this.clock.now()), this.#waking.signal);
      } catch (fault) {
        // If the clock is stopped, its error ends all waits.
        setFault(this.#waiting(), fault);
        this.#settle(now);
        break;
      }
      // A timer may fire a little too early.
      now = this.#waking.signal.aborted ? this.clock.now() : Math.max(next, this.clock.now());
    }
    this.#isPolling = false;
  }

  /** Polls the waits that are due, and as many others as fit into the same requests. */
  async #round(now: number): Promise<void> {
    const waiting = this.#waiting().sort((first, second) => first.pollAt - second.pollAt);
    const due = waiting.filter(({ pollAt, deadline }) => Math.min(pollAt, deadline) <= now);
    const batch = [...new Set([...due, ...waiting])].slice(0, roundedUp(due.length));
    const isAlone = waiting.length === 1;
    const began = this.clock.now();
    if (!isAlone || !batch.every(({ isKnown }) => isKnown)) await this.#list(batch);
    const pending = batch.filter(({ end, fault }) => end === "waiting" && fault === undefined);
    await lookAt(isAlone ? pending : mostOverdue(pending));
    this.#reschedule(batch, this.clock.now() - began);
    const watches = [...this.#watches].filter(({ follows }) =>
      follows.some((follow) => batch.includes(follow)),
    );
    await Promise.all(watches.map(({ tell, follows }) => tell().catch((fault) => setFault(follows, fault))));
  }

  async #list(batch: readonly Follow[]): Promise<void> {
    if (batch.length === 0) return;
    try {
      const deployments = await this.#listings.current([...new Set(batch.map(({ deploymentId: id }) => id))]);
      for (const follow of batch) {
        const deployment = deployments.get(follow.deploymentId);
        if (deployment instanceof Error) setFault([follow], deployment);
        else follow.sees(deployment);
      }
    } catch (fault) {
      setFault(batch, fault);
    }
  }

  /** Schedules the next polls. The pause is at least as long as this round took. */
  #reschedule(batch: readonly Follow[], took: number): void {
    const now = this.clock.now();
    const isAlone = this.#waiting().length <= 1;
    for (const follow of batch) {
      const pause = Math.max(follow.pause, took);
      follow.pollAt = isAlone ? now + pause : this.pace.sharedMoment(now, pause);
    }
  }

  #settle(now: number): void {
    for (const watch of this.#watches) {
      const fault = watch.follows.find((follow) => follow.fault !== undefined)?.fault;
      const isOver = watch.follows.every(({ end, deadline }) => end !== "waiting" || deadline <= now);
      if (fault === undefined && !isOver) continue;
      this.#watches.delete(watch);
      if (fault === undefined) watch.end();
      else watch.fail(fault);
    }
  }
}

function roundedUp(count: number): number {
  return Math.ceil(count / LARGEST_PAGE) * LARGEST_PAGE;
}

export function setFault(follows: readonly Follow[], fault: unknown): void {
  for (const follow of follows) follow.fault ??= fault;
}

function mostOverdue(follows: readonly Follow[]): Follow[] {
  return follows
    .filter(({ overdue }) => overdue >= 0)
    .sort((first, second) => second.overdue - first.overdue)
    .slice(0, LOOKS_PER_ROUND);
}

async function lookAt(follows: readonly Follow[]): Promise<void> {
  await Promise.all(follows.map((follow) => follow.look().catch((fault) => setFault([follow], fault))));
}

/** Reads late revisions once more. Ignores the errors, which must not hide that the deadline has passed. */
async function lookAtTheEnd(follows: readonly Follow[]): Promise<void> {
  const lateFollows = follows.filter(
    ({ end, lookedAt, deadline }) => end === "waiting" && lookedAt < deadline,
  );
  await Promise.allSettled(lateFollows.slice(0, LOOKS_AT_THE_END).map((follow) => follow.look()));
}

/** The time allowed for a read that begins at the deadline. */
const GRACE_MS = 500;
/** The longest time that a timer can be set to. */
const LONGEST_ALARM_MS = 2 ** 31 - 1 - GRACE_MS;

/** The result of the work; undefined if the deadline comes first, so that a silent service cannot delay the end. */
export async function untilDeadline<T>(
  deadline: number,
  clock: Clock,
  work: Promise<T>,
): Promise<T | undefined> {
  let stop = () => {};
  const timeUp = new Promise<undefined>((resolve) => {
    const milliseconds = Math.min(deadline - clock.now(), LONGEST_ALARM_MS);
    stop = alarmOf(clock, milliseconds + GRACE_MS, () => resolve(undefined));
  });
  try {
    return await Promise.race([work, timeUp]);
  } finally {
    stop();
    // Nothing awaits the work anymore, so its later error is ignored.
    work.catch(() => undefined);
  }
}
