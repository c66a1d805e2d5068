/** Deployments: created, listed and patched; the public service also reads and deletes them. */
import { isDeepStrictEqual } from "node:util";
import {
  DEPLOYMENT_STATUSES,
  DEPLOYMENT_TYPES,
  deploymentOutputRows,
  deploymentRows,
} from "../../../../provider/fields/deployment";
import { isProperties } from "../../../../provider/fields/value";
import type { Occasion } from "../../faults";
import { Answer, notFound, Refusal } from "../../http/message";
import {
  BEYOND,
  boolean,
  type Call,
  choice,
  list,
  type Parameters,
  pageOf,
  paging,
  type Query,
  type Route,
  route,
  text,
  uuids,
} from "../../http/route";
import { type JsonRecord, mergePatch, valueAt, withoutNulls } from "../../json";
import { changedAt, type Service } from "../../service";
import { checkBody, creationRules, patchRules, wiresOf } from "../../validation";
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
import { makeRevision } from "./storedRevision";

const DEPLOYMENTS = "/v2/deployments";
const DEPLOYMENT = `${DEPLOYMENTS}/{deployment_id}`;

const table = { rows: deploymentRows, readOnly: ["id", ...wiresOf(deploymentOutputRows)] };

export function deploymentRoutes(service: Service): Route[] {
  const { profile } = service;
  // The contract makes this section nullable in itself, of the others only the fields.
  const nullable = ["secret_references"];
  const creation = creationRules(profile, table, { required: profile.requiredOnCreate, nullable });
  const patch = patchRules(profile, table, true);
  const stored = (call: Call) => deploymentOf(service, call);
  return [
    route(`POST ${DEPLOYMENTS}`, (call) => createDeployment(service, checkBody(creation, call.body), call), {
      status: 201,
    }),
    route(`GET ${DEPLOYMENTS}`, ({ query }) => listDeployments(service, query), {
      query: queryRows(service),
    }),
    route(`PATCH ${DEPLOYMENT}`, (call) =>
      patchDeployment(service, stored(call), checkBody(patch, call.body), call),
    ),
    route(`GET ${DEPLOYMENT}`, (call) => deploymentView(service, stored(call)), BEYOND),
    route(`DELETE ${DEPLOYMENT}`, (call) => startDeletion(service, stored(call)), {
      ...BEYOND,
      status: 204,
      query: { delete_tracing_project: boolean },
    }),
    route(`DELETE ${DEPLOYMENTS}`, ({ query }) => deleteDeployments(service, query), {
      ...BEYOND,
      // Published as a parameter that repeats; commas, as in the filter of that name, do as well.
      query: { deployment_ids: { ...uuids, most: 100, repeats: true, required: true } },
    }),
  ];
}

function createDeployment(service: Service, body: JsonRecord, occasion: Occasion): JsonRecord {
  const { name, source } = body as { name: string; source: string };
  const { behaviour } = service;
  checkSource(service, { isCreation: true, source, body });
  if (behaviour.uniqueNames && deployments.all(service).some((other) => other.name === name))
    throw new Refusal(409, `Deployment with name ${name} already exists.`);
  const stored = newDeployment(service, {
    name,
    source,
    source_config: withoutNulls(body.source_config ?? {}) as JsonRecord,
    secrets: (body.secrets ?? []) as StoredSecret[],
    secret_references: (body.secret_references ?? null) as StoredDeployment["secret_references"],
    databaseReadyMs: Date.now() + behaviour.databaseSeconds * 1000,
  });
  fillDefaults(service, stored);
  const config = withoutNulls(body.source_revision_config ?? {}) as JsonRecord;
  makeRevision(service, stored, { source, config, occasion });
  return deploymentView(service, deployments.add(service, stored));
}

function patchDeployment(
  service: Service,
  stored: StoredDeployment,
  body: JsonRecord,
  occasion: Occasion,
): JsonRecord {
  const before = stored.revisions.at(-1)?.source_revision_config ?? {};
  const current = { source_config: stored.source_config, source_revision_config: before };
  refuseDeleted(stored);
  checkSource(service, { isCreation: false, source: stored.source, body, current });
  checkImmutable(service, current, body);

  const config = patchedSection(service, before, body.source_revision_config);
  const isRevision = makesRevision(service, body, !isDeepStrictEqual(config, before));
  applySections(service, stored, body);
  if (isRevision) {
    const source = (body.revision_source as string | null | undefined) ?? stored.source;
    makeRevision(service, stored, { source, config, occasion });
  }
  stored.updated_at = changedAt(stored.updated_at);
  return deploymentView(service, stored);
}

function checkImmutable(service: Service, current: JsonRecord, body: JsonRecord): void {
  for (const path of service.profile.immutable) {
    const asked = valueAt(body, path);
    if (asked != null && !isDeepStrictEqual(asked, valueAt(current, path))) {
      throw new Refusal(400, `${path} cannot be changed after the deployment is created.`);
    }
  }
}

