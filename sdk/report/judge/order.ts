/** The order in which a report lists resources. */
import { type ReportVerdict, VERDICTS } from "../model";

interface Ranked {
  readonly urn: string;
  readonly name: string;
  readonly verdict: ReportVerdict;
}

/** A copy, sorted by urgency of the verdict, then by name. */
export function byUrgency<R extends Ranked>(reports: readonly R[]): R[] {
  return [...reports].sort(
    (one, other) =>
      VERDICTS.indexOf(one.verdict) - VERDICTS.indexOf(other.verdict) ||
      ordered(one.name, other.name) ||
      ordered(one.urn, other.urn),
  );
}

const ordered = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
