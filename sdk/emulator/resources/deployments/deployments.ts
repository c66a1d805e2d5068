/** Creates, lists and patches deployments. The public service also reads and deletes them. */

import { isDeepStrictEqual } from "node:util";
import { type Profile, withoutCreateRevision } from "../../../../provider/profiles/profile";
import { deploymentOutputRows, deploymentRows } from "../../../../provider/schema/deployment";
import { boolean, type ChangeClass, computed } from "../../../../provider/schema/kind";
import { resourceSpecRows } from "../../../../provider/schema/resourceSpec";
import { isProperties, type Properties } from "../../../../provider/schema/value";
import type { Occasion } from "../../faults";
import { Refusal } from "../../http/message";
import { pageOf, type Query, type Route, type RoutedRequest, route } from "../../http/route";
import { mergePatch, valueAt, withoutNulls } from "../../json";
import { changedAt, type EmulatedService } from "../../service";
import { bodyPath, wiresOf } from "../../table";
import { type BodyRules, checkBody, creationRules, patchRules } from "../../validation";
import { filtersOf, selection } from "./filters";
import { checkSource, fillDefaults } from "./sourceRules";
import {
  deploymentOf,
  deployments,
  deploymentView,
  isRemoteReconciled,
  newDeployment,
  refuseDeleted,
  type StoredDeployment,
  type StoredSecret,
} from "./storedDeployment";
import { makeRevision, type StoredRevision } from "./storedRevision";

const DEPLOYMENTS = "/v2/deployments";
const DEPLOYMENT = `${DEPLOYMENTS}/{deployment_id}`;

export const table = { rows: deploymentRows, readOnly: ["id", ...wiresOf(deploymentOutputRows)] };

export function deploymentRoutes(service: EmulatedService): Route[] {
  const { profile } = service;
  // In the body of a creation, the contract allows only one section to be null: `secret_references`.
  const creation = creationRules(profile, table, ["secret_references"]);
  const patch = patchRules(profile, table, true);
  const stored = (call: RoutedRequest) => deploymentOf(service, call);
  return [
    route(`POST ${DEPLOYMENTS}`, (call) => createDeployment(service, checkBody(creation, call.body), call), {
      status: 201,
    }),
    route(`GET ${DEPLOYMENTS}`, ({ query }) => listDeployments(service, query), {
      query: filtersOf("deployments", profile),
    }),
    route(`PATCH ${DEPLOYMENT}`, (call) => {
      changeDeployment(service, call, patch, makesRevision);
      return deploymentView(service, stored(call));
    }),
    route(`GET ${DEPLOYMENT}`, (call) => deploymentView(service, stored(call)), {
      needs: "getDeployment",
    }),
    route(`DELETE ${DEPLOYMENT}`, (call) => startDeletion(service, stored(call)), {
      needs: "deleteDeployment",
      status: 204,
      query: { delete_tracing_project: computed(boolean) },
    }),
  ];
}

function createDeployment(service: EmulatedService, body: Properties, occasion: Occasion): Properties {
  const { name, source } = body as { name: string; source: string };
  checkSource(service, { isCreation: true, source, body });
  if (deployments.all(service).some((each) => each.name === name && each.goneMs !== undefined))
    throw new Refusal(409, `Deployment name ${name} is taken until its deletion has ended.`);
  const stored = newDeployment(service, {
    name,
    source,
    source_config: withoutNulls(body.source_config ?? {}) as Properties,
    secrets: (body.secrets ?? []) as StoredSecret[],
    secret_references: (body.secret_references ?? null) as StoredDeployment["secret_references"],
    databaseReadyMs: Date.now() + service.behaviour.databaseSeconds * 1000,
  });
  fillDefaults(service, stored);
  const config = withoutNulls(body.source_revision_config ?? {}) as Properties;
  makeRevision(service, stored, { source, config, occasion });
  return deploymentView(service, deployments.add(service, stored));
}

/** Changes the deployment. Makes and returns a revision if `isRevision` says so. Omitted sections stay unchanged. */
export function changeDeployment(
  service: EmulatedService,
  call: RoutedRequest,
  rules: BodyRules,
  isRevision: (service: EmulatedService, body: Properties, isChanged: boolean) => boolean,
): StoredRevision | undefined {
  const stored = deploymentOf(service, call);
  checkBody(rules, withoutUnknownMembers(call.body, stored));
  const body = call.body as Properties;
  const current = {
    source_config: stored.source_config,
    source_revision_config: stored.revisions.at(-1)?.source_revision_config ?? {},
  };
  refuseDeleted(stored);
  checkSource(service, { isCreation: false, source: stored.source, body, current });
  checkImmutable(service, current, body);

  const revisionConfig = current.source_revision_config;
  const config = patchedSection(service, revisionConfig, body.source_revision_config);
  const isRevising = isRevision(service, body, !isDeepStrictEqual(config, revisionConfig));
  applySections(service, stored, body);
  stored.updated_at = changedAt(stored.updated_at);
  const source = (body.revision_source as string | null | undefined) ?? stored.source;
  return isRevising ? makeRevision(service, stored, { source, config, occasion: call }) : undefined;
}

