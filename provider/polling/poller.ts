/** Polls a service for all waits together, up to each wait's deadline. */
import { alarmOf, type Clock } from "../client/clock";
import type { Endpoints } from "../client/endpoints";
import type { Properties } from "../schema/value";
import type { Follow, WaitContext } from "./follow";

/** The pause between reads of a revision. A listing alone shows neither a failure nor the statuses before the end. */
const BETWEEN_READS_MS = 10_000;

/** Lists the deployments with these ids, up to a hundred in a request. */
interface Listings {
  current(ids: readonly string[]): Promise<ReadonlyMap<string, Properties | undefined>>;
}

interface Watch {
  readonly follows: readonly Follow[];
  readonly tell: () => Promise<void>;
  readonly end: () => void;
  readonly fail: (fault: unknown) => void;
}

export class Poller implements WaitContext {
  readonly #listings: Listings;
  readonly #watches = new Set<Watch>();
  #isPolling = false;
  #waking = new AbortController();

  constructor(
    readonly endpoints: Endpoints,
    listings: Listings,
    readonly clock: Clock,
  ) {
    this.#listings = listings;
  }

  /**
   * Resolves when each wait has ended or has reached its deadline. Rejects with errors of the service and of `tell`.
   */
  async watch(follows: readonly Follow[], tell = async () => {}): Promise<void> {
    const { promise: allEnded, resolve: end, reject: fail } = Promise.withResolvers<void>();
    const watch = { follows, tell, end, fail };
    this.#watches.add(watch);
    // The loop may be in a pause that is longer than the new wait.
    this.wake();
    if (!this.#isPolling) void this.#poll();
    const deadline = Math.max(...follows.map((follow) => follow.deadline));
    try {
      await untilDeadline(deadline, this.clock, allEnded);
    } finally {
      this.#watches.delete(watch);
    }
  }

  /** Ends the pause, so that the loop checks at once which waits are due. */
  wake(): void {
    this.#waking.abort();
  }

  #waiting(): Follow[] {
    return [...this.#watches].flatMap(({ follows }) => follows.filter(({ end }) => end === "waiting"));
  }

  async #poll(): Promise<void> {
    this.#isPolling = true;
    while (this.#watches.size > 0) {
      const waiting = this.#waiting();
      const now = this.clock.now();
      if (waiting.some(({ pollAt, deadline }) => Math.min(pollAt, deadline) <= now))
        await this.#round(waiting);
      this.#settle();
      if (this.#watches.size > 0) await this.#pause();
    }
    this.#isPolling = false;
  }

  async #pause(): Promise<void> {
    const next = Math.min(...this.#waiting().map(({ pollAt, deadline }) => Math.min(pollAt, deadline)));
    this.#waking = new AbortController();
    try {
      await this.clock.sleep(Math.max(0, next - this.clock.now()), this.#waking.signal);
    } catch (fault) {
      // If the clock is stopped, its error ends all waits.
      setFault(this.#waiting(), fault);
      this.#settle();
    }
  }

  /** Lists the deployments of all these waits, and reads the revisions whose last read is too old. */
  async #round(waiting: readonly Follow[]): Promise<void> {
    await this.#list(waiting);
    const now = this.clock.now();
    const unread = waiting.filter(
      ({ end, fault, lookedAt, deadline }) =>
        end === "waiting" && fault === undefined && (now - lookedAt >= BETWEEN_READS_MS || deadline <= now),
    );
    await Promise.all(unread.map((follow) => follow.look().catch((fault) => setFault([follow], fault))));
    for (const follow of waiting) follow.pollAt = this.clock.now() + follow.pause;
    await Promise.all(
      [...this.#watches].map(({ tell, follows }) => tell().catch((fault) => setFault(follows, fault))),
    );
  }

  async #list(waiting: readonly Follow[]): Promise<void> {
    try {
      const deployments = await this.#listings.current([
        ...new Set(waiting.map(({ deploymentId: id }) => id)),
      ]);
      for (const follow of waiting) follow.sees(deployments.get(follow.deploymentId));
    } catch (fault) {
      setFault(waiting, fault);
    }
  }

  #settle(): void {
    const now = this.clock.now();
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

export function setFault(follows: readonly Follow[], fault: unknown): void {
  for (const follow of follows) follow.fault ??= fault;
}

/** The time allowed for a read that begins at the deadline. */
const GRACE_MS = 500;
/** The longest time that a timer can be set to. */
const LONGEST_ALARM_MS = 2 ** 31 - 1 - GRACE_MS;

/** The result of the work. Undefined if the deadline comes first, so that a silent service cannot delay the end. */
export async function untilDeadline<T>(
  deadline: number,
  clock: Clock,
  work: Promise<T>,
): Promise<T | undefined> {
  const { promise: timeUp, resolve } = Promise.withResolvers<undefined>();
  const milliseconds = Math.min(deadline - clock.now(), LONGEST_ALARM_MS);
  const stop = alarmOf(clock, milliseconds + GRACE_MS, () => resolve(undefined));
  try {
    return await Promise.race([work, timeUp]);
  } finally {
    stop();
    // Nothing awaits the work anymore. Its error, if there is one, is ignored.
    work.catch(() => undefined);
  }
}
