/** Which revision a PATCH made, as opposed to a push that came in between. */

import type { Clock } from "../../client/clock";
import type { Answered, Endpoints } from "../../client/endpoints";
import type { Properties } from "../../fields/value";
import { findRevision } from "../../waiting/revisions";

/** Clocks that are this close are taken to agree; the service tells its time only to the second. */
const AGREEMENT_MS = 1_500;
/** By how much a revision may seem older than the request that made it. */
const TOLERANCE_MS = 50;

/** Whether a PATCH made a revision, and the revision as the list has it (only looked at when the latest one moved). */
export interface Made {
  /** Undefined while the service names no revision. */
  readonly made: boolean | undefined;
  readonly revision: Properties | undefined;
}

/**
 * Compares the latest revision that a PATCH answered with the one in the state. When it moved, one GET of the
 * revisions tells when it was created: before the PATCH was sent, it was a push.
 */
export async function revisionMadeBy(
  endpoints: Endpoints,
  clock: Clock,
  deploymentId: string,
  recorded: unknown,
  answer: Answered,
  sentAt: number,
): Promise<Made> {
  const latest = answer.resource.latest_revision_id;
  if (typeof latest !== "string") return { made: undefined, revision: undefined };
  if (latest === recorded) return { made: false, revision: undefined };
  const answeredAt = clock.now();
  const revision = await findRevision(endpoints, deploymentId, latest);
  const sharp = sharpSkew(answer, sentAt, answeredAt);
  const made =
    sharp === undefined
      ? createdSince(revision, sentAt, skew(answer.serviceTime, sentAt, answeredAt))
      : createdAfter(revision, sentAt + sharp - (sharp === 0 ? 0 : answeredAt - sentAt));
  return { made, revision };
}

/**
 * Whether a request that was sent at that moment of our clock, and could not arrive after the other one, may have made
 * the revision: with room for clocks that differ, since a second revision is the worse mistake.
 */
export function createdWithinInDoubt(
  endpoints: Endpoints,
  revision: Properties | undefined,
  sentAt: number,
  overAt = Number.POSITIVE_INFINITY,
): boolean {
  if (!createdAfter(revision, sentAt + endpoints.clockAhead - AGREEMENT_MS)) return false;
  const createdAt = Date.parse(String(revision?.created_at));
  return Number.isNaN(createdAt) || createdAt <= overAt + endpoints.clockAhead + AGREEMENT_MS;
}

/** Whether a revision was created at or after that moment of our clock. */
export function createdSince(revision: Properties | undefined, moment: number, clockSkew: number): boolean {
  return createdAfter(revision, moment + clockSkew - (clockSkew === 0 ? 0 : AGREEMENT_MS));
}

/** Whether a revision was created at or after that moment of the service's clock, as far as its words are exact. */
function createdAfter(revision: Properties | undefined, moment: number): boolean {
  const createdAt = Date.parse(String(revision?.created_at));
  // A revision that does not say when it was made is taken for ours: its id is new.
  if (Number.isNaN(createdAt)) return true;
  const coarse = isExact(revision?.created_at) ? 0 : 1_000;
  return createdAt >= moment - TOLERANCE_MS - coarse;
}

function isExact(timestamp: unknown): boolean {
  return /\.\d/.test(String(timestamp));
}

/**
 * How far the service's clock is ahead of ours, told by when it says that the PATCH changed the deployment; 0 where
 * they agree. Undefined where that moment is coarse, or not that of the answer: then this PATCH did not set it.
 */
function sharpSkew(
  { resource, serviceTime }: Answered,
  sentAt: number,
  answeredAt: number,
): number | undefined {
  const changedAt = Date.parse(String(resource.updated_at));
  if (serviceTime === undefined || Number.isNaN(changedAt) || !isExact(resource.updated_at)) return undefined;
  // The answer's own time is cut to the second.
  if (changedAt < serviceTime - (answeredAt - sentAt) || changedAt >= serviceTime + 1_000) return undefined;
  const ahead = changedAt - sentAt;
  return ahead >= -TOLERANCE_MS && ahead <= answeredAt - sentAt + TOLERANCE_MS ? 0 : ahead;
}

/** How far the service's clock is ahead of ours, 0 where they agree as far as can be told. */
function skew(serviceTime: number | undefined, sentAt: number, answeredAt: number): number {
  if (serviceTime === undefined) return 0;
  const ahead = serviceTime + 500 - answeredAt;
  return Math.abs(ahead) <= AGREEMENT_MS + (answeredAt - sentAt) ? 0 : ahead;
}
