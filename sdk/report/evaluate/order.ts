/** The order in which a report lists resources. */
import { compareTexts } from "../../../provider/schema/words";
import { type ReportVerdict, VERDICTS } from "../model";

interface Ranked {
  readonly urn: string;
  readonly name: string;
  readonly verdict: ReportVerdict;
}

/** A copy of the reports, sorted by urgency of the verdict, then by name. */
export function byUrgency<R extends Ranked>(reports: readonly R[]): R[] {
  return [...reports].sort(
    (first, second) =>
      VERDICTS.indexOf(first.verdict) - VERDICTS.indexOf(second.verdict) ||
      compareTexts(first.name, second.name) ||
      compareTexts(first.urn, second.urn),
  );
}
