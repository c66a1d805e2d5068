/** Stacks without any change or warning. In a report on several stacks, one line names all of them. */
import type { Report } from "../model";
import { outlineOf } from "./outline";
import { hasChanges, numberOf } from "./words";

/** The reports to show in full, and the names of the other stacks; a report that is alone is shown. */
export function partedByChange(reports: readonly Report[]): {
  readonly shown: readonly Report[];
  readonly quiet: readonly string[];
} {
  const isQuiet = (report: Report) =>
    reports.length > 1 && !hasChanges(report) && outlineOf(report).warnings.length === 0;
  return {
    shown: reports.filter((report) => !isQuiet(report)),
    quiet: reports.filter(isQuiet).map(({ stack }) => stack),
  };
}

/** `Nothing changes in 18 stacks`. */
export const quietWords = (quiet: readonly string[]): string =>
  `Nothing changes in ${numberOf(quiet.length, "stack")}`;
