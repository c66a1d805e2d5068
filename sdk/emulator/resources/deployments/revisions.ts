/** Revisions: listed; the public service also reads one and deploys it again. */
import { REVISION_STATUSES } from "../../../../provider/fields/revision";
import { notFound } from "../../http/message";
import { BEYOND, boolean, type Call, list, pageOf, paging, param, type Route, route } from "../../http/route";
import type { JsonRecord } from "../../json";
import { changedAt, type Service } from "../../service";
import { deploymentOf, deploymentView, isRemoteReconciled, refuseDeleted } from "./storedDeployment";
import { makeRevision, revisionsAt, revisionView, type StoredRevision } from "./storedRevision";

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
