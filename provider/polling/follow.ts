/** Follows the rollout of one deployment to its end. Lists deployments, and reads the deployment's revisions. */
import type { Clock } from "../client/clock";
import type { Endpoints } from "../client/endpoints";
import { isNotFound } from "../client/errors";
import { format } from "../diff/sentences";
import { isBeingDeleted } from "../schema/deployment";
import type { Properties } from "../schema/value";
import { endOfLog } from "./logs";
import { findRevision, newerThan, reasonIn, StatusLog } from "./revisions";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;
/** Each pause is this fraction of the time waited so far. A larger fraction would delay the end of a long wait. */
const PART_OF_ELAPSED = 0.1;

/** The objects that all waits on one service share. */
export interface WaitContext {
  readonly endpoints: Endpoints;
  readonly clock: Clock;
}

export interface FollowOptions {
  readonly deploymentId: string;
  readonly timeoutSeconds: number;
  /** The deployment returned by the write that made the revision. A listing right after the write shows nothing new. */
  readonly resource?: Properties;
  readonly tellStatus?: (words: string) => Promise<void>;
  readonly tellNewer: (words: string) => Promise<void>;
}

/** Reads may lag this long behind the creation of a deployment. */
const YOUTH_MS = 10_000;

export class Follow {
  end: "waiting" | "deployed" | "failed" = "waiting";
  /** Whether the wait failed because the service no longer has the deployment. */
  isGone = false;
  fault: unknown;
  /** The revision to wait for; undefined until the service has made it. */
  revisionId: string | undefined;
  /** The last status; undefined before the first read of the revision. */
  status: string | undefined;
  /** Why the revision failed, in the service's words; undefined if the service gives no reason. */
  reason: string | undefined;
  /** The last lines of a failed revision's log, for an error; empty if the service shows no log. */
  endOfLog = "";
  /**
   * The deployment in the listing that showed the rollout's end; undefined if a read of the revision showed the end.
   */
  resource: Properties | undefined;
  /**
   * The serving revision. Before the awaited revision is deployed, this is the active revision in the last listing.
   * Afterward, this is the awaited revision.
   */
  servingId: string | undefined;
  pollAt: number;
  /** When the revision was last read; 0 if it must be read in the next round. */
  lookedAt = 0;
  readonly log: StatusLog;
  readonly deadline: number;
  readonly #context: WaitContext;
  readonly #options: FollowOptions;
  #latest: string | undefined;
  #updatedAt: unknown;
  #isMissing = false;
  /** Whether the service answered the last read of the revisions with "not found". */
  #isUnread = false;
  #took: number | undefined;
  /** Whether a read during this wait has shown the deployment. */
  #isSeen = false;
  /** When the service made the deployment, by the local clock; if unknown, when the wait began. */
  readonly #madeAt: number;

  constructor(context: WaitContext, options: FollowOptions) {
    this.#context = context;
    this.#options = options;
    this.log = new StatusLog(context.clock);
    this.deadline = context.clock.now() + options.timeoutSeconds * 1000;
    this.pollAt = context.clock.now() + (options.resource === undefined ? 0 : this.pause);
    const madeAt = Date.parse(String(options.resource?.created_at)) - context.endpoints.clockAhead;
    this.#madeAt = Number.isNaN(madeAt) ? context.clock.now() : madeAt;
    if (options.resource !== undefined) this.sees(options.resource);
  }

  get deploymentId(): string {
    return this.#options.deploymentId;
  }

