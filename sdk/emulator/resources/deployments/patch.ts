/** PATCH of a deployment: what it changes, and whether it makes a revision. */
import { isDeepStrictEqual } from "node:util";
import type { Occasion } from "../../faults";
import { Refusal } from "../../http/answer";
import { isRecord, type JsonRecord, mergePatch, valueAt, withoutNulls } from "../../json";
import { changedAt, type Service } from "../../service";
import { fillDefaults } from "./defaults";
import { checkSource } from "./sourceRules";
import { deploymentView, refuseDeleted, type StoredDeployment, type StoredSecret } from "./storedDeployment";
import { makeRevision } from "./storedRevision";

export function patchDeployment(
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
