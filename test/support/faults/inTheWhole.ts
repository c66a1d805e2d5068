/** Declares a test that only the whole suites run; a short run does not count it as skipped. */
import { isWhole } from "./size";

export function inTheWhole(title: string, run: () => Promise<void>, timeoutMs?: number): void {
  if (isWhole) test(title, run, timeoutMs);
}
