/** Checks values against the hosting, the source and the profile's bounds. Fills in the service's defaults. */

import type { Bound, Source } from "../../../../provider/profiles/profile";
import { type Properties, propertiesIn } from "../../../../provider/schema/value";
import { type Detail, Refusal } from "../../http/message";
import { valueAt } from "../../json";
import type { EmulatedService } from "../../service";
import { bodyPath, sourceOn } from "../../table";
import type { StoredDeployment } from "./storedDeployment";

interface Submission {
  readonly isCreation: boolean;
  readonly source: string;
  readonly body: Properties;
  /** The sections of the stored deployment; undefined for a creation. */
  readonly current?: { readonly source_config: Properties; readonly source_revision_config: Properties };
}

/** Throws a 422 if the request's values do not fit the source, the hosting or the bounds. */
export function checkSource(service: EmulatedService, submission: Submission): void {
  const checks = [hostingDetails, misplacedDetails, missingDetails, conflictDetails, boundDetails];
  const details = checks.flatMap((check) => check(service, submission));
  if (details.length > 0) throw new Refusal(422, details);
}

function detail(path: string, msg: string): Detail {
  return { loc: ["body", ...path.split(".")], msg, type: "value_error" };
}

function hostingDetails(
  { behaviour, profile }: EmulatedService,
  { isCreation, source, body }: Submission,
): Detail[] {
  const { hosting } = behaviour;
  const field = isCreation ? "source" : "revision_source";
  const requested = isCreation ? source : body.revision_source;
  if (typeof requested !== "string" || hosting === "any") return [];
  const runsElsewhere = profile.installations.some(
    ({ lacks, unless }) =>
      lacks.includes(requested as Source) &&
      unless !== undefined &&
      valueAt(body, bodyPath(unless, profile)) != null,
  );
  const isHosted = runsElsewhere || (requested === "external_docker") === (hosting === "self-hosted");
  return isHosted ? [] : [detail(field, `${requested} is not available on ${hosting} hosting`)];
}

/** The source whose rules apply to the value at `path`. A revision's source may differ from its deployment's source. */
function sourceOf(path: string, { source, body }: Submission): string {
  const revisionSource = path.startsWith("source_revision_config.") ? body.revision_source : undefined;
  return typeof revisionSource === "string" ? revisionSource : source;
}

const sourceNames = (sources: readonly Source[], { profile }: EmulatedService): string[] =>
  sources.map((source) => sourceOn(profile, source));

function misplacedDetails(service: EmulatedService, submission: Submission): Detail[] {
  return Object.entries(service.profile.sources.only).flatMap(([place, rule]) => {
    const path = bodyPath(place, service.profile);
    const [source, sources] = [sourceOf(path, submission), sourceNames(rule.sources, service)];
    if (valueAt(submission.body, path) == null || sources.includes(source)) return [];
    return [detail(path, `is allowed only with source ${sources.join(" or ")}, not ${source}`)];
  });
}

function missingDetails(service: EmulatedService, { isCreation, source, body }: Submission): Detail[] {
  if (!isCreation) return [];
  return Object.entries(service.profile.sources.requiredOnCreate).flatMap(([place, { sources }]) => {
    const path = bodyPath(place, service.profile);
    if (valueAt(body, path) != null || !sourceNames(sources, service).includes(source)) return [];
    return [detail(path, `is required for source ${source}`)];
  });
}

function conflictDetails({ profile }: EmulatedService, { body, current }: Submission): Detail[] {
  const effective = (path: string) => valueAt(body, path) ?? valueAt(current, path);
  return profile.sources.conflicts.flatMap(({ path: place, value, against, prefix }) => {
    const [path, otherPath] = [bodyPath(place, profile), bodyPath(against, profile)];
    const opposingValue = effective(otherPath);
    if (typeof opposingValue !== "string" || !opposingValue.startsWith(prefix) || effective(path) !== value)
      return [];
    return [detail(path, `must be ${!value} when ${otherPath} starts with ${prefix}`)];
  });
}

function boundDetails({ behaviour, profile }: EmulatedService, { body }: Submission): Detail[] {
  return Object.entries(profile.bounds).flatMap(([place, bound]) => {
    const path = bodyPath(place, profile);
    const requirement = unmetRequirement(valueAt(body, path), bound, behaviour.finerCpu === "rounded");
    return requirement === undefined ? [] : [detail(path, `must be ${requirement}`)];
  });
}

/** The allowed values in words, if the number is out of bounds; otherwise undefined. */
function unmetRequirement(number: unknown, bound: Bound, rounds: boolean): string | undefined {
  if (typeof number !== "number") return undefined;
  const { minimum, maximum, decimals } = bound;
  if (number < minimum || number > maximum) return `between ${minimum} and ${maximum}`;
  if (rounds || round(number, bound) === number) return undefined;
  return `of ${decimals === 1 ? "one decimal place" : `${decimals} decimal places`}`;
}

const round = (number: number, { decimals }: Bound): number => Number(number.toFixed(decimals));

const SPEC_DEFAULTS = { min_scale: 1, max_scale: 1, cpu: 1, memory_mb: 1024 };

export function fillDefaults(service: EmulatedService, stored: StoredDeployment): void {
  if (!service.behaviour.defaults) return;
  const spec = specWithDefaults(stored.source_config.resource_spec, service);
  stored.source_config = { ...stored.source_config, ...addressOf(service, stored), resource_spec: spec };
}

function specWithDefaults(section: unknown, { profile }: EmulatedService): Properties {
  const spec: Properties = propertiesIn(section);
  const nameOf = (path: string) => bodyPath(path, profile).split(".").at(-1) as string;
  // If only `min_scale` is given, the default of `max_scale` is at least `min_scale`.
  const minimum = typeof spec.min_scale === "number" ? spec.min_scale : SPEC_DEFAULTS.min_scale;
  const max_scale = Math.max(minimum, SPEC_DEFAULTS.max_scale);
  const whole: Properties = { ...SPEC_DEFAULTS, max_scale, ...spec };
  for (const [path, bound] of Object.entries(profile.bounds)) {
    const value = whole[nameOf(path)];
    if (typeof value === "number") whole[nameOf(path)] = round(value, bound);
  }
  for (const [path, { from, times }] of Object.entries(profile.defaults)) {
    const base = whole[nameOf(from)];
    if (typeof base === "number") whole[nameOf(path)] ??= base * times;
  }
  return whole;
}

/** A deployment from a repository gets an address from the service, unless the deployment has a `custom_url`. */
function addressOf({ profile }: EmulatedService, { id, name, source, source_config }: StoredDeployment) {
  const isGiven = source_config.custom_url !== undefined || source !== sourceOn(profile, "repohost");
  if (isGiven) return {};
  const label = name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return { custom_url: `https://${label}-${id.slice(0, 8)}.example.test` };
}
