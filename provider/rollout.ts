/** Waiting for a revision: until it runs, fails, is superseded or the time is over; each change of status is told. */
import type { Endpoints } from "./client/endpoints";
import type { Clock } from "./client/retry";
import { by } from "./deadline";
import type { Directory } from "./directory";
import type { Properties } from "./fields/value";
import { Pace } from "./pace";
import { findRevision, latestOf, newerThan } from "./revisions";
import { StatusLog, type Step } from "./statusLog";

export interface Outcome {
  readonly end: "deployed" | "failed" | "timeout";
  /** The revision at the end: a newer one when the first was superseded. */
  readonly revisionId: string | undefined;
  readonly status: string | undefined;
  /** How long each status took that was seen, in order. */
  readonly steps: readonly Step[];
  readonly seconds: number;
  /** The deployment that was seen to run it, where it was the deployment that was looked at. */
  readonly resource?: Properties;
}

export interface Wait {
  readonly deploymentId: string;
  /** Undefined while the service has not made one. */
  readonly revisionId: string | undefined;
  readonly timeoutSeconds: number;
  readonly tell: (words: string) => Promise<void>;
  /** The deployment as a write has just answered it: nothing more is to be learnt from listing it at once. */
  readonly resource?: Properties;
  /** Of all waits on this service. */
  readonly pace?: Pace;
}

/** Waits for the revision. Never throws for what the revision does; faults of the service's answers go through. */
export function waitForRollout(
  endpoints: Endpoints,
  directory: Directory,
  clock: Clock,
  wait: Wait,
): Promise<Outcome> {
  const pace = wait.pace ?? new Pace(clock);
  const deadline = clock.now() + wait.timeoutSeconds * 1000;
  const one = new RolloutWait({ endpoints, directory, clock, pace }, wait);
  return pace.counted(async () => (await by(deadline, clock, one.ended())) ?? one.soFar("timeout"));
}

interface Around {
  readonly endpoints: Endpoints;
  readonly directory: Directory;
  readonly clock: Clock;
  readonly pace: Pace;
}

/**
 * One wait. While it is the only one it looks at its revision. Among several it is told by a listing that they share
 * when its revision serves, and looks at the revision only where something else may have happened to it.
 */
class RolloutWait {
  readonly #around: Around;
  readonly #wait: Wait;
  readonly #log: StatusLog;
  #revisionId: string | undefined;
  #status: string | undefined;
  #updatedAt: unknown;
  /** After so long a wait the revision is to be looked at. */
  #dueAt: number;
  #looks = 0;

  constructor(around: Around, wait: Wait) {
    this.#around = around;
    this.#wait = wait;
    this.#log = new StatusLog(around.clock);
    this.#revisionId = wait.revisionId;
    this.#dueAt = around.pace.firstLookMs;
  }

  async ended(): Promise<Outcome> {
    const { clock, pace } = this.#around;
    const { resource, timeoutSeconds } = this.#wait;
    if (resource !== undefined && this.#isServing(resource)) return this.#deployed(resource);
    for (let asks = resource === undefined || pace.isAlone; ; asks = true) {
      const outcome = asks ? await this.#step() : undefined;
      if (outcome !== undefined) return outcome;
      const left = timeoutSeconds * 1000 - this.#log.elapsed;
      if (left <= 0) return this.#timeout();
      await clock.sleep(Math.min(pace.pause(this.#log.elapsed), left));
    }
  }

  async #step(): Promise<Outcome | undefined> {
    const { directory, pace } = this.#around;
    if (pace.isAlone) return this.#look();
    const resource = await directory.look(this.#wait.deploymentId);
    if (resource !== undefined && this.#isServing(resource)) return this.#deployed(resource);
    return resource === undefined || this.#log.elapsed >= this.#dueAt ? this.#look() : undefined;
  }

  /** Whether the deployment says that the revision runs; anything else that is new in it is a reason for a look. */
  #isServing({ latest_revision_id, active_revision_id, updated_at }: Properties): boolean {
    if (typeof latest_revision_id === "string") this.#revisionId ??= latest_revision_id;
    const isNews = this.#updatedAt !== undefined && this.#updatedAt !== updated_at;
    if (isNews || latest_revision_id !== this.#revisionId) this.#dueAt = 0;
    this.#updatedAt = updated_at;
    return this.#revisionId !== undefined && active_revision_id === this.#revisionId;
  }

  async #look(): Promise<Outcome | undefined> {
    const { endpoints, directory, pace } = this.#around;
    const { deploymentId, tell } = this.#wait;
    this.#dueAt = this.#log.elapsed + pace.betweenLooksMs(this.#looks);
    this.#looks += 1;
    this.#revisionId ??= await latestOf(directory, deploymentId);
    if (this.#revisionId === undefined) return undefined;
    this.#status = (await findRevision(endpoints, deploymentId, this.#revisionId))?.status as
      | string
      | undefined;
    if (this.#status === "DEPLOYED") return this.#deployed();
    if (this.#log.changed(this.#status ?? "UNKNOWN"))
      await tell(
        `revision ${this.#revisionId} is ${this.#status ?? "not listed yet"} after ${this.#log.total()} s`,
      );
    if (this.#status?.endsWith("_FAILED")) return this.soFar("failed");
    const isSuperseded = this.#status === "SKIPPED" || this.#status === "INTERRUPTED";
    return isSuperseded ? this.#followed(this.#revisionId) : undefined;
  }

  async #followed(superseded: string): Promise<Outcome | undefined> {
    const { endpoints, directory } = this.#around;
    const newer = await newerThan(endpoints, directory, this.#wait.deploymentId, superseded);
    if (newer === undefined) return this.soFar("failed");
    await this.#wait.tell(
      `revision ${superseded} was ${this.#status}; following the newer revision ${newer}`,
    );
    this.#revisionId = newer;
    return undefined;
  }

  #deployed(resource?: Properties): Outcome {
    this.#status = "DEPLOYED";
    this.#log.changed(this.#status);
    this.#around.pace.learns(this.#log.elapsed);
    return { ...this.soFar("deployed"), ...(resource && { resource }) };
  }

  /** The listings did not tell how far it has come. */
  async #timeout(): Promise<Outcome> {
    const isKnown = this.#around.pace.isAlone && (this.#looks > 0 || this.#revisionId === undefined);
    return (isKnown ? undefined : await this.#look()) ?? this.soFar("timeout");
  }

  soFar(end: Outcome["end"]): Outcome {
    const steps = this.#log.steps();
    return { end, revisionId: this.#revisionId, status: this.#status, steps, seconds: this.#log.total() };
  }
}
