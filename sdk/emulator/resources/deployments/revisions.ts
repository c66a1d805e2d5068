/** Revisions: listed, and made by pushes; the public service also reads one and deploys it again. */
import { REVISION_STATUSES } from "../../../../provider/fields/revision";
import { notFound } from "../../http/answer";
import { boolean, list, pageOf, paging } from "../../http/query";
import { BEYOND, type Call, param, type Route, route } from "../../http/route";
import type { JsonRecord } from "../../json";
import { changedAt, type Service } from "../../service";
import {
  deploymentOf,
  deployments,
  deploymentView,
  isRemoteReconciled,
  refuseDeleted,
} from "./storedDeployment";
import {
  latestRevision,
  makeRevision,
  revisionsAt,
  revisionView,
  type StoredRevision,
} from "./storedRevision";

/** A revision on the wire, as tests see it. */
export interface RevisionState {
  id: string;
  created_at: string;
  updated_at: string;
  status: string;
  source: string;
  source_revision_config: { repo_commit_sha: string | null; [name: string]: unknown };
}

/** What a push brings; what is left out stays or is generated. */
export interface Push {
  repoRef?: string;
  commitSha?: string;
}

const STATUSES: readonly string[] = REVISION_STATUSES;
const REVISIONS = "/v2/deployments/{deployment_id}/revisions";
const REVISION = `${REVISIONS}/{revision_id}`;

export function revisionRoutes(service: Service): Route[] {
  return [
    route(`GET ${REVISIONS}`, (call) => listRevisions(service, call), {
      query: {
        ...paging,
        status: list((status) => STATUSES.includes(status), `some of ${STATUSES.join(", ")}`),
        remote_reconciled: boolean,
      },
    }),
    route(`GET ${REVISION}`, (call) => revisionView(service, revisionOf(service, call)), BEYOND),
    route(`POST ${REVISION}/redeploy`, (call) => redeploy(service, call), { ...BEYOND, bodyless: true }),
  ];
}

function listRevisions(service: Service, call: Call) {
  const deployment = deploymentOf(service, call);
  const now = Date.now();
  const views = revisionsAt(deployment, now)
    .reverse()
    .map((revision) => revisionView(service, revision, now));
  const filters = service.behaviour.ignoreFilters ? {} : call.query;
  const { status, remote_reconciled: remote } = filters as typeof call.query;
  const wanted = views.filter(
    (view) =>
      (status === undefined || (status as readonly string[]).includes(view.status as string)) &&
      (remote === undefined || remote === isRemoteReconciled(deployment)),
  );
  return pageOf(wanted, call.query, service.behaviour);
}

/** The revision of the call; 404 when its deployment has none of the id. */
function revisionOf(service: Service, call: Call): StoredRevision {
  const id = param(call, "revision_id");
  const revisions = revisionsAt(deploymentOf(service, call), Date.now());
  const revision = revisions.find((other) => other.id === id.toLowerCase());
  if (!revision) throw notFound("Revision", id);
  return revision;
}

/** A new revision with the source and the settings of an existing one. */
function redeploy(service: Service, call: Call): JsonRecord {
  const stored = deploymentOf(service, call);
  const { source, source_revision_config, repo_commit_sha } = revisionOf(service, call);
  refuseDeleted(stored);
  const config = structuredClone(source_revision_config);
  makeRevision(service, stored, { source, config, commitSha: repo_commit_sha ?? undefined, occasion: call });
  stored.updated_at = changedAt(stored.updated_at);
  return deploymentView(service, stored);
}

/** A new revision that the service makes by itself, as after a push to the branch. */
export function push(
  service: Service,
  deploymentId: string,
  { repoRef, commitSha }: Push = {},
): RevisionState {
  const stored = deployments.find(service, deploymentId);
  const before = stored.revisions.at(-1);
  const config = { ...before?.source_revision_config, ...(repoRef !== undefined && { repo_ref: repoRef }) };
  const revision = makeRevision(service, stored, {
    source: before?.source ?? stored.source,
    config,
    commitSha,
  });
  stored.updated_at = changedAt(stored.updated_at);
  return revisionView(service, revision) as unknown as RevisionState;
}

/** Ends the newest revision now with the status, whatever its pace. */
export function settle(service: Service, deploymentId: string, status: string): void {
  const latest = latestRevision(deployments.find(service, deploymentId), Date.now());
  if (!latest) throw new TypeError(`deployment ${deploymentId} has no revision yet`);
  latest.end = { status, atMs: Date.now() };
}