  /** The pause before the next poll, which grows with the time waited. */
  get pause(): number {
    return Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, this.log.elapsed * PART_OF_ELAPSED));
  }

  /** Seconds from the revision's creation to the end of its rollout; if unknown, seconds since the wait began. */
  get seconds(): number {
    return this.#took ?? this.log.total();
  }

  /** `deployment` is undefined if the listing lacks the deployment. */
  sees(deployment: Properties | undefined): void {
    this.#isMissing = deployment === undefined;
    this.#isSeen ||= deployment !== undefined && deployment !== this.#options.resource;
    if (deployment === undefined) this.#suspects();
    else if (isBeingDeleted(deployment.status)) this.#vanishes(String(deployment.status));
    else this.#compares(deployment);
  }

  #compares(deployment: Properties): void {
    const latest = textOf(deployment.latest_revision_id);
    this.servingId = textOf(deployment.active_revision_id);
    this.revisionId ??= latest;
    if (this.revisionId === undefined) return;
    if (deployment.active_revision_id === this.revisionId) {
      this.resource = deployment;
      this.#ends("deployed", "DEPLOYED");
    }
    const isNews = this.#updatedAt !== undefined && this.#updatedAt !== deployment.updated_at;
    if (isNews || latest !== (this.#latest ?? this.revisionId)) this.lookedAt = 0;
    this.#latest = latest;
    this.#updatedAt = deployment.updated_at;
  }

  async seesRevision(revision: Properties): Promise<void> {
    this.lookedAt = this.#context.clock.now();
    if (this.revisionId !== undefined) await this.#noteStatus(this.revisionId, revision);
  }

  /** Throws the service's errors, except "not found". */
  async look(): Promise<void> {
    if (this.revisionId === undefined) return;
    this.lookedAt = this.#context.clock.now();
    try {
      const revision = await findRevision(this.#context.endpoints, this.deploymentId, this.revisionId);
      this.#isUnread = false;
      this.#isSeen = true;
      await this.#noteStatus(this.revisionId, revision);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.#isUnread = true;
      this.#suspects();
    }
  }

  async #noteStatus(revisionId: string, revision: Properties | undefined): Promise<void> {
    const status = textOf(revision?.status);
    this.status = status;
    if (status === "DEPLOYED") return this.#ends("deployed", status, revision);
    if (this.log.changed(status ?? "UNKNOWN"))
      await this.#options.tellStatus?.(
        format.revisionIs({ id: revisionId, status: status ?? "not listed yet", seconds: this.log.total() }),
      );
    if (status?.endsWith("_FAILED")) {
      this.#ends("failed", status, revision);
      const kind = status === "DEPLOY_FAILED" ? "deploy" : "build";
      this.endOfLog = await endOfLog(this.#context.endpoints, this.deploymentId, revisionId, kind);
    }
    if (revision === undefined || (status !== "SKIPPED" && status !== "INTERRUPTED")) return;
    const newer = await newerThan(this.#context.endpoints, this.deploymentId, revision);
    if (newer === undefined) return this.#ends("failed", status, revision);
    this.revisionId = this.#latest = newer.id as string;
    this.status = textOf(newer.status);
    this.lookedAt = 0;
    await this.#options.tellNewer(format.revisionWas({ id: revisionId, status, newer: newer.id }));
  }

  /** A new deployment, or a deployment without a revision, may be missing because the service's reads lag behind. */
  #suspects(): void {
    this.lookedAt = 0;
    const isNowhere = this.revisionId === undefined ? this.#options.resource === undefined : this.#isUnread;
    const isYoung = !this.#isSeen && this.#context.clock.now() - this.#madeAt < YOUTH_MS;
    if (this.#isMissing && isNowhere && !isYoung) this.#vanishes("not on the service");
  }

  #vanishes(status: string): void {
    this.isGone = true;
    this.#ends("failed", status);
  }

  #ends(end: "deployed" | "failed", status: string, revision?: Properties): void {
    this.end = end;
    this.status = status;
    this.reason = end === "failed" ? reasonIn(revision) : undefined;
    this.log.changed(status);
    if (end === "deployed") this.servingId = this.revisionId;
    const took = Date.parse(String(revision?.updated_at)) - Date.parse(String(revision?.created_at));
    this.#took = Number.isFinite(took) ? Math.round(took / 100) / 10 : this.log.total();
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
