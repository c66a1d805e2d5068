/** The answer of `planOf`. */

type Effect = "replace" | "new-revision" | "may-create-revision" | "in-place";

/** The plan of a deployment's update. */
export interface PlannedUpdate {
  /** The verdict, as in the report. */
  readonly verdict: Effect | "unchanged";
  /** The reasons, one for each changed argument, as in the report: a secret is `[secret]`, a missing value is null. */
  readonly reasons: readonly PlannedChange[];
  /** The line that the plan shows, without the resource's name; empty if nothing changes. */
  readonly line: string;
}

interface PlannedChange {
  /** The argument's path, such as `sourceRevisionConfig.imageUri`. */
  readonly path: string;
  /** The effect of the change; `kept` if the change has no effect, because the service cannot clear the field. */
  readonly effect: Effect | "kept";
  readonly before: unknown;
  readonly after: unknown;
}
