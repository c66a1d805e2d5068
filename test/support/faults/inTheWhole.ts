/** A test only for the whole suites; in the short ones it does not count as skipped. */
import { isWhole } from "./size";

export function inTheWhole(title: string, run: () => Promise<void>, timeoutMs?: number): void {
  if (isWhole) test(title, run, timeoutMs);
}
