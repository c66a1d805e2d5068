/** Revisions: listed; the public service also reads one and deploys it again. */
import { notFound } from "../../http/message";
import { type Call, pageOf, param, type Route, route } from "../../http/route";
import type { JsonRecord } from "../../json";
import { changedAt, type Service } from "../../service";
import { filtersOf, selection } from "./filters";
import { deploymentOf, deploymentView, isRemoteReconciled, refuseDeleted } from "./storedDeployment";
import { makeRevision, revisionsAt, revisionView, type StoredRevision } from "./storedRevision";

const REVISIONS = "/v2/deployments/{deployment_id}/revisions";
const REVISION = `${REVISIONS}/{revision_id}`;

export function revisionRoutes(service: Service): Route[] {
  return [
    route(`GET ${REVISIONS}`, (call) => listRevisions(service, call), {
      query: filtersOf("revisions", service.profile),
    }),
    route(`GET ${REVISION}`, (call) => revisionView(service, revisionOf(service, call)), {
      needs: "getDeployment",
    }),
    route(`POST ${REVISION}/redeploy`, (call) => redeploy(service, call), {
      needs: "getDeployment",
      bodyless: true,
    }),
  ];
}

function listRevisions(service: Service, call: Call) {
  const deployment = deploymentOf(service, call);
  const now = service.makes.now();
  const views = revisionsAt(deployment, now)
    .reverse()
    .map((revision) => revisionView(service, revision, now));
  const { behaviour, profile } = service;
  const selects = selection("revisions", profile, behaviour.ignoreFilters ? {} : call.query);
  const matches = views.filter(({ status }) =>
    selects({ statuses: () => status, remoteReconciled: () => isRemoteReconciled(deployment) }),
  );
  return pageOf(matches, call.query, behaviour);
}

/** The revision of the call; 404 when its deployment has none of the id. */
function revisionOf(service: Service, call: Call): StoredRevision {
  const id = param(call, "revision_id");
  const revisions = revisionsAt(deploymentOf(service, call), service.makes.now());
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
  stored.updated_at = changedAt(service, stored.updated_at);
  return deploymentView(service, stored);
}
