/** How large the suites are, and the one line in which each tells its figures. */

/** All of it, with `npm run test:faults`; a short part of it in `npm test`. */
export const isWhole = process.env.DEPLOYMENT_CONTROL_FAULTS === "whole";

export function sized(short: number, whole: number): number {
  return isWhole ? whole : short;
}

/** Written past jest, which would put the place in the code beside each line. */
export function tellFigures(words: string): void {
  process.stderr.write(`figures: ${words}\n`);
}
