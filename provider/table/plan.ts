/** The effect of an update of a resource that is a table, for `diff`, `update` and the report of a preview. */
import type { ClassedRows } from "../fields/kind";
import { isAbsent, normalizedRows, type Properties, rowsIn } from "../fields/value";
import type { Profile } from "../profiles/profiles";
import { type Change, changesBetween, type Verdict, verdictOf } from "../verdict/changes";

export interface PlannedTable {
  readonly rows: ClassedRows;
  /** Whether a PATCH carries all managed fields, and cannot clear one that is no longer managed. */
  readonly patchesAll?: boolean;
}

/** The arguments alone, in normal form. */
export function argumentsOf({ rows }: PlannedTable, properties: Properties): Properties {
  return normalizedRows(rows, rowsIn(rows, properties));
}

export interface TablePlan {
  /** The arguments on both sides, in normal form. */
  readonly before: Properties;
  readonly after: Properties;
  readonly changes: readonly Change[];
  readonly verdict: Verdict;
}

export function planTable(
  table: PlannedTable,
  olds: Properties,
  news: Properties,
  profile: Profile,
): TablePlan {
  const [before, after] = [argumentsOf(table, olds), argumentsOf(table, news)];
  const changes = changesBetween(table.rows, before, after, profile).map((change) =>
    staysWithService(table, change) ? ({ ...change, effect: "kept" } as const) : change,
  );
  return { before, after, changes, verdict: verdictOf(changes) };
}

function staysWithService({ rows, patchesAll }: PlannedTable, change: Change): boolean {
  return patchesAll === true && isAbsent(change.after) && rows[change.path]?.wire !== undefined;
}
