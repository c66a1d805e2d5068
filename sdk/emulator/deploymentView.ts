/** A deployment as answers show it. */
import { sourceConfigRows } from "../../provider/fields/deployment";
import type { EmulatorBehaviour } from "./behaviour";
import type { JsonRecord } from "./mergePatch";
import { activeRevision, latestRevision, revisionConfigView } from "./revisions";
import type { Service } from "./service";
import type { StoredDeployment } from "./store";
import { fieldNameOf } from "./wireProfile";

export function deploymentView(
  service: Service,
  stored: StoredDeployment,
  secrets: EmulatorBehaviour["secretsInResponses"] = service.behaviour.secretsInResponses,
): JsonRecord {
  const now = Date.now();
  const latest = latestRevision(stored, now);
  const wires = Object.values(sourceConfigRows).map(({ wire }) => fieldNameOf(service.profile, wire ?? ""));
  return {
    name: stored.name,
    source: stored.source,
    source_config: { ...Object.fromEntries(wires.map((wire) => [wire, null])), ...stored.source_config },
    source_revision_config: revisionConfigView(service, latest ?? stored.revisions.at(-1)),
    secrets: secretsView(stored, secrets),
    secret_references: stored.secret_references,
    id: stored.id,
    tenant_id: stored.tenant_id,
    created_at: stored.created_at,
    updated_at: stored.updated_at,
    status: statusOf(stored, now),
    latest_revision_id: latest?.id ?? null,
    active_revision_id: activeRevision(stored, now)?.id ?? null,
    image_version: stored.image_version,
    ...stored.overrides,
  };
}

function statusOf(stored: StoredDeployment, now: number): string {
  if (stored.goneMs !== undefined) return "AWAITING_DELETE";
  return now < stored.databaseReadyMs ? "AWAITING_DATABASE" : "READY";
}

function secretsView(stored: StoredDeployment, shown: EmulatorBehaviour["secretsInResponses"]): JsonRecord[] {
  if (shown === "hidden") return [];
  return stored.secrets.map(({ name, value }) => ({ name, value: shown === "masked" ? "***" : value }));
}
