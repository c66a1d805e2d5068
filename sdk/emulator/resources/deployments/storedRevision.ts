/** Stored revisions. A revision's status depends only on the clock, so a restart does not change the status. */

import { randomBytes, randomUUID } from "node:crypto";
import { sourceRevisionConfigRows } from "../../../../provider/schema/deployment";
import type { Rows } from "../../../../provider/schema/kind";
import type { Properties } from "../../../../provider/schema/value";
import { wireName } from "../../../../provider/schema/wire";
import type { Occasion } from "../../faults";
import { type EmulatedService, timestampOf } from "../../service";
import { sourceOn } from "../../table";

export interface StoredRevision {
  readonly id: string;
  readonly source: string;
  readonly createdMs: number;
  /**
   * When the revision's first status begins: at the creation, or later if the deployment awaits its database.
   */
  readonly startMs: number;
  /** Duration of each status except the last. */
  readonly stepMs: number;
  readonly statuses: readonly string[];
  source_revision_config: Properties;
  repo_commit_sha: string | null;
  /** The `status_message` that answers show once the revision has failed. */
  message?: string | undefined;
  /** Set if a newer revision or a test ended the revision early. */
  end?: { readonly status: string; readonly atMs: number };
}

/** The fields of a deployment that revisions need. */
interface Owner {
  readonly id: string;
  readonly databaseReadyMs: number;
  /** The values that a test has set for computed fields. */
  overrides: Properties;
  /** The revisions, oldest first. */
  readonly revisions: StoredRevision[];
}

const QUEUE = ["CREATING", "QUEUED"];
const BUILD = ["AWAITING_BUILD", "BUILDING"];
const DEPLOY = ["AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"];
/** For each failure, the status that precedes it. */
const FAILS_AFTER: Readonly<Record<string, string>> = {
  CREATE_FAILED: "CREATING",
  BUILD_FAILED: "BUILDING",
  DEPLOY_FAILED: "DEPLOYING",
};

const isBuilt = (source: string): boolean => !["external_docker", "internal_docker"].includes(source);

interface RevisionSpec {
  readonly source: string;
  readonly config: Properties;
  readonly commitSha?: string | undefined;
  /** The request that makes the revision; undefined if no request makes it, as after a push. */
  readonly occasion?: Occasion | undefined;
}

/** Adds a revision to the deployment, and ends the deployment's unfinished revisions. */
export function makeRevision(
  service: EmulatedService,
  deployment: Owner,
  spec: RevisionSpec,
): StoredRevision {
  const now = Date.now();
  const fault = service.faults.forRevision(spec.occasion);
  const statuses = statusesOf(service, spec.source, fault?.status);
  for (const older of deployment.revisions) interrupt(older, now);
  const isFromRepository = spec.source === sourceOn(service.profile, "repohost");
  const revision: StoredRevision = {
    id: randomUUID(),
    source: spec.source,
    createdMs: now,
    startMs: Math.max(now, deployment.databaseReadyMs),
    stepMs: (service.behaviour.revisionSeconds * 1000) / Math.max(1, statuses.length - 1),
    statuses,
    source_revision_config: spec.config,
    repo_commit_sha: spec.commitSha ?? (isFromRepository ? randomBytes(20).toString("hex") : null),
    message: fault?.message,
  };
  deployment.revisions.push(revision);
  const { latest_revision_id, active_revision_id, ...overrides } = deployment.overrides;
  deployment.overrides = overrides;
  return revision;
}

function statusesOf(
  service: EmulatedService,
  source: string,
  endsWith: string | undefined,
): readonly string[] {
  const { revisionStatuses = [] } = service.behaviour;
  const usual =
    revisionStatuses.length > 0 ? revisionStatuses : [...QUEUE, ...(isBuilt(source) ? BUILD : []), ...DEPLOY];
  if (endsWith === undefined) return [...usual];
  const failing = usual.indexOf(FAILS_AFTER[endsWith] ?? "");
  return [...usual.slice(0, failing < 0 ? -1 : failing + 1), endsWith];
}

function interrupt(revision: StoredRevision, now: number): void {
  const isFinished = revision.end !== undefined || stepAt(revision, now) === revision.statuses.length - 1;
  if (!isFinished) revision.end = { status: "INTERRUPTED", atMs: now };
}

function stepAt(revision: StoredRevision, now: number): number {
  const last = revision.statuses.length - 1;
  const elapsed = now - revision.startMs;
  if (revision.stepMs === 0) return elapsed < 0 ? 0 : last;
  return Math.max(0, Math.min(last, Math.floor(elapsed / revision.stepMs)));
}

/** The revision's status at the time `now`, and when that status began. */
function statusAt(revision: StoredRevision, now: number): { status: string; sinceMs: number } {
  if (revision.end) return { status: revision.end.status, sinceMs: revision.end.atMs };
  const step = stepAt(revision, now);
  return { status: revision.statuses[step] ?? "UNKNOWN", sinceMs: revision.startMs + step * revision.stepMs };
}

/** The revisions that exist at the time `now`, oldest first. The first revision exists once the database is ready. */
export function revisionsAt({ revisions }: Owner, now: number): StoredRevision[] {
  return revisions.filter(({ startMs }) => startMs <= now);
}

export function latestRevision(deployment: Owner, now: number): StoredRevision | undefined {
  return revisionsAt(deployment, now).at(-1);
}

export function activeRevision(deployment: Owner, now: number): StoredRevision | undefined {
  return revisionsAt(deployment, now)
    .filter((revision) => statusAt(revision, now).status === "DEPLOYED")
    .at(-1);
}

/** Answers show a field without a value as null. */
export function nullsOf({ profile }: EmulatedService, section: string, rows: Rows): Properties {
  const present = Object.entries(rows).filter(([name]) => !profile.lacks.includes(`${section}.${name}`));
  const wires = present.map(([name, field]) => wireName(field, `${section}.${name}`, profile));
  return Object.fromEntries(wires.map((wire) => [wire, null]));
}

export function revisionConfigView(
  service: EmulatedService,
  revision: StoredRevision | undefined,
): Properties {
  return {
    ...nullsOf(service, "sourceRevisionConfig", sourceRevisionConfigRows),
    ...revision?.source_revision_config,
    repo_commit_sha: revision?.repo_commit_sha ?? null,
  };
}

export function revisionView(
  service: EmulatedService,
  revision: StoredRevision,
  now = Date.now(),
): Properties {
  const { status, sinceMs } = statusAt(revision, now);
  return {
    id: revision.id,
    created_at: timestampOf(revision.createdMs),
    updated_at: timestampOf(Math.max(revision.createdMs, sinceMs)),
    status,
    source: revision.source,
    source_revision_config: revisionConfigView(service, revision),
    ...(revision.message !== undefined && status.endsWith("_FAILED") && { status_message: revision.message }),
  };
}
