/** Deployments: created, listed and patched; the public service also reads and deletes them. */
import {
  DEPLOYMENT_STATUSES,
  DEPLOYMENT_TYPES,
  deploymentOutputRows,
  deploymentRows,
} from "../../../../provider/fields/deployment";
import type { Occasion } from "../../faults";
import { Answer, notFound, Refusal } from "../../http/answer";
import {
  boolean,
  choice,
  list,
  type Parameters,
  pageOf,
  paging,
  type Query,
  text,
  uuids,
} from "../../http/query";
import { BEYOND, type Call, type Route, route } from "../../http/route";
import { type JsonRecord, withoutNulls } from "../../json";
import type { Service } from "../../service";
import { checkBody, creationRules, patchRules, wiresOf } from "../../validation";
import { fillDefaults } from "./defaults";
import { patchDeployment } from "./patch";
import { checkSource } from "./sourceRules";
import {
  deploymentOf,
  deployments,
  deploymentView,
  isRemoteReconciled,
  newDeployment,
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
  const patch = patchRules(profile, table, { nullable: true, nullsWithin: true });
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
      query: { deployment_ids: { ...uuids(100), repeats: true, required: true } },
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
    secret_references: (body.secret_references ?? null) as JsonRecord[] | null,
    databaseReadyMs: Date.now() + behaviour.databaseSeconds * 1000,
  });
  fillDefaults(service, stored);
  const config = withoutNulls(body.source_revision_config ?? {}) as JsonRecord;
  makeRevision(service, stored, { source, config, occasion });
  return deploymentView(service, deployments.add(service, stored));
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
    deployment_ids: uuids(),
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

/** Adds deployments named seed-0001 and so on, READY and with one DEPLOYED revision; their ids in that order. */
export function seed(service: Service, count: number): string[] {
  const source = service.behaviour.hosting === "self-hosted" ? "external_docker" : "internal_docker";
  const seeds = Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    const stored = newDeployment(service, { name: `seed-${String(number).padStart(4, "0")}`, source });
    fillDefaults(service, stored);
    const config = { image_uri: `registry.example.test/seed:${number}` };
    const revision = makeRevision(service, stored, { source, config });
    revision.end = { status: "DEPLOYED", atMs: revision.createdMs };
    return stored;
  });
  deployments.all(service).push(...seeds);
  return seeds.map(({ id }) => id);
}
