/** One deployment among many that are waited for: what listings and its revisions say about how it ends. */
import { isNotFound } from "./client/errors";
import type { Properties } from "./fields/value";
import { findRevision, revisionsOf } from "./revisions";
import type { Service } from "./service";

/** A revision that is in no hurry to run is asked for after this long, then ever more rarely. */
const FIRST_LOOK_MS = 2_000;
const LONGEST_BETWEEN_LOOKS_MS = 10_000;

export class Follow {
  end: "waiting" | "deployed" | "failed" = "waiting";
  /** Undefined while the service has not made one. */
  revisionId: string | undefined;
  /** As last seen; undefined while the revision was not asked for. */
  status: string | undefined;
  /** From the making of the revision to its end, or until now. */
  seconds = 0;
  /** When its revisions are to be asked for. */
  dueAt: number;
  #pause = FIRST_LOOK_MS;
  #latest: string | undefined;
  #updatedAt: unknown;
  readonly #started: number;

  constructor(
    /** Its name in the program. */
    readonly name: string,
    readonly id: string,
    readonly service: Service,
    now: number,
  ) {
    this.#started = now;
    this.dueAt = now + FIRST_LOOK_MS;
  }

  /** The deployment as listed; undefined when the service has it no longer. */
  sees(deployment: Properties | undefined, now: number): void {
    if (deployment === undefined || deployment.status === "AWAITING_DELETE") {
      this.#ends("failed", textOf(deployment?.status) ?? "not on the service", now);
      return;
    }
    const latest = textOf(deployment.latest_revision_id);
    this.revisionId ??= latest;
    this.seconds = secondsBetween(this.#started, now);
    if (this.revisionId === undefined) return;
    if (deployment.active_revision_id === this.revisionId) this.#ends("deployed", "DEPLOYED", now);
    const isNews = this.#updatedAt !== undefined && this.#updatedAt !== deployment.updated_at;
    if (isNews || latest !== (this.#latest ?? this.revisionId)) this.dueAt = Math.min(this.dueAt, now);
    this.#latest = latest;
    this.#updatedAt = deployment.updated_at;
  }

  /** Asks for the revision. Answers with the newer one that it follows from now on, in words, if there is one. */
  async look(now: number): Promise<string | undefined> {
    this.dueAt = now + this.#pause;
    this.#pause = Math.min(LONGEST_BETWEEN_LOOKS_MS, this.#pause * 2);
    if (this.revisionId === undefined) return undefined;
    try {
      return await this.#judge(this.revisionId, now);
    } catch (error) {
      // The next listing shows whether the deployment is gone.
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #judge(revisionId: string, now: number): Promise<string | undefined> {
    const { endpoints } = this.service;
    const revision = await findRevision(endpoints, this.id, revisionId);
    const status = textOf(revision?.status);
    this.status = status;
    if (status === "DEPLOYED") this.#ends("deployed", status, now, revision);
    if (status?.endsWith("_FAILED")) this.#ends("failed", status, now, revision);
    if (revision === undefined || (status !== "SKIPPED" && status !== "INTERRUPTED")) return undefined;
    const newer = (await revisionsOf(endpoints, this.id)).find(
      (other) => other.id !== revisionId && made(other) >= made(revision),
    );
    if (newer === undefined) {
      this.#ends("failed", status, now, revision);
      return undefined;
    }
    this.revisionId = this.#latest = newer.id as string;
    this.status = textOf(newer.status);
    this.#pause = FIRST_LOOK_MS;
    return `revision ${revisionId} was ${status}; following the newer revision ${newer.id}`;
  }

  #ends(end: "deployed" | "failed", status: string, now: number, revision?: Properties): void {
    const took = Date.parse(String(revision?.updated_at)) - made(revision ?? {});
    this.seconds = Number.isFinite(took) ? secondsBetween(0, took) : secondsBetween(this.#started, now);
    this.end = end;
    this.status = status;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function made(revision: Properties): number {
  return Date.parse(String(revision.created_at));
}

export function secondsBetween(from: number, to: number): number {
  return Math.round((to - from) / 100) / 10;
}
