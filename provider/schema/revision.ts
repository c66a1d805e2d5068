/** Revision: read only. */
import { SOURCES, sourceRevisionConfigRows } from "./deployment";
import { choice, object, part, required, text, timestamp, uuid } from "./kind";

export const REVISION_STATUSES = [
  "CREATING",
  "QUEUED",
  "AWAITING_BUILD",
  "BUILDING",
  "AWAITING_DEPLOY",
  "DEPLOYING",
  "CREATE_FAILED",
  "BUILD_FAILED",
  "DEPLOY_FAILED",
  "DEPLOYED",
  "SKIPPED",
  "INTERRUPTED",
  "UNKNOWN",
] as const;

export const revisionRows = {
  /** System-assigned id. */
  id: required(part("id", uuid)),
  /** Time of creation. */
  createdAt: part("created_at", timestamp),
  /** Time of the last status change. */
  updatedAt: part("updated_at", timestamp),
  /** Status of the revision. */
  status: required(part("status", choice(...REVISION_STATUSES))),
  /** Kind of source that the revision was built from. */
  source: part("source", choice(...SOURCES)),
  /** Settings of this revision. */
  sourceRevisionConfig: part(
    "source_revision_config",
    object({
      ...sourceRevisionConfigRows,
      /** Commit that the revision was built from. */
      repoCommitSha: part("repo_commit_sha", text),
    } as const),
  ),
} as const;
