/** Makes and lists revisions. The public service also reads a single revision. */

import type { Profile } from "../../../../provider/profiles/profile";
import { schemaOfRows } from "../../../../provider/schema/check";
import { deploymentRows, sourceConfigRows } from "../../../../provider/schema/deployment";
import { choice, computed, group, integerFrom } from "../../../../provider/schema/kind";
import { notFound } from "../../http/message";
import { pageOf, param, type Route, type RoutedRequest, route } from "../../http/route";
import type { EmulatedService } from "../../service";
import { BODY, type BodyRules, checkBody, patchRules } from "../../validation";
import { changeDeployment, table } from "./deployments";
import { filtersOf, selection } from "./filters";
import { deploymentOf, isRemoteReconciled } from "./storedDeployment";
import { revisionsAt, revisionView, type StoredRevision } from "./storedRevision";

const REVISIONS = "/v2/deployments/{deployment_id}/revisions";
const REVISION = `${REVISIONS}/{revision_id}`;

/** A revision's body has all revision settings, and the fields of `source_config` that belong to a revision. */
function revisionRules(profile: Profile): BodyRules {
  const { sourceRevisionConfig, secrets, secretReferences } = deploymentRows;
  const config = Object.entries(sourceConfigRows).filter(([name]) =>
    Object.hasOwn(profile.ofRevisionCall, `sourceConfig.${name}`),
  );
  const sourceConfig = group("source_config", Object.fromEntries(config));
  const rows = { sourceConfig, sourceRevisionConfig, secrets, secretReferences };
  return patchRules(profile, { rows, readOnly: table.readOnly }, true, ["sourceRevisionConfig"]);
}

const logRows = {
  order: computed(choice("asc", "desc")),
  limit: computed({ type: "integer", minimum: 1, maximum: 1000 }),
  offset: computed(integerFrom(0)),
};

export function revisionRoutes(service: EmulatedService): Route[] {
  const rules = revisionRules(service.profile);
  const { logs } = service.profile;
  const logRoutes = (logs === undefined ? [] : ["build", "deploy"]).map((kind) =>
    route(`POST ${logs}/{deployment_id}/revisions/{revision_id}/${kind}_logs`, (call) =>
      readLog(service, call, kind),
    ),
  );
  return [
    ...logRoutes,
    // Makes a revision, even if nothing changes.
    route(
      `POST ${REVISIONS}`,
      (call) => {
        const revision = changeDeployment(service, call, rules, () => true);
        return revision && revisionView(service, revision);
      },
      { needs: "createRevision", status: 201 },
    ),
    route(`GET ${REVISIONS}`, (call) => listRevisions(service, call), {
      query: filtersOf("revisions", service.profile),
    }),
    route(`GET ${REVISION}`, (call) => revisionView(service, revisionOf(service, call)), {
      needs: "getDeployment",
    }),
  ];
}

function listRevisions(service: EmulatedService, call: RoutedRequest) {
  const deployment = deploymentOf(service, call);
  const now = Date.now();
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

/** Reads the log of the step in which the revision failed. Refuses with 404 if the revision has no such log. */
function readLog(service: EmulatedService, call: RoutedRequest, kind: string) {
  const { id, status, updated_at: timestamp } = revisionView(service, revisionOf(service, call));
  const { order, limit = 100, offset = 0 } = checkBody({ schema: schemaOfRows(logRows, BODY) }, call.body);
  const { failureLog } = service.behaviour;
  if (failureLog.length === 0 || status !== `${kind.toUpperCase()}_FAILED`)
    throw notFound(`The ${kind} log of revision`, String(id));
  const entries = failureLog.map((message) => ({ timestamp, level: "INFO", message }));
  if (order === "desc") entries.reverse();
  return { logs: entries.slice(Number(offset), Number(offset) + Number(limit)) };
}

/** Refuses with 404 if the deployment has no such revision. */
function revisionOf(service: EmulatedService, call: RoutedRequest): StoredRevision {
  const id = param(call, "revision_id");
  const revisions = revisionsAt(deploymentOf(service, call), Date.now());
  const revision = revisions.find((each) => each.id === id.toLowerCase());
  if (!revision) throw notFound("Revision", id);
  return revision;
}
