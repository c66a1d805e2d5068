/** Waiting for a revision: until it runs, fails, is superseded or the time is over; each change of status is told. */
import type { Endpoints } from "./client/endpoints";
import { alarmOf, type Clock } from "./client/retry";
import type { Directory } from "./directory";
import type { Properties } from "./fields/value";

export interface Step {
  readonly status: string;
  readonly seconds: number;
}

export interface Outcome {
  readonly end: "deployed" | "failed" | "timeout";
  /** The revision at the end: a newer one when the first was superseded. */
  readonly revisionId: string | undefined;
  readonly status: string | undefined;
  /** How long each status took, in order. */
  readonly steps: readonly Step[];
  readonly seconds: number;
}

export interface Wait {
  readonly deploymentId: string;
  /** Undefined while the service has not made one. */
  readonly revisionId: string | undefined;
  readonly timeoutSeconds: number;
  readonly tell: (words: string) => Promise<void>;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
const GROWTH = 1.25;
/** A look that begins right at the deadline may take that long. */
const GRACE_MS = 500;
/** The most that a timer takes. */
const LONGEST_ALARM_MS = 2 ** 31 - 1 - GRACE_MS;

/** Waits for the revision. Never throws for what the revision does; faults of the service's answers go through. */
export async function waitForRollout(
  endpoints: Endpoints,
  directory: Directory,
  clock: Clock,
  wait: Wait,
): Promise<Outcome> {
  const log = new StatusLog(clock);
  const deadline = clock.now() + wait.timeoutSeconds * 1000;
  const ended = await by(deadline, clock, follow(endpoints, directory, clock, wait, log, deadline));
  return ended ?? log.outcome("timeout", log.revisionId, log.status);
}

/** What the work comes to, or undefined at the deadline: a service that answers no more must not outlast it. */
export async function by<T>(deadline: number, clock: Clock, work: Promise<T>): Promise<T | undefined> {
  let stop = () => {};
  const late = new Promise<undefined>((resolve) => {
    const left = Math.min(deadline - clock.now(), LONGEST_ALARM_MS);
    stop = alarmOf(clock, left + GRACE_MS, () => resolve(undefined));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    stop();
    // What is still under way is nobody's concern any more.
    work.catch(() => undefined);
  }
}

async function follow(
  endpoints: Endpoints,
  directory: Directory,
  clock: Clock,
  wait: Wait,
  log: StatusLog,
  deadline: number,
): Promise<Outcome> {
  let revisionId = wait.revisionId;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * GROWTH)) {
    revisionId ??= await latestOf(directory, wait.deploymentId);
    const status =
      revisionId === undefined ? undefined : await statusOf(endpoints, wait.deploymentId, revisionId);
    // The end is told by whoever waits.
    log.saw(revisionId, status);
    if (revisionId !== undefined && log.changed(status ?? "UNKNOWN") && status !== "DEPLOYED") {
      await wait.tell(`revision ${revisionId} is ${status ?? "not listed yet"} after ${log.total()} s`);
    }
    if (status === "DEPLOYED") return log.outcome("deployed", revisionId, status);
    if (status?.endsWith("_FAILED")) return log.outcome("failed", revisionId, status);
    if (status === "SKIPPED" || status === "INTERRUPTED") {
      const newer = await newerThan(endpoints, directory, wait.deploymentId, revisionId as string);
      if (newer === undefined) return log.outcome("failed", revisionId, status);
      await wait.tell(`revision ${revisionId} was ${status}; following the newer revision ${newer}`);
      revisionId = newer;
    }
    const left = deadline - clock.now();
    if (left <= 0) return log.outcome("timeout", revisionId, status);
    await clock.sleep(Math.min(pause, left));
  }
}

async function statusOf(
  endpoints: Endpoints,
  deploymentId: string,
  revisionId: string,
): Promise<string | undefined> {
  return (await findRevision(endpoints, deploymentId, revisionId))?.status as string | undefined;
}

/** The revision, from as few pages as it takes. */
export async function findRevision(
  endpoints: Endpoints,
  deploymentId: string,
  revisionId: string,
): Promise<Properties | undefined> {
  for await (const page of endpoints.listRevisions(deploymentId)) {
    const found = page.find((revision) => revision.id === revisionId);
    if (found) return found;
  }
  return undefined;
}

/** All revisions, newest first: the contract does not promise an order. */
export async function revisionsOf(endpoints: Endpoints, deploymentId: string): Promise<Properties[]> {
  const revisions: Properties[] = [];
  for await (const page of endpoints.listRevisions(deploymentId)) revisions.push(...page);
  return revisions.sort((a, b) => Date.parse(String(b.created_at)) - Date.parse(String(a.created_at)));
}

/** Undefined while the service has not made one; it then answers null. */
async function latestOf(directory: Directory, deploymentId: string): Promise<string | undefined> {
  const latest = (await directory.fresh(deploymentId))?.latest_revision_id;
  return typeof latest === "string" ? latest : undefined;
}

/** The latest revision, if it was made after this one: a service may point back to the one that serves. */
async function newerThan(
  endpoints: Endpoints,
  directory: Directory,
  deploymentId: string,
  revisionId: string,
): Promise<string | undefined> {
  const latest = await latestOf(directory, deploymentId);
  if (latest === undefined || latest === revisionId) return undefined;
  const revisions = await revisionsOf(endpoints, deploymentId);
  const [made, madeLatest] = [revisionId, latest].map((id) =>
    Date.parse(String(revisions.find((revision) => revision.id === id)?.created_at)),
  ) as [number, number];
  return madeLatest < made ? undefined : latest;
}

/** How long each status lasted. */
class StatusLog {
  readonly #clock: Clock;
  readonly #started: number;
  readonly #marks: { status: string; at: number }[] = [];
  /** As last seen. */
  revisionId: string | undefined;
  status: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#started = clock.now();
  }

  saw(revisionId: string | undefined, status: string | undefined): void {
    this.revisionId = revisionId;
    this.status = status;
  }

  changed(status: string): boolean {
    if (this.#marks.at(-1)?.status === status) return false;
    this.#marks.push({ status, at: this.#clock.now() });
    return true;
  }

  total(): number {
    return seconds(this.#clock.now() - this.#started);
  }

  outcome(end: Outcome["end"], revisionId: string | undefined, status: string | undefined): Outcome {
    const now = this.#clock.now();
    const steps = this.#marks.map((mark, index) => ({
      status: mark.status,
      seconds: seconds((this.#marks[index + 1]?.at ?? now) - mark.at),
    }));
    return { end, revisionId, status, steps, seconds: this.total() };
  }
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds / 100) / 10;
}

/** `BUILDING 12 s, BUILD_FAILED` for an error message. */
export function describeSteps(steps: readonly Step[]): string {
  return steps
    .map((step, index) => (index === steps.length - 1 ? step.status : `${step.status} ${step.seconds} s`))
    .join(", ");
}
