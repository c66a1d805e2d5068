/** PATCH of a deployment: what it changes, and whether it makes a revision. */
import { fillDefaults } from "./defaults";
import { deploymentView } from "./deploymentView";
import type { Occasion } from "./faults";
import { isRecord, type JsonRecord, mergePatch, same, valueAt, withoutNulls } from "./mergePatch";
import { Refusal } from "./refusal";
import { makeRevision, revisionById } from "./revisions";
import { changedAt, deploymentById, type Service } from "./service";
import { checkSource } from "./sourceRules";
import type { StoredDeployment, StoredSecret } from "./store";
import { checkBody } from "./validation";

export function patchDeployment(
  service: Service,
  id: string,
  given: unknown,
  occasion: Occasion,
): JsonRecord {
  const stored = deploymentById(service, id);
  const body = checkBody(service.bodies.patchDeployment, given);
  const before = stored.revisions.at(-1)?.source_revision_config ?? {};
  const current = { source_config: stored.source_config, source_revision_config: before };
  refuseDeleted(stored);
  checkSource(service, { isCreation: false, source: stored.source, body, current });
  checkImmutable(service, current, body);

  const config = patchedSection(service, before, body.source_revision_config);
  const isRevision = makesRevision(service, body, !same(config, before));
  applySections(service, stored, body);
  if (isRevision) {
    const source = (body.revision_source as string | null | undefined) ?? stored.source;
    makeRevision(service, stored, { source, config, occasion });
  }
  stored.updated_at = changedAt(stored.updated_at);
  return deploymentView(service, stored);
}

function refuseDeleted({ id, goneMs }: StoredDeployment): void {
  if (goneMs !== undefined) throw new Refusal(400, `Deployment ${id} is being deleted.`);
}

/** A new revision with the source and the settings of one that there is. */
export function redeploy(service: Service, id: string, revisionId: string, occasion: Occasion): JsonRecord {
  const stored = deploymentById(service, id);
  const { source, source_revision_config, repo_commit_sha } = revisionById(service, id, revisionId);
  refuseDeleted(stored);
  const config = structuredClone(source_revision_config);
  makeRevision(service, stored, { source, config, commitSha: repo_commit_sha ?? undefined, occasion });
  stored.updated_at = changedAt(stored.updated_at);
  return deploymentView(service, stored);
}

function checkImmutable(service: Service, current: JsonRecord, body: JsonRecord): void {
  for (const path of service.profile.immutable) {
    const asked = valueAt(body, path);
    if (asked != null && !same(asked, valueAt(current, path))) {
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
  if (references != null) stored.secret_references = references as JsonRecord[];
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
    (profile.specMakesRevision && isRecord(valueAt(body, "source_config.resource_spec"))) ||
    behaviour.extraRevisionOn.some((path) => valueAt(body, path) !== undefined)
  );
}