/** The section after the PATCH; null for a section means that it is not given. */
function patchedSection(service: Service, section: JsonRecord, patch: unknown): JsonRecord {
  if (patch == null) return section;
  if (service.behaviour.patch === "replace") return withoutNulls(patch) as JsonRecord;
  return mergePatch(section, service.profile.nullClears ? patch : withoutNulls(patch)) as JsonRecord;
}

function applySections(service: Service, stored: StoredDeployment, body: JsonRecord): void {
  const { source_config: patch, secrets, secret_references: references } = body;
  if (patch != null) {
    stored.source_config = patchedSection(service, stored.source_config, patch);
    const spec = valueAt(patch, "resource_spec");
    if (service.profile.specMakesRevision && spec != null)
      stored.source_config.resource_spec = withoutNulls(spec);
    fillDefaults(service, stored);
  }
  if (givesSecrets(service, secrets)) stored.secrets = secrets as StoredSecret[];
  if (references != null) stored.secret_references = references as StoredDeployment["secret_references"];
}

function givesSecrets(service: Service, secrets: unknown): boolean {
  return Array.isArray(secrets) && (secrets.length > 0 || service.profile.emptySecretsClear);
}

function makesRevision(service: Service, body: JsonRecord, isChanged: boolean): boolean {
  const { behaviour, profile } = service;
  const givesValue = Object.values((body.source_revision_config ?? {}) as JsonRecord).some(
    (value) => value !== null,
  );
  const givesSecret = givesSecrets(service, body.secrets) || body.secret_references != null;
  return (
    isChanged ||
    (givesValue && behaviour.repeatedValuesMakeRevision) ||
    (givesSecret && behaviour.secretsMakeRevision) ||
    (profile.specMakesRevision && isProperties(valueAt(body, "source_config.resource_spec"))) ||
    behaviour.extraRevisionOn.some((path) => valueAt(body, path) !== undefined)
  );
}

/** The filters of the list. */
function queryRows({ profile }: Service): Parameters {
  return {
    ...paging,
    ...Object.fromEntries(Object.keys(profile.nameFilters).map((name) => [name, text])),
    status: choice(DEPLOYMENT_STATUSES),
    remote_reconciled: boolean,
    tag_value_ids: list(() => true, "texts"),
    image_version: text,
    deployment_type: choice(DEPLOYMENT_TYPES),
    deployment_ids: uuids,
  };
}

function listDeployments(service: Service, query: Query) {
  const newestFirst = deployments.newestFirst(service);
  const wanted = service.behaviour.ignoreFilters
    ? newestFirst
    : newestFirst.filter((stored) => isWanted(service, stored, query));
  const { resources, offset } = pageOf(wanted, query, service.behaviour);
  return { resources: resources.map((stored) => deploymentView(service, stored)), offset };
}

function isWanted(service: Service, stored: StoredDeployment, query: Query): boolean {
  const filters: Readonly<Record<string, (value: never) => boolean>> = {
    status: (value: string) => deploymentView(service, stored).status === value,
    remote_reconciled: (value: boolean) => isRemoteReconciled(stored) === value,
    tag_value_ids: (values: readonly string[]) =>
      values.some((value) => stored.tag_value_ids.includes(value)),
    image_version: (value: string) => stored.image_version === value,
    deployment_type: (value: string) => stored.source_config.deployment_type === value,
    deployment_ids: (values: readonly string[]) => values.some((value) => stored.id === value.toLowerCase()),
  };
  return Object.entries(query).every(([name, value]) => {
    const byName = service.profile.nameFilters[name];
    if (byName === "equals") return stored.name === value;
    if (byName === "contains") return stored.name.includes(value as string);
    return filters[name]?.(value as never) ?? true;
  });
}

/** A deletion takes as long as a revision does. */
function startDeletion({ behaviour }: Service, stored: StoredDeployment): void {
  stored.goneMs ??= Date.now() + behaviour.revisionSeconds * 1000;
}

/** Starts the deletion of each that exists; 404 when none does. */
function deleteDeployments(service: Service, query: Query) {
  const ids = query.deployment_ids as readonly string[];
  const found = new Map(ids.map((id) => [id, deployments.get(service, id)]));
  const deleted = ids.filter((id) => found.get(id));
  const missing = ids.filter((id) => !found.get(id));
  if (deleted.length === 0) throw notFound("Deployment", missing.join(", "));
  for (const stored of found.values()) if (stored) startDeletion(service, stored);
  const failed = missing.map((id) => ({ id, detail: notFound("Deployment", id).detail }));
  return new Answer(failed.length > 0 ? 207 : 200, { deleted, failed });
}
