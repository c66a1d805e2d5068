/** A test that only the whole suites have: it is not counted as skipped in the short ones. */
import { isWhole } from "./size";

export function inTheWhole(title: string, run: () => Promise<void>, timeoutMs?: number): void {
  if (isWhole) test(title, run, timeoutMs);
}
