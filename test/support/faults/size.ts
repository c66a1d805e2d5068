/** The size of the suites, and the line in which each prints its figures. */

/** Whether the whole suite runs, as with `npm run test:faults`; `npm test` runs a short part. */
export const isWhole = process.env.DEPLOYMENT_CONTROL_FAULTS === "whole";

export function sized(short: number, whole: number): number {
  return isWhole ? whole : short;
}

/** Declares a test that only the whole suites run; a short run does not count it as skipped. */
export function inTheWhole(title: string, run: () => Promise<void>, timeoutMs?: number): void {
  if (isWhole) test(title, run, timeoutMs);
}

/** Bypasses jest, which would add the code's location to each line. */
export function tellFigures(words: string): void {
  process.stderr.write(`figures: ${words}\n`);
}
