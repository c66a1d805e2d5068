/** What a test sees of the stored deployments, and how it changes them without a request. */
import { isRecord, type JsonRecord, mergePatch } from "../../json";
import type { Service } from "../../service";
import type { RevisionState } from "./revisions";
import { deployments, deploymentView, type StoredDeployment } from "./storedDeployment";
import { revisionView } from "./storedRevision";

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

/** Newest first. */
export function deploymentStates(service: Service): DeploymentState[] {
  return deployments.newestFirst(service).map((stored) => stateOf(service, stored));
}

function stateOf(service: Service, stored: StoredDeployment): DeploymentState {
  const now = Date.now();
  const revisions = [...stored.revisions].reverse().map((revision) => revisionView(service, revision, now));
  return structuredClone({
    ...deploymentView(service, stored, "echoed"),
    revisions,
  }) as unknown as DeploymentState;
}

/** Stored, but not fields of the wire that a test may change. */
const INTERNAL = ["id", "databaseReadyMs", "goneMs", "overrides", "revisions"];
const COMPUTED = ["status", "latest_revision_id", "active_revision_id"];

/** Changes a stored deployment without a request and without a revision; a computed field keeps the value given. */
export function change(service: Service, deploymentId: string, patch: JsonRecord): void {
  const stored = deployments.find(service, deploymentId);
  const fields = Object.keys(stored).filter((name) => !INTERNAL.includes(name));
  const known = [...fields, ...COMPUTED, "source_revision_config"];
  const unknown = Object.keys(patch).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new TypeError(`no such field: ${unknown.join(", ")}; there are ${known.join(", ")}`);
  for (const [name, value] of Object.entries(patch)) {
    if (COMPUTED.includes(name)) stored.overrides[name] = value;
    else if (name === "source_revision_config") changeLatest(stored, value);
    else Object.assign(stored, { [name]: mergePatch((stored as unknown as JsonRecord)[name], value) });
  }
}

function changeLatest(stored: StoredDeployment, patch: unknown): void {
  const latest = stored.revisions.at(-1);
  if (!latest || !isRecord(patch)) return;
  const { repo_commit_sha: commitSha, ...config } = patch;
  latest.source_revision_config = mergePatch(latest.source_revision_config, config) as JsonRecord;
  if (commitSha !== undefined) latest.repo_commit_sha = commitSha as string | null;
}

export function remove(service: Service, deploymentId: string): void {
  deployments.remove(service, deployments.find(service, deploymentId));
}
