/** Revisions: made, walked through their statuses, listed. Statuses follow from the clock alone, so that they survive a restart. */
import { randomBytes, randomUUID } from "node:crypto";
import { sourceRevisionConfigRows } from "../../provider/fields/deployment";
import { REVISION_STATUSES } from "../../provider/fields/revision";
import type { Occasion } from "./faults";
import type { JsonRecord } from "./mergePatch";
import { pageOf, pageRows, type Query, type QueryRows } from "./query";
import { notFound } from "./refusal";
import { deploymentById, type Service, timestampOf } from "./service";
import type { StoredDeployment, StoredRevision } from "./store";
import { fieldNameOf } from "./wireProfile";

const BUILT = [
  "CREATING",
  "QUEUED",
  "AWAITING_BUILD",
  "BUILDING",
  "AWAITING_DEPLOY",
  "DEPLOYING",
  "DEPLOYED",
];
const NOT_BUILT = ["CREATING", "QUEUED", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"];
/** The status during which a failure comes to light. */
const FAILS_AFTER: Readonly<Record<string, string>> = {
  CREATE_FAILED: "CREATING",
  BUILD_FAILED: "BUILDING",
  DEPLOY_FAILED: "DEPLOYING",
};

const isBuilt = (source: string): boolean => !["external_docker", "internal_docker"].includes(source);

export interface RevisionSpec {
  readonly source: string;
  readonly config: JsonRecord;
  readonly commitSha?: string | undefined;
  /** The request that makes it; none when the service itself does. */
  readonly occasion?: Occasion | undefined;
}

/** Adds a revision to the deployment; unfinished ones before it are superseded. */
export function makeRevision(
  service: Service,
  deployment: StoredDeployment,
  spec: RevisionSpec,
): StoredRevision {
  const now = Date.now();
  const fault = service.faults.forRevision(spec.occasion);
  const statuses = statusesOf(service, spec.source, fault?.status);
  for (const older of deployment.revisions) supersede(older, service.behaviour.superseded, now);
  const revision: StoredRevision = {
    id: randomUUID(),
    source: spec.source,
    createdMs: now,
    startMs: Math.max(now, deployment.databaseReadyMs),
    stepMs: (service.behaviour.revisionSeconds * 1000) / Math.max(1, statuses.length - 1),
    statuses,
    source_revision_config: spec.config,
    repo_commit_sha: spec.commitSha ?? (isBuilt(spec.source) ? randomBytes(20).toString("hex") : null),
  };
  deployment.revisions.push(revision);
  deployment.overrides = withoutRevisionIds(deployment.overrides);
  return revision;
}

function statusesOf(service: Service, source: string, endsWith: string | undefined): readonly string[] {
  const usual = service.behaviour.revisionStatuses ?? (isBuilt(source) ? BUILT : NOT_BUILT);
  if (endsWith === undefined) return [...usual];
  const failing = usual.indexOf(FAILS_AFTER[endsWith] ?? "");
  return [...usual.slice(0, failing < 0 ? -1 : failing + 1), endsWith];
}

function withoutRevisionIds({ latest_revision_id, active_revision_id, ...rest }: JsonRecord): JsonRecord {
  return rest;
}

function stepAt(revision: StoredRevision, now: number): number {
  const last = revision.statuses.length - 1;
  const elapsed = now - revision.startMs;
  if (revision.stepMs === 0) return elapsed < 0 ? 0 : last;
  return Math.max(0, Math.min(last, Math.floor(elapsed / revision.stepMs)));
}

function supersede(revision: StoredRevision, status: string, now: number): void {
  const isFinished = revision.end !== undefined || stepAt(revision, now) === revision.statuses.length - 1;
  if (!isFinished) revision.end = { status, atMs: now };
}

/** The status of a revision at a time, and since when it has it. */
export function statusAt(revision: StoredRevision, now: number): { status: string; sinceMs: number } {
  if (revision.end) return { status: revision.end.status, sinceMs: revision.end.atMs };
  const step = stepAt(revision, now);
  return { status: revision.statuses[step] ?? "UNKNOWN", sinceMs: revision.startMs + step * revision.stepMs };
}

/** The revisions that there are by now, oldest first: the first one comes with the database. */
export function revisionsAt(deployment: StoredDeployment, now: number): StoredRevision[] {
  return deployment.revisions.filter(({ startMs }) => startMs <= now);
}

export function latestRevision(deployment: StoredDeployment, now: number): StoredRevision | undefined {
  return revisionsAt(deployment, now).at(-1);
}

export function activeRevision(deployment: StoredDeployment, now: number): StoredRevision | undefined {
  return revisionsAt(deployment, now)
    .filter((revision) => statusAt(revision, now).status === "DEPLOYED")
    .at(-1);
}

/** `source_revision_config` as answers show it: every field, null where there is none. */
export function revisionConfigView(service: Service, revision: StoredRevision | undefined): JsonRecord {
  const wires = Object.values(sourceRevisionConfigRows).map(({ wire }) =>
    fieldNameOf(service.profile, wire ?? ""),
  );
  return {
    ...Object.fromEntries(wires.map((wire) => [wire, null])),
    ...revision?.source_revision_config,
    repo_commit_sha: revision?.repo_commit_sha ?? null,
  };
}

export function revisionView(service: Service, revision: StoredRevision, now: number): JsonRecord {
  const { status, sinceMs } = statusAt(revision, now);
  return {
    id: revision.id,
    created_at: timestampOf(revision.createdMs),
    updated_at: timestampOf(Math.max(revision.createdMs, sinceMs)),
    status,
    source: revision.source,
    source_revision_config: revisionConfigView(service, revision),
  };
}

export function revisionById(service: Service, deploymentId: string, id: string): StoredRevision {
  const revisions = revisionsAt(deploymentById(service, deploymentId), Date.now());
  const revision = revisions.find((other) => other.id === id.toLowerCase());
  if (!revision) throw notFound("Revision", id);
  return revision;
}

export const isRemoteReconciled = (deployment: StoredDeployment): boolean =>
  deployment.remote_reconciled ?? deployment.source_config.listener_id != null;

export const revisionQuery: QueryRows = {
  ...pageRows,
  status: { type: "list", of: REVISION_STATUSES },
  remote_reconciled: { type: "boolean" },
};

export function listRevisions(service: Service, deploymentId: string, query: Query) {
  const deployment = deploymentById(service, deploymentId);
  const now = Date.now();
  const views = revisionsAt(deployment, now)
    .reverse()
    .map((revision) => revisionView(service, revision, now));
  const { status, remote_reconciled: remote } = service.behaviour.ignoreFilters ? ({} as Query) : query;
  const wanted = views.filter(
    (view) =>
      (status === undefined || (status as readonly string[]).includes(view.status as string)) &&
      (remote === undefined || remote === isRemoteReconciled(deployment)),
  );
  return pageOf(wanted, query, service.behaviour);
}
