/** Lists revisions; the public service also reads one and deploys it again. */
import type { Properties } from "../../../../provider/fields/value";
import { notFound } from "../../http/message";
import { pageOf, param, type Route, type RoutedRequest, route } from "../../http/route";
import { changedAt, type EmulatedService } from "../../service";
import { filtersOf, selection } from "./filters";
import { deploymentOf, deploymentView, isRemoteReconciled, refuseDeleted } from "./storedDeployment";
import { makeRevision, revisionsAt, revisionView, type StoredRevision } from "./storedRevision";

const REVISIONS = "/v2/deployments/{deployment_id}/revisions";
const REVISION = `${REVISIONS}/{revision_id}`;

export function revisionRoutes(service: EmulatedService): Route[] {
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

function listRevisions(service: EmulatedService, call: RoutedRequest) {
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

/** The revision that the request names; 404 if its deployment does not have it. */
function revisionOf(service: EmulatedService, call: RoutedRequest): StoredRevision {
  const id = param(call, "revision_id");
  const revisions = revisionsAt(deploymentOf(service, call), service.makes.now());
  const revision = revisions.find((other) => other.id === id.toLowerCase());
  if (!revision) throw notFound("Revision", id);
  return revision;
}

/** Makes a revision with the source and settings of an existing one. */
function redeploy(service: EmulatedService, call: RoutedRequest): Properties {
  const stored = deploymentOf(service, call);
  const { source, source_revision_config, repo_commit_sha } = revisionOf(service, call);
  refuseDeleted(stored);
  const config = structuredClone(source_revision_config);
  makeRevision(service, stored, { source, config, commitSha: repo_commit_sha ?? undefined, occasion: call });
  stored.updated_at = changedAt(service, stored.updated_at);
  return deploymentView(service, stored);
}
