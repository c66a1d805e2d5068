/** The answer of `planOf`. */

type Effect = "replace" | "new-revision" | "may-create-revision" | "in-place";

/** The plan of a deployment's update. */
export interface PlannedUpdate {
  /** As in the report. */
  readonly verdict: Effect | "unchanged";
  /**
   * One reason for each argument that changes, as in the report: secret values show as `[secret]`, absent ones as null.
   */
  readonly reasons: readonly PlannedChange[];
  /** The plan's line, without the resource's name; empty if nothing changes. */
  readonly line: string;
}

interface PlannedChange {
  /** Such as `sourceRevisionConfig.imageUri`. */
  readonly path: string;
  /** `kept`: none, because the service cannot clear the field. */
  readonly effect: Effect | "kept";
  readonly before: unknown;
  readonly after: unknown;
}
