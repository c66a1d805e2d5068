/** Defaults that the service fills in. */
import { isRecord, type JsonRecord } from "../../json";
import type { PublishedRules } from "../../publishedRules";
import type { Service } from "../../service";
import { roundedSpec } from "./sourceRules";
import type { StoredDeployment } from "./storedDeployment";

const SPEC = { min_scale: 1, max_scale: 1, cpu: 1, memory_mb: 1024 };

/** Puts the service's defaults where the request left a gap. */
export function fillDefaults(service: Service, stored: StoredDeployment): void {
  if (!service.behaviour.defaults) return;
  const { resource_spec: given, ...rest } = stored.source_config;
  const spec = specWithDefaults(given);
  const rules = service.profile.published;
  stored.source_config = {
    ...rest,
    ...addressOf(stored),
    resource_spec: rules ? withDerived(roundedSpec(spec, rules), rules) : spec,
  };
}

function specWithDefaults(given: unknown): JsonRecord {
  const spec: JsonRecord = isRecord(given) ? given : {};
  // A lower limit alone must not end above the upper one.
  const minimum = typeof spec.min_scale === "number" ? spec.min_scale : SPEC.min_scale;
  return { ...SPEC, max_scale: Math.max(minimum, SPEC.max_scale), ...spec };
}

function withDerived(spec: JsonRecord, { derived }: PublishedRules): JsonRecord {
  const whole = { ...spec };
  for (const { field, from, times } of derived) {
    const source = whole[from];
    if (whole[field] == null && typeof source === "number") whole[field] = source * times;
  }
  return whole;
}

function addressOf({ id, name, source, source_config: config }: StoredDeployment): JsonRecord {
  if (config.custom_url !== undefined || !["repohost", "github"].includes(source)) return {};
  const label = name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return { custom_url: `https://${label}-${id.slice(0, 8)}.example.test` };
}
