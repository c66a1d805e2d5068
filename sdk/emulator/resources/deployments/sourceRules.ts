/** Which values a deployment may have, by its hosting, its source and the profile's bounds; and the defaults that the service fills in. */
import { isProperties } from "../../../../provider/fields/value";
import type { Bound, Source } from "../../../../provider/profiles/profile";
import { type Detail, Refusal } from "../../http/message";
import { type JsonRecord, valueAt } from "../../json";
import type { Service } from "../../service";
import { sourceOn, wirePath } from "../../table";
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
  const checks = [hostingDetails, misplacedDetails, missingDetails, conflictDetails, boundDetails];
  const details = checks.flatMap((check) => check(service, asked));
  if (details.length > 0) throw new Refusal(422, details);
}

function detail(path: string, msg: string): Detail {
  return { loc: ["body", ...path.split(".")], msg, type: "value_error" };
}

function hostingDetails({ behaviour }: Service, { isCreation, source, body }: Asked): Detail[] {
  const { hosting } = behaviour;
  const field = isCreation ? "source" : "revision_source";
  const asked = isCreation ? source : body.revision_source;
  if (typeof asked !== "string" || hosting === "any") return [];
  const isHosted = (asked === "external_docker") === (hosting === "self-hosted");
  return isHosted ? [] : [detail(field, `${asked} is not available on ${hosting} hosting`)];
}

/** The source that a value belongs to: a revision may have another one than its deployment. */
function sourceOf(path: string, { source, body }: Asked): string {
  const other = path.startsWith("source_revision_config.") ? body.revision_source : undefined;
  return typeof other === "string" ? other : source;
}

const wordsFor = (sources: readonly Source[], { profile }: Service): string[] =>
  sources.map((source) => sourceOn(profile, source));

function misplacedDetails(service: Service, asked: Asked): Detail[] {
  return Object.entries(service.profile.sources.only).flatMap(([place, rule]) => {
    const path = wirePath(place, service.profile);
    const [source, sources] = [sourceOf(path, asked), wordsFor(rule.sources, service)];
    if (valueAt(asked.body, path) == null || sources.includes(source)) return [];
    return [detail(path, `goes only with source ${sources.join(" or ")}, not ${source}`)];
  });
}

function missingDetails(service: Service, { isCreation, source, body }: Asked): Detail[] {
  if (!isCreation) return [];
  return Object.entries(service.profile.sources.requiredOnCreate).flatMap(([place, { sources }]) => {
    const path = wirePath(place, service.profile);
    if (valueAt(body, path) != null || !wordsFor(sources, service).includes(source)) return [];
    return [detail(path, `is required for source ${source}`)];
  });
}

function conflictDetails({ profile }: Service, { body, current }: Asked): Detail[] {
  const effective = (path: string) => valueAt(body, path) ?? valueAt(current, path);
  return profile.sources.conflicts.flatMap(({ path: place, value, against, prefix }) => {
    const [path, otherPath] = [wirePath(place, profile), wirePath(against, profile)];
    const other = effective(otherPath);
    if (typeof other !== "string" || !other.startsWith(prefix) || effective(path) !== value) return [];
    return [detail(path, `must be ${!value} when ${otherPath} starts with ${prefix}`)];
  });
}

function boundDetails({ behaviour, profile }: Service, { body }: Asked): Detail[] {
  return Object.entries(profile.bounds).flatMap(([place, bound]) => {
    const path = wirePath(place, profile);
    const wanted = unmet(valueAt(body, path), bound, behaviour.finerCpu === "rounded");
    return wanted === undefined ? [] : [detail(path, `must be ${wanted}`)];
  });
}

/** What the bound asks for, when the value does not have it. */
function unmet(value: unknown, bound: Bound, rounds: boolean): string | undefined {
  if (typeof value !== "number") return undefined;
  const { minimum, maximum, decimals } = bound;
  if (value < minimum || value > maximum) return `between ${minimum} and ${maximum}`;
  if (rounds || rounded(value, bound) === value) return undefined;
  return `of ${decimals === 1 ? "one decimal place" : `${decimals} decimal places`}`;
}

const rounded = (value: number, { decimals }: Bound): number => Number(value.toFixed(decimals));

const SPEC_DEFAULTS = { min_scale: 1, max_scale: 1, cpu: 1, memory_mb: 1024 };

/** Puts the service's defaults where the request left a gap. */
export function fillDefaults(service: Service, stored: StoredDeployment): void {
  if (!service.behaviour.defaults) return;
  const spec = specWithDefaults(stored.source_config.resource_spec, service);
  stored.source_config = { ...stored.source_config, ...addressOf(service, stored), resource_spec: spec };
}

function specWithDefaults(given: unknown, { profile }: Service): JsonRecord {
  const spec: JsonRecord = isProperties(given) ? given : {};
  const nameOf = (path: string) => wirePath(path, profile).split(".").at(-1) as string;
  // A lower limit alone must not end above the upper one.
  const minimum = typeof spec.min_scale === "number" ? spec.min_scale : SPEC_DEFAULTS.min_scale;
  const max_scale = Math.max(minimum, SPEC_DEFAULTS.max_scale);
  const whole: JsonRecord = { ...SPEC_DEFAULTS, max_scale, ...spec };
  for (const [path, bound] of Object.entries(profile.bounds)) {
    const value = whole[nameOf(path)];
    if (typeof value === "number") whole[nameOf(path)] = rounded(value, bound);
  }
  for (const [path, { from, times }] of Object.entries(profile.defaults)) {
    const base = whole[nameOf(from)];
    if (typeof base === "number") whole[nameOf(path)] ??= base * times;
  }
  return whole;
}

/** A deployment from a repository gets an address of the service unless it is given one. */
function addressOf({ profile, makes }: Service, { id, name, source, source_config }: StoredDeployment) {
  const isGiven = source_config.custom_url !== undefined || source !== sourceOn(profile, "repohost");
  return isGiven ? {} : { custom_url: makes.address(id, name) };
}
