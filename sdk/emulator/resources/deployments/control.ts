/** Lets tests see and change stored deployments without a request. `emulator/control.ts` describes the operations. */
import { isProperties, type Properties } from "../../../../provider/schema/value";
import { mergePatch } from "../../json";
import { changedAt, type EmulatedService } from "../../service";
import { fillDefaults } from "./sourceRules";
import {
  type DeploymentFields,
  deployments,
  deploymentView,
  newDeployment,
  type StoredDeployment,
} from "./storedDeployment";
import { latestRevision, makeRevision, revisionView } from "./storedRevision";

/** A revision as tests see it, with its wire names. */
export interface RevisionState {
  id: string;
  created_at: string;
  updated_at: string;
  status: string;
  source: string;
  source_revision_config: { repo_commit_sha: string | null; [name: string]: unknown };
}

/** A deployment with its wire names, the values of its secrets, and its revisions, newest first. */
export interface DeploymentState extends DeploymentFields {
  source_revision_config: RevisionState["source_revision_config"];
  status: string;
  latest_revision_id: string | null;
  active_revision_id: string | null;
  revisions: RevisionState[];
}

export function deploymentStates(service: EmulatedService): DeploymentState[] {
  const now = Date.now();
  const states = deployments.newestFirst(service).map((deployment) => ({
    ...deploymentView(service, deployment, "echoed"),
    revisions: [...deployment.revisions].reverse().map((revision) => revisionView(service, revision, now)),
  }));
  return structuredClone(states) as unknown as DeploymentState[];
}

/** A push to the repository. `repoRef` defaults to the newest revision's ref, and `commitSha` to a random commit. */
export interface Push {
  repoRef?: string;
  commitSha?: string;
}

export function push(service: EmulatedService, deploymentId: string, push: Push = {}): RevisionState {
  const deployment = deployments.find(service, deploymentId);
  const previous = deployment.revisions.at(-1);
  const config = {
    ...previous?.source_revision_config,
    ...(push.repoRef !== undefined && { repo_ref: push.repoRef }),
  };
  const source = previous?.source ?? deployment.source;
  const revision = makeRevision(service, deployment, { source, config, commitSha: push.commitSha });
  deployment.updated_at = changedAt(deployment.updated_at);
  return revisionView(service, revision) as unknown as RevisionState;
}

export function settle(
  service: EmulatedService,
  deploymentId: string,
  status: string,
  message?: string,
): void {
  const now = Date.now();
  const latest = latestRevision(deployments.find(service, deploymentId), now);
  if (!latest) throw new TypeError(`deployment ${deploymentId} has no revision yet`);
  Object.assign(latest, { end: { status, atMs: now }, message });
}

/** Stored fields that a test may not change. */
const INTERNAL = ["id", "databaseReadyMs", "goneMs", "overrides", "revisions"];
const COMPUTED = ["status", "latest_revision_id", "active_revision_id"];

/** A computed field keeps the value that the test sets. */
export function change(
  service: EmulatedService,
  deploymentId: string,
  patch: { [wireName: string]: unknown },
): void {
  const deployment = deployments.find(service, deploymentId);
  const fields = Object.keys(deployment).filter((name) => !INTERNAL.includes(name));
  const fieldNames = [...fields, ...COMPUTED, "source_revision_config"];
  const unknownNames = Object.keys(patch).filter((name) => !fieldNames.includes(name));
  if (unknownNames.length > 0)
    throw new TypeError(`no such field: ${unknownNames.join(", ")}; the fields are ${fieldNames.join(", ")}`);
  for (const [name, value] of Object.entries(patch)) {
    if (COMPUTED.includes(name)) deployment.overrides[name] = value;
    else if (name === "source_revision_config") changeLatest(deployment, value);
    else
      Object.assign(deployment, { [name]: mergePatch((deployment as unknown as Properties)[name], value) });
  }
}

function changeLatest(deployment: StoredDeployment, patch: unknown): void {
  const latest = deployment.revisions.at(-1);
  if (!latest || !isProperties(patch)) return;
  const { repo_commit_sha: commitSha, ...config } = patch;
  latest.source_revision_config = mergePatch(latest.source_revision_config, config) as Properties;
  if (commitSha !== undefined) latest.repo_commit_sha = commitSha as string | null;
}

export function remove(service: EmulatedService, deploymentId: string): void {
  deployments.remove(service, deployments.find(service, deploymentId));
}

export function seed(service: EmulatedService, count: number, isPreview = false): string[] {
  const source = service.behaviour.hosting === "self-hosted" ? "external_docker" : "internal_docker";
  const seeds = Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    const name = `${isPreview ? "preview" : "seed"}-${String(number).padStart(4, "0")}`;
    const deployment = newDeployment(service, { name, source, ...(isPreview && { is_preview: true }) });
    fillDefaults(service, deployment);
    const config = { image_uri: `registry.example.test/seed:${number}` };
    const revision = makeRevision(service, deployment, { source, config });
    revision.end = { status: "DEPLOYED", atMs: revision.createdMs };
    return deployment;
  });
  deployments.all(service).push(...seeds);
  return seeds.map(({ id }) => id);
}
