/** Deployments: created, listed, patched, and where the service can, deleted. */
import { randomUUID } from "node:crypto";
import { DEPLOYMENT_STATUSES, DEPLOYMENT_TYPES } from "../../provider/fields/deployment";
import { fillDefaults } from "./defaults";
import { deploymentView } from "./deploymentView";
import type { Occasion } from "./faults";
import { type JsonRecord, withoutNulls } from "./mergePatch";
import { pageOf, pageRows, type Query, type QueryRows } from "./query";
import { Answered, notFound, Refusal } from "./refusal";
import { isRemoteReconciled, makeRevision } from "./revisions";
import { deploymentById, forgetDeleted, type Service, timestampOf } from "./service";
import { checkSource } from "./sourceRules";
import type { StoredDeployment, StoredSecret } from "./store";
import { checkBody } from "./validation";

export function createDeployment(service: Service, given: unknown, occasion: Occasion): JsonRecord {
  const body = checkBody(service.bodies.createDeployment, given);
  checkSource(service, { isCreation: true, source: body.source as string, body });
  forgetDeleted(service);
  const { deployments } = service.store.state;
  if (service.behaviour.uniqueNames && deployments.some(({ name }) => name === body.name)) {
    throw new Refusal(409, `Deployment with name ${body.name} already exists.`);
  }
  const stored = newDeployment(service, body);
  fillDefaults(service, stored);
  const config = withoutNulls(body.source_revision_config ?? {}) as JsonRecord;
  makeRevision(service, stored, { source: stored.source, config, occasion });
  deployments.push(stored);
  return deploymentView(service, stored);
}

function newDeployment(service: Service, body: JsonRecord): StoredDeployment {
  const now = Date.now();
  return {
    id: randomUUID(),
    tenant_id: service.store.state.tenantId,
    name: body.name as string,
    source: body.source as string,
    source_config: withoutNulls(body.source_config ?? {}) as JsonRecord,
    secrets: (body.secrets ?? []) as StoredSecret[],
    secret_references: (body.secret_references ?? null) as JsonRecord[] | null,
    created_at: timestampOf(now),
    updated_at: timestampOf(now),
    image_version: null,
    tag_value_ids: [],
    remote_reconciled: null,
    databaseReadyMs: now + service.behaviour.databaseSeconds * 1000,
    overrides: {},
    revisions: [],
  };
}

/** The filters of the list; their names are the default ones. */
export function deploymentQuery(service: Service): QueryRows {
  return {
    ...pageRows,
    ...Object.fromEntries(Object.keys(service.profile.nameFilters).map((name) => [name, { type: "text" }])),
    status: { type: "choice", values: DEPLOYMENT_STATUSES },
    remote_reconciled: { type: "boolean" },
    tag_value_ids: { type: "list", of: "text" },
    image_version: { type: "text" },
    deployment_type: { type: "choice", values: DEPLOYMENT_TYPES },
    deployment_ids: { type: "list", of: "uuid" },
  };
}

export function listDeployments(service: Service, query: Query) {
  forgetDeleted(service);
  const newestFirst = [...service.store.state.deployments].reverse();
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

export function getDeployment(service: Service, id: string): JsonRecord {
  return deploymentView(service, deploymentById(service, id));
}

/** Starts the deletion, which takes as long as a revision does. */
export function deleteDeployment(service: Service, id: string): undefined {
  const stored = deploymentById(service, id);
  stored.goneMs ??= Date.now() + service.behaviour.revisionSeconds * 1000;
  return undefined;
}

/** Starts the deletion of each that there is; 404 when there is none of them. */
export function deleteDeployments(service: Service, ids: readonly string[]) {
  const known = ids.filter((id) => hasDeployment(service, id));
  const missing = ids.filter((id) => !known.includes(id));
  if (known.length === 0) throw notFound("Deployment", missing.join(", "));
  for (const id of known) deleteDeployment(service, id);
  const failed = missing.map((id) => ({ id, detail: notFound("Deployment", id).detail }));
  return new Answered(failed.length > 0 ? 207 : 200, { deleted: known, failed });
}

function hasDeployment(service: Service, id: string): boolean {
  forgetDeleted(service);
  return service.store.state.deployments.some((stored) => stored.id === id.toLowerCase());
}
