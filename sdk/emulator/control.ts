/** What a test can do to the service that none of its callers can. */
import { randomUUID } from "node:crypto";
import { fillDefaults } from "./defaults";
import { deploymentView } from "./deploymentView";
import { addRepositories, addToken, type NewRepository, type NewToken } from "./integrations";
import { addListener, type NewListener } from "./listeners";
import { isRecord, type JsonRecord, mergePatch } from "./mergePatch";
import { latestRevision, makeRevision, revisionView } from "./revisions";
import { changedAt, deploymentById, forgetDeleted, type Service, timestampOf } from "./service";
import type { StoredDeployment, StoredListener } from "./store";

/** A revision on the wire, as tests see it. */
export interface RevisionState {
  id: string;
  created_at: string;
  updated_at: string;
  status: string;
  source: string;
  source_revision_config: { repo_commit_sha: string | null; [name: string]: unknown };
}

/** A deployment with its wire names, the values of its secrets, and its revisions, newest first. */
export interface DeploymentState {
  id: string;
  tenant_id: string;
  name: string;
  source: string;
  source_config: { [name: string]: unknown };
  source_revision_config: { repo_commit_sha: string | null; [name: string]: unknown };
  secrets: { name: string; value: string }[];
  secret_references: { name: string; secret_name: string; secret_key: string }[] | null;
  created_at: string;
  updated_at: string;
  status: string;
  latest_revision_id: string | null;
  active_revision_id: string | null;
  image_version: string | null;
  revisions: RevisionState[];
}

/** What a push brings; what is left out stays or is made up. */
export interface Push {
  repoRef?: string;
  commitSha?: string;
}

export function deploymentStates(service: Service): DeploymentState[] {
  forgetDeleted(service);
  return [...service.store.state.deployments].reverse().map((stored) => stateOf(service, stored));
}

function stateOf(service: Service, stored: StoredDeployment): DeploymentState {
  const now = Date.now();
  const revisions = [...stored.revisions].reverse().map((revision) => revisionView(service, revision, now));
  return structuredClone({
    ...deploymentView(service, stored, "echoed"),
    revisions,
  }) as unknown as DeploymentState;
}

/** A new revision that the service makes by itself, as it does when somebody pushes to the branch. */
export function push(
  service: Service,
  deploymentId: string,
  { repoRef, commitSha }: Push = {},
): RevisionState {
  const stored = deploymentById(service, deploymentId);
  const before = stored.revisions.at(-1);
  const config = { ...before?.source_revision_config, ...(repoRef !== undefined && { repo_ref: repoRef }) };
  const revision = makeRevision(service, stored, {
    source: before?.source ?? stored.source,
    config,
    commitSha,
  });
  stored.updated_at = changedAt(stored.updated_at);
  service.store.save();
  return structuredClone(revisionView(service, revision, Date.now())) as unknown as RevisionState;
}

const STORED = [
  "name",
  "source",
  "source_config",
  "secrets",
  "secret_references",
  "image_version",
  "tenant_id",
  "created_at",
  "updated_at",
  "tag_value_ids",
  "remote_reconciled",
];
const COMPUTED = ["status", "latest_revision_id", "active_revision_id"];

/** Changes a stored deployment without a request and without a revision; a computed field keeps the value given. */
export function change(service: Service, deploymentId: string, patch: JsonRecord): void {
  const stored = deploymentById(service, deploymentId);
  const known = [...STORED, ...COMPUTED, "source_revision_config"];
  const unknown = Object.keys(patch).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new TypeError(`no such field: ${unknown.join(", ")}; there are ${known.join(", ")}`);
  for (const [name, value] of Object.entries(patch)) {
    if (COMPUTED.includes(name)) stored.overrides[name] = value;
    else if (name === "source_revision_config") changeLatest(stored, value);
    else Object.assign(stored, { [name]: merged((stored as unknown as JsonRecord)[name], value) });
  }
  service.store.save();
}

function changeLatest(stored: StoredDeployment, patch: unknown): void {
  const latest = stored.revisions.at(-1);
  if (!latest || !isRecord(patch)) return;
  const { repo_commit_sha: commitSha, ...config } = patch;
  latest.source_revision_config = merged(latest.source_revision_config, config) as JsonRecord;
  if (commitSha !== undefined) latest.repo_commit_sha = commitSha as string | null;
}

// A stored value must not share objects with the test that gave it.
const merged = (before: unknown, patch: unknown): unknown => structuredClone(mergePatch(before, patch));

/** Ends the newest revision now with the status, whatever its pace. */
export function settle(service: Service, deploymentId: string, status: string): void {
  const latest = latestRevision(deploymentById(service, deploymentId), Date.now());
  if (!latest) throw new TypeError(`deployment ${deploymentId} has no revision yet`);
  latest.end = { status, atMs: Date.now() };
  service.store.save();
}

export function remove(service: Service, deploymentId: string): void {
  const stored = deploymentById(service, deploymentId);
  service.store.state.deployments = service.store.state.deployments.filter((other) => other !== stored);
  service.store.save();
}

/** Adds deployments named seed-0001 and so on, READY and with one DEPLOYED revision; their ids in that order. */
export function seed(service: Service, count: number): string[] {
  const { deployments, tenantId } = service.store.state;
  const seeds = Array.from({ length: count }, (_, index) => seeded(service, tenantId, index + 1));
  deployments.push(...seeds);
  service.store.save();
  return seeds.map(({ id }) => id);
}

function seeded(service: Service, tenantId: string, number: number): StoredDeployment {
  const now = timestampOf(Date.now());
  const source = service.behaviour.hosting === "self-hosted" ? "external_docker" : "internal_docker";
  const stored: StoredDeployment = {
    id: randomUUID(),
    tenant_id: tenantId,
    name: `seed-${String(number).padStart(4, "0")}`,
    source,
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
  };
  fillDefaults(service, stored);
  const config = { image_uri: `registry.example.test/seed:${number}` };
  const revision = makeRevision(service, stored, { source, config });
  revision.end = { status: "DEPLOYED", atMs: revision.createdMs };
  return stored;
}

export function install(service: Service, listener: NewListener): StoredListener {
  const added = addListener(service, structuredClone(listener));
  service.store.save();
  return structuredClone(added);
}

/** Installs the listeners of these compute ids that are not there yet. */
export function installMissing(service: Service, computeIds: readonly string[]): void {
  const known = service.store.state.listeners.map(({ compute_id }) => compute_id);
  for (const compute_id of computeIds) if (!known.includes(compute_id)) install(service, { compute_id });
}

export function connect(
  service: Service,
  integrationId: string,
  repositories: readonly NewRepository[],
): void {
  addRepositories(service, integrationId, structuredClone(repositories));
  service.store.save();
}

export function keepToken(service: Service, token: NewToken): void {
  addToken(service, structuredClone(token));
  service.store.save();
}
