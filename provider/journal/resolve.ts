/**
 * The only module that decides whether an attempt took effect: after a lost answer, in the next run, and for an
 * operation that the engine's state lists as pending. It compares the attempt with what the service shows.
 */
import type { Attempt, Intent, Moment } from "./attempt";
import { whenMade } from "./moment";

/** A creation attempted longer ago than this proves nothing, so the look-up by name decides. */
const OLDEST_MS = 30 * 24 * 3_600_000;

/** The parts of an attempt that `resolve` needs. */
export type Tried = Intent & Moment & Pick<Attempt, "answer">;

/** Something that the attempt may have made: a deployment with its name, or the latest revision of its deployment. */
export interface Candidate {
  readonly id: unknown;
  /** When the service made the candidate, according to the service. */
  readonly createdAt: unknown;
  /** How the candidate differs from what was sent, in words; undefined if the service shows no difference. */
  readonly difference?: string | undefined;
}

export interface Seen {
  readonly candidates: readonly Candidate[];
  /** The time, by our clock. */
  readonly now: number;
  /** How far the service's clock is ahead of ours, in ms. */
  readonly clockAhead: number;
}

export type Finding =
  /** The request took effect. `made`: the result; undefined if the request made nothing new. */
  | { readonly kind: "applied"; readonly made: Candidate | undefined; readonly because: string }
  /** The request had no effect, and can no longer arrive. */
  | { readonly kind: "absent" }
  /** The request has had no effect yet, but may still arrive. */
  | { readonly kind: "early"; readonly until: number }
  /** A candidate has appeared, but somebody else may have made it. */
  | { readonly kind: "unclear"; readonly because: string };

export function resolve(attempt: Tried, seen: Seen): Finding {
  const candidates = seen.candidates.filter(({ id }) => !attempt.known.includes(String(id)));
  const [candidate] = candidates;
  if (typeof attempt.answer === "string") return afterAnswer(attempt, attempt.answer, seen);
  const nothing: Finding =
    seen.now < attempt.expiresAt ? { kind: "early", until: attempt.expiresAt } : { kind: "absent" };
  // After an answer that names no revision, only the latest revision can show whether the request made a revision.
  const without: Finding = attempt.answer === null ? MADE_NOTHING : nothing;
  if (candidate === undefined) return without;
  const doubt =
    candidates.length > 1 ? `${candidates.length} have appeared since` : doubtAbout(attempt, candidate, seen);
  if (doubt === undefined) return { kind: "applied", made: candidate, because: BY_TRACE };
  // Names are unique, so a creation must stop. Somebody else's revision does not keep an update from arriving.
  return attempt.purpose === "create" ? { kind: "unclear", because: doubt } : without;
}

const BY_TRACE = "since then no other has appeared under this name, and it has all that was sent";
const BY_ANSWER = "the service had answered it";
const MADE_NOTHING = { kind: "applied", made: undefined, because: BY_ANSWER } as const;

/** The answer proves that the request arrived, but the revision that the answer names may be older than the request. */
function afterAnswer(attempt: Tried, answer: string, seen: Seen): Finding {
  const named = seen.candidates.find(({ id }) => id === answer);
  if (attempt.purpose !== "create") {
    const isNew = !attempt.known.includes(answer) && timeOf(attempt, named, seen) === "during";
    return isNew ? { ...MADE_NOTHING, made: named ?? { id: answer, createdAt: undefined } } : MADE_NOTHING;
  }
  if (named === undefined || isOld(attempt, seen)) return { kind: "absent" };
  if (named.difference !== undefined) return { kind: "unclear", because: named.difference };
  return { kind: "applied", made: named, because: BY_ANSWER };
}

/** Why somebody else may have made the candidate; undefined if the attempt made it. */
function doubtAbout(attempt: Tried, candidate: Candidate, seen: Seen): string | undefined {
  const time = timeOf(attempt, candidate, seen);
  if (time === undefined) return "it does not say when it was created";
  if (time === "before") return "it was created before the interrupted run asked for it";
  if (time === "after") return "it was created when the interrupted run's request could no longer arrive";
  if (attempt.purpose === "create" && isOld(attempt, seen)) return "the interrupted run was too long ago";
  return candidate.difference;
}

/** When the candidate was made. A revision that is not listed yet, or has no time, counts as new. */
function timeOf(attempt: Tried, candidate: Candidate | undefined, { clockAhead }: Seen) {
  const time = whenMade(candidate?.createdAt, attempt, clockAhead);
  return time ?? (attempt.purpose === "create" ? undefined : "during");
}

const isOld = ({ expiresAt }: Tried, { now }: Seen): boolean => now - expiresAt > OLDEST_MS;
