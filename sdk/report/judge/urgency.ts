/** The order of a report: what a reviewer must look at first comes first. */
import { type ReportVerdict, VERDICTS } from "../model";

interface Judged {
  readonly urn: string;
  readonly name: string;
  readonly verdict: ReportVerdict;
}

/** A copy, by verdict, then by name. */
export function byUrgency<J extends Judged>(judged: readonly J[]): J[] {
  return [...judged].sort(
    (one, other) =>
      VERDICTS.indexOf(one.verdict) - VERDICTS.indexOf(other.verdict) ||
      ordered(one.name, other.name) ||
      ordered(one.urn, other.urn),
  );
}

const ordered = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
