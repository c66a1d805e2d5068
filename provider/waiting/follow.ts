/** Follows the rollout of one deployment: what listings and its revisions say about how it ends. */
import type { Clock } from "../client/clock";
import type { Endpoints } from "../client/endpoints";
import { isNotFound } from "../client/errors";
import type { Properties } from "../fields/value";
import { say } from "../verdict/sentences";
import type { Words } from "../verdict/wording";
import type { Pace } from "./pace";
import { findRevision, newerThan } from "./revisions";
import { StatusLog } from "./statusLog";

/** What all waits on one service share. */
export interface Around {
  readonly endpoints: Endpoints;
  readonly clock: Clock;
  readonly pace: Pace;
}

export interface Followed {
  readonly deploymentId: string;
  readonly timeoutSeconds: number;
  /** The answer of the write that created the revision: a listing right after it would show nothing new. */
  readonly resource?: Properties;
  /** Reports each new status. */
  readonly tellStatus?: (words: Words) => Promise<void>;
  /** Reports that a newer revision is followed. */
  readonly tellNewer: (words: Words) => Promise<void>;
}

export class Follow {
  end: "waiting" | "deployed" | "failed" = "waiting";
  /** It failed: the service no longer has the deployment. */
  isGone = false;
  /** Why it cannot be followed any more. */
  fault: unknown;
  /** Undefined while the service has not made one. */
  revisionId: string | undefined;
  /** As last seen; undefined before the first read of the revision. */
  status: string | undefined;
  /** The listed deployment that runs it; undefined where the revision showed the end. */
  resource: Properties | undefined;
  /** When to poll it. */
  askAt = 0;
  /** When its revision was last read. */
  lookedAt = 0;
  readonly log: StatusLog;
  readonly deadline: number;
  readonly #around: Around;
  readonly #followed: Followed;
  /** After how many ms of waiting to read the revision. */
  #dueAt: number;
  #looks = 0;
  #latest: string | undefined;
  #updatedAt: unknown;
  /** Whether the last listing did not have the deployment, and whether its revisions were not found. */
  #isMissing = false;
  #isUnread = false;
  #took: number | undefined;

  constructor(around: Around, followed: Followed) {
    this.#around = around;
    this.#followed = followed;
    this.log = new StatusLog(around.clock);
    this.deadline = around.clock.now() + followed.timeoutSeconds * 1000;
    this.#dueAt = around.pace.firstLookMs;
    if (followed.resource !== undefined) this.sees(followed.resource);
  }

  get deploymentId(): string {
    return this.#followed.deploymentId;
  }

  /** Whether its wait began when its revision was made. */
  get isFromTheStart(): boolean {
    return this.#followed.resource !== undefined;
  }

  /** Whether a read of the revision is enough. */
  get isKnown(): boolean {
    return this.revisionId !== undefined && !this.#isUnread;
  }

  /** How long a read of its revision is overdue, in ms; negative before it is due. */
  get overdue(): number {
    return this.log.elapsed - this.#dueAt;
  }

  /** From the revision's creation to its end where both are known, else the time of the wait. */
  get seconds(): number {
    return this.#took ?? this.log.total();
  }

  /** The pause before the next poll. */
  get pause(): number {
    const { elapsed } = this.log;
    return this.#around.pace.pause(elapsed, this.isFromTheStart ? elapsed : undefined);
  }

  /** The deployment as listed; undefined when the listing does not have it. */
  sees(deployment: Properties | undefined): void {
    this.#isMissing = deployment === undefined;
    if (deployment === undefined) this.#suspects();
    else if (deployment.status === "AWAITING_DELETE") this.#vanishes("AWAITING_DELETE");
    else this.#compares(deployment);
  }

  #compares(deployment: Properties): void {
    const latest = textOf(deployment.latest_revision_id);
    this.revisionId ??= latest;
    if (this.revisionId === undefined) return;
    if (deployment.active_revision_id === this.revisionId) {
      this.resource = deployment;
      this.#ends("deployed", "DEPLOYED");
    }
    const isNews = this.#updatedAt !== undefined && this.#updatedAt !== deployment.updated_at;
    if (isNews || latest !== (this.#latest ?? this.revisionId)) this.#dueAt = 0;
    this.#latest = latest;
    this.#updatedAt = deployment.updated_at;
  }

  /** The revision as it was just read. */
  async seesRevision(revision: Properties): Promise<void> {
    this.lookedAt = this.#around.clock.now();
    if (this.revisionId !== undefined) await this.#judge(this.revisionId, revision);
  }

  /** Reads the revision. Throws the errors of the service but not found. */
  async look(): Promise<void> {
    this.lookedAt = this.#around.clock.now();
    this.#dueAt = this.log.elapsed + this.#around.pace.betweenLooksMs(this.#looks);
    this.#looks += 1;
    if (this.revisionId === undefined) return;
    try {
      const revision = await findRevision(this.#around.endpoints, this.deploymentId, this.revisionId);
      this.#isUnread = false;
      await this.#judge(this.revisionId, revision);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.#isUnread = true;
      this.#suspects();
    }
  }

  async #judge(revisionId: string, revision: Properties | undefined): Promise<void> {
    const status = textOf(revision?.status);
    this.status = status;
    if (status === "DEPLOYED") return this.#ends("deployed", status, revision);
    if (this.log.changed(status ?? "UNKNOWN"))
      await this.#followed.tellStatus?.(
        say.revisionIs({ id: revisionId, status: status ?? "not listed yet", seconds: this.log.total() }),
      );
    if (status?.endsWith("_FAILED")) return this.#ends("failed", status, revision);
    if (revision === undefined || (status !== "SKIPPED" && status !== "INTERRUPTED")) return;
    const newer = await newerThan(this.#around.endpoints, this.deploymentId, revision);
    if (newer === undefined) return this.#ends("failed", status, revision);
    this.revisionId = this.#latest = newer.id as string;
    this.status = textOf(newer.status);
    this.#looks = 0;
    await this.#followed.tellNewer(say.revisionWas({ id: revisionId, status, newer: newer.id }));
  }

  /**
   * Gone is what neither a listing nor its own revisions show. One that was just written and has no revision yet may
   * be too new for listings that lag behind.
   */
  #suspects(): void {
    this.#dueAt = 0;
    const isNowhere = this.revisionId === undefined ? !this.isFromTheStart : this.#isUnread;
    if (this.#isMissing && isNowhere) this.#vanishes("not on the service");
  }

  #vanishes(status: string): void {
    this.isGone = true;
    this.#ends("failed", status);
  }

  #ends(end: "deployed" | "failed", status: string, revision?: Properties): void {
    this.end = end;
    this.status = status;
    this.log.changed(status);
    if (end === "deployed" && this.isFromTheStart) this.#around.pace.learns(this.log.elapsed);
    const took = Date.parse(String(revision?.updated_at)) - Date.parse(String(revision?.created_at));
    this.#took = Number.isFinite(took) ? Math.round(took / 100) / 10 : this.log.total();
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
