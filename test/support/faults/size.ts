/** The size of the suites, and the line in which each suite prints its figures. */

/** Whether the suites run in full, as with `--part faults`; `npm test` runs only a part of these suites. */
export const isWhole = ["faults", "all"].includes(process.env.TEST_PART ?? "");

export function sized(short: number, whole: number): number {
  return isWhole ? whole : short;
}

/** Declares a test that runs only in the full suites. A short run does not even count the test as skipped. */
export function inTheWhole(title: string, run: () => Promise<void>, timeoutMs?: number): void {
  if (isWhole) test(title, run, timeoutMs);
}

/** Prints figures directly, because jest would add the code's location to each line. */
export function tellFigures(words: string): void {
  process.stderr.write(`figures: ${words}\n`);
}
