/** Stored deployments, and how answers show them. */

import { randomUUID } from "node:crypto";
import { sourceConfigRows } from "../../../../provider/schema/deployment";
import type { Properties } from "../../../../provider/schema/value";
import type { EmulatorBehaviour } from "../../behaviour";
import { Refusal } from "../../http/message";
import { param, type RoutedRequest } from "../../http/route";
import { Collection, type EmulatedService, timestampOf } from "../../service";
import {
  activeRevision,
  latestRevision,
  nullsOf,
  revisionConfigView,
  type StoredRevision,
} from "./storedRevision";

export interface StoredSecret {
  name: string;
  value: string;
}

/** The stored fields that answers contain unchanged. */
export interface DeploymentFields {
  id: string;
  tenant_id: string;
  name: string;
  display_name?: string;
  source: string;
  source_config: Properties;
  secrets: StoredSecret[];
  secret_references: { name: string; secret_name: string; secret_key: string }[] | null;
  created_at: string;
  updated_at: string;
  image_version: string | null;
  is_preview?: boolean;
  agent?: { agent_id: string; environment: string } | null;
}

export interface StoredDeployment extends DeploymentFields {
  readonly id: string;
  tag_value_ids: string[];
  /** The flag that answers show. If null, answers show true for a deployment on a listener, and false for any other. */
  remote_reconciled: boolean | null;
  databaseReadyMs: number;
  /** The time at which the deployment's deletion is done. */
  goneMs?: number;
  /** The values that a test has set for computed fields. */
  overrides: Properties;
  /** The revisions, oldest first. */
  revisions: StoredRevision[];
}

/** Drops deployments whose deletion is done. */
class Deployments extends Collection<StoredDeployment> {
  override all(service: EmulatedService): StoredDeployment[] {
    const stored = super.all(service);
    const expired = stored.filter(({ goneMs }) => goneMs !== undefined && goneMs <= Date.now());
    for (const deployment of expired) stored.splice(stored.indexOf(deployment), 1);
    return stored;
  }
}

export const deployments = new Deployments("deployments", "Deployment");

/** Refuses with 404 if there is no such deployment. */
export function deploymentOf(service: EmulatedService, call: RoutedRequest): StoredDeployment {
  return deployments.find(service, param(call, "deployment_id"));
}

type NewDeployment = Pick<StoredDeployment, "name" | "source"> & Partial<StoredDeployment>;

/** Makes a deployment that has no revisions, for the caller to store. Fields that `fields` lacks are empty. */
export function newDeployment({ store, profile }: EmulatedService, fields: NewDeployment): StoredDeployment {
  const now = timestampOf(Date.now());
  return {
    id: randomUUID(),
    tenant_id: store.tenantId,
    source_config: {},
    secrets: [],
    secret_references: null,
    created_at: now,
    updated_at: now,
    image_version: null,
    tag_value_ids: [],
    remote_reconciled: null,
    databaseReadyMs: 0,
    overrides: {},
    revisions: [],
    ...(profile.lacks.includes("agent") ? {} : { is_preview: false, agent: null }),
    ...fields,
  };
}

export function refuseDeleted({ id, goneMs }: StoredDeployment): void {
  if (goneMs !== undefined) throw new Refusal(400, `Deployment ${id} is being deleted.`);
}

export const isRemoteReconciled = (deployment: StoredDeployment): boolean =>
  deployment.remote_reconciled ?? deployment.source_config.listener_id != null;

export function deploymentView(
  service: EmulatedService,
  stored: StoredDeployment,
  secretsInResponses = service.behaviour.secretsInResponses,
): Properties {
  const now = Date.now();
  const latest = latestRevision(stored, now);
  const { databaseReadyMs, goneMs, tag_value_ids, remote_reconciled, overrides, revisions, ...fields } =
    stored;
  return {
    ...fields,
    source_config: { ...nullsOf(service, "sourceConfig", sourceConfigRows), ...stored.source_config },
    source_revision_config: revisionConfigView(service, latest ?? revisions.at(-1)),
    secrets: secretsView(stored, secretsInResponses),
    status: statusOf(stored, now),
    latest_revision_id: latest?.id ?? null,
    active_revision_id: activeRevision(stored, now)?.id ?? null,
    ...overrides,
  };
}

function statusOf(stored: StoredDeployment, now: number): string {
  if (stored.goneMs !== undefined) return "AWAITING_DELETE";
  return now < stored.databaseReadyMs ? "AWAITING_DATABASE" : "READY";
}

function secretsView(stored: StoredDeployment, mode: EmulatorBehaviour["secretsInResponses"]): Properties[] {
  if (mode === "hidden") return [];
  const shown = (value: string) => (mode === "named" ? null : mode === "masked" ? "***" : value);
  return stored.secrets.map(({ name, value }) => ({ name, value: shown(value) }));
}