/** Drops the unknown resource spec members that a client sends back because an answer contained them. */
function withoutUnknownMembers(body: unknown, { source_config }: StoredDeployment): unknown {
  const config = valueAt(body, "source_config");
  const spec = valueAt(config, "resource_spec");
  if (!isProperties(body) || !isProperties(config) || !isProperties(spec)) return body;
  const strangers = Object.keys((source_config.resource_spec ?? {}) as object).filter(
    (name) => !wiresOf(resourceSpecRows).includes(name),
  );
  const members = Object.entries(spec).filter(([name]) => !strangers.includes(name));
  return { ...body, source_config: { ...config, resource_spec: Object.fromEntries(members) } };
}

/** The paths, in a request's body, of the fields that have this change class in the profile. */
function pathsOf(changeClass: ChangeClass, profile: Profile): string[] {
  const paths = Object.keys(profile.classes).filter((path) => profile.classes[path] === changeClass);
  return paths.map((path) => bodyPath(path, profile));
}

function checkImmutable({ profile }: EmulatedService, current: Properties, body: Properties): void {
  for (const path of pathsOf("replace", profile)) {
    const newValue = valueAt(body, path);
    if (newValue != null && !isDeepStrictEqual(newValue, valueAt(current, path))) {
      throw new Refusal(400, `${path} cannot be changed after the deployment is created.`);
    }
  }
}

/** A section that is null in the PATCH stays unchanged. */
function patchedSection(service: EmulatedService, section: Properties, patch: unknown): Properties {
  if (patch == null) return section;
  if (service.behaviour.patch === "replace") return withoutNulls(patch) as Properties;
  return mergePatch(
    section,
    service.profile.capabilities.nullClears ? patch : withoutNulls(patch),
  ) as Properties;
}

function applySections(service: EmulatedService, stored: StoredDeployment, body: Properties): void {
  const { source_config: patch, secrets, secret_references: references, display_name: title } = body;
  if (typeof title === "string") stored.display_name = title;
  if (patch != null) {
    stored.source_config = patchedSection(service, stored.source_config, patch);
    const spec = valueAt(patch, "resource_spec");
    if (service.profile.capabilities.resourceSpecOverwrites && spec != null)
      stored.source_config.resource_spec = withoutNulls(spec);
    fillDefaults(service, stored);
  }
  if (givesSecrets(service, secrets)) stored.secrets = secrets as StoredSecret[];
  if (references != null) stored.secret_references = references as StoredDeployment["secret_references"];
}

function givesSecrets(service: EmulatedService, secrets: unknown): boolean {
  return Array.isArray(secrets) && (secrets.length > 0 || service.profile.capabilities.nullClears);
}

function makesRevision(service: EmulatedService, body: Properties, isChanged: boolean): boolean {
  const { behaviour, profile } = service;
  const givesValue = Object.values((body.source_revision_config ?? {}) as Properties).some(
    (value) => value !== null,
  );
  const givesSecret = givesSecrets(service, body.secrets) || body.secret_references != null;
  // A PATCH uses the change classes of a service that lacks the call `createRevision`.
  const revisingConfig = pathsOf("newRevision", withoutCreateRevision(profile)).filter((path) =>
    path.startsWith("source_config."),
  );
  return (
    isChanged ||
    (givesValue && behaviour.repeatedValuesMakeRevision) ||
    (givesSecret && behaviour.secretsMakeRevision) ||
    revisingConfig.some((path) => valueAt(body, path) != null) ||
    behaviour.extraRevisionOn.some((path) => valueAt(body, path) !== undefined)
  );
}

function listDeployments(service: EmulatedService, query: Query) {
  const { behaviour, profile } = service;
  const selects = selection("deployments", profile, behaviour.ignoreFilters ? {} : query);
  const matches = deployments.newestFirst(service).filter((stored) =>
    selects({
      name: () => stored.name,
      status: () => deploymentView(service, stored).status,
      remoteReconciled: () => isRemoteReconciled(stored),
      tagValueIds: () => stored.tag_value_ids,
      imageVersion: () => stored.image_version,
      deploymentType: () => stored.source_config.deployment_type,
      deploymentIds: () => stored.id,
    }),
  );
  const { resources, offset } = pageOf(matches, query, behaviour);
  return { resources: resources.map((stored) => deploymentView(service, stored)), offset };
}

/** A deletion takes as long as a revision. */
function startDeletion({ behaviour }: EmulatedService, stored: StoredDeployment): void {
  stored.goneMs ??= Date.now() + behaviour.revisionSeconds * 1000;
}
