/** The size of the suites, and the line in which each prints its figures. */

/** Whether the whole suite runs, as with `npm run test:faults`; `npm test` runs a short part. */
export const isWhole = process.env.DEPLOYMENT_CONTROL_FAULTS === "whole";

export function sized(short: number, whole: number): number {
  return isWhole ? whole : short;
}

/** Bypasses jest, which would add the code's location to each line. */
export function tellFigures(words: string): void {
  process.stderr.write(`figures: ${words}\n`);
}
