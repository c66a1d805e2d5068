/** Which values a deployment may have, by its hosting, its source and the documented bounds; and the defaults that the service fills in. */
import { isProperties } from "../../../../provider/fields/value";
import { type Detail, Refusal } from "../../http/message";
import { type JsonRecord, valueAt } from "../../json";
import type { Bound, PublishedRules } from "../../publishedRules";
import type { Service } from "../../service";
import type { StoredDeployment } from "./storedDeployment";

interface Asked {
  readonly isCreation: boolean;
  /** Source of the deployment. */
  readonly source: string;
  readonly body: JsonRecord;
  /** What is stored already. */
  readonly current?: { readonly source_config: JsonRecord; readonly source_revision_config: JsonRecord };
}

/** Refuses with 422 what does not go with the source or the hosting. */
export function checkSource(service: Service, asked: Asked): void {
  const rules = service.profile.published;
  const details = [
    ...hostingDetails(service, asked),
    ...referenceDetails(asked),
    ...(rules ? [...publishedDetails(asked, rules), ...specDetails(service, asked.body, rules)] : []),
  ];
  if (details.length > 0) throw new Refusal(422, details);
}

function detail(path: string, msg: string): Detail {
  return { loc: ["body", ...path.split(".")], msg, type: "value_error" };
}

function hostingDetails(service: Service, { isCreation, source, body }: Asked): Detail[] {
  const { hosting } = service.behaviour;
  const field = isCreation ? "source" : "revision_source";
  const asked = isCreation ? source : body.revision_source;
  if (typeof asked !== "string" || hosting === "any") return [];
  const isHosted = (asked === "external_docker") === (hosting === "self-hosted");
  return isHosted ? [] : [detail(field, `${asked} is not available on ${hosting} hosting`)];
}

function referenceDetails({ source, body }: Asked): Detail[] {
  if (body.secret_references == null || source === "external_docker") return [];
  return [detail("secret_references", `goes only with source external_docker, not ${source}`)];
}

/** The source that a value belongs to: a revision may have another one than its deployment. */
function sourceOf(path: string, { source, body }: Asked): string {
  const other = path.startsWith("source_revision_config.") ? body.revision_source : undefined;
  return typeof other === "string" ? other : source;
}

function publishedDetails(asked: Asked, rules: PublishedRules): Detail[] {
  return [
    ...Object.entries(rules.sources).flatMap(([path, sources]) => strangerDetails(asked, path, sources)),
    ...(asked.isCreation
      ? Object.entries(rules.requiredFor).flatMap(([path, sources]) => missingDetails(asked, path, sources))
      : []),
    ...tagDetails(asked),
  ];
}

function strangerDetails(asked: Asked, path: string, sources: readonly string[]): Detail[] {
  const source = sourceOf(path, asked);
  if (valueAt(asked.body, path) == null || sources.includes(source)) return [];
  return [detail(path, `goes only with source ${sources.join(" or ")}, not ${source}`)];
}

function missingDetails({ source, body }: Asked, path: string, sources: readonly string[]): Detail[] {
  if (valueAt(body, path) != null || !sources.includes(source)) return [];
  return [detail(path, `is required for source ${source}`)];
}

function tagDetails({ body, current }: Asked): Detail[] {
  const effective = (path: string) => valueAt(body, path) ?? valueAt(current, path);
  const ref = effective("source_revision_config.repo_ref");
  const isTag = typeof ref === "string" && ref.startsWith("refs/tags/");
  if (!isTag || effective("source_config.build_on_push") !== true) return [];
  return [detail("source_config.build_on_push", "must be false when repo_ref is a tag")];
}

const SPEC = "source_config.resource_spec";

function specDetails(service: Service, body: JsonRecord, rules: PublishedRules): Detail[] {
  const spec = valueAt(body, SPEC);
  if (!isProperties(spec)) return [];
  const bounds = Object.entries(rules.bounds).flatMap(([name, bound]) => {
    const wanted = unmet(spec[name], bound, service.behaviour.finerCpu === "rounded");
    return wanted === undefined ? [] : [detail(`${SPEC}.${name}`, `must be ${wanted}`)];
  });
  const members = Object.entries(rules.requiredMembers).flatMap(([name, required]) =>
    missingIn(name, spec[name], required),
  );
  return [...bounds, ...members];
}

/** What the bound asks for, when the value does not have it. */
function unmet(value: unknown, { minimum, maximum, step }: Bound, rounds: boolean): string | undefined {
  if (typeof value !== "number") return undefined;
  if (minimum !== undefined && maximum !== undefined && (value < minimum || value > maximum))
    return `between ${minimum} and ${maximum}`;
  if (step === 1) return Number.isInteger(value) ? undefined : "a whole number";
  return step === undefined || rounds || rounded(value) === value ? undefined : "of one decimal place";
}

/** To one decimal place. */
function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

function missingIn(name: string, list: unknown, required: readonly string[]): Detail[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((element: JsonRecord, index) =>
    required
      .filter((member) => element[member] === undefined)
      .map((member) => {
        const loc = ["body", ...SPEC.split("."), name, index, member];
        return { loc, msg: "this field is required", type: "missing" };
      }),
  );
}

const SPEC_DEFAULTS = { min_scale: 1, max_scale: 1, cpu: 1, memory_mb: 1024 };

/** Puts the service's defaults where the request left a gap. */
export function fillDefaults({ behaviour, profile }: Service, stored: StoredDeployment): void {
  if (!behaviour.defaults) return;
  const spec = specWithDefaults(stored.source_config.resource_spec, profile.published);
  stored.source_config = { ...stored.source_config, ...addressOf(stored), resource_spec: spec };
}

function specWithDefaults(given: unknown, rules: PublishedRules | undefined): JsonRecord {
  const spec: JsonRecord = isProperties(given) ? given : {};
  // A lower limit alone must not end above the upper one.
  const minimum = typeof spec.min_scale === "number" ? spec.min_scale : SPEC_DEFAULTS.min_scale;
  const max_scale = Math.max(minimum, SPEC_DEFAULTS.max_scale);
  const whole: JsonRecord = { ...SPEC_DEFAULTS, max_scale, ...spec };
  for (const [name, value] of Object.entries(whole))
    if (rules?.bounds[name]?.step === 0.1 && typeof value === "number") whole[name] = rounded(value);
  for (const [field, from, times] of rules?.derived ?? []) {
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
