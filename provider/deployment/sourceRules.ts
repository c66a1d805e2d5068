/** The profile's rules about which arguments go with which source. Unknown values pass. */

import type { Call } from "../call";
import type { Source } from "../profiles/profile";
import type { Profile } from "../profiles/profiles";
import { type Fault, faultInWords } from "../schema/check";
import { deploymentRows, SOURCES } from "../schema/deployment";
import type { Arguments } from "../schema/recorded";
import {
  hasUnknown,
  isAbsent,
  isProperties,
  normalizedRows,
  type Properties,
  UNKNOWN,
  valueAt,
  withValueAt,
} from "../schema/value";

/** The operation for which the arguments are checked. An `adoption` by name may turn out to be a creation. */
export type Purpose = "creation" | "adoption" | "update";

interface SourceCase {
  readonly args: Arguments;
  readonly before: Arguments | undefined;
  readonly knownArguments: Arguments;
  readonly source: string;
  readonly profile: Profile;
  readonly purpose: Purpose;
}

/** The faults in the arguments under the profile's rules for sources. Each argument by itself must already be valid. */
export function sourceFaults(
  args: Arguments,
  profile: Profile,
  purpose: Purpose,
  before?: Arguments,
): Fault[] {
  const sourceCase = sourceCaseOf(args, profile, purpose, before);
  if (sourceCase === undefined) return [];
  const nothingToRun = profile.sources.nothingToRun === "refused" ? nothingToRunFaults(sourceCase) : [];
  return [
    ...misplacedFields(sourceCase),
    ...missingFields(sourceCase),
    ...nothingToRun,
    ...conflictingValues(sourceCase),
  ];
}

/** Returns a fault if a creation uses a source that the installation at this address does not offer. */
export function installationFaults(args: Arguments, { profile, baseUrl }: Pick<Call, "profile" | "baseUrl">) {
  const { source } = args;
  const installation = profile.installations.find(({ address }) => address.test(baseUrl));
  const { name, lacks, unless = "" } = installation ?? { lacks: [] as Source[] };
  if (!isIn(source, lacks) || !isAbsent(valueAt(args, unless.split(".")))) return [];
  const offered = SOURCES.filter((each) => !lacks.includes(each));
  const beside = unless === "" ? "" : `, or "${source}" with ${unless}`;
  const words = `got "${source}"; allowed on ${name}: ${quoted(offered, ", ")}${beside}`;
  return [{ path: ["source"], words }];
}

/** Leaves out arguments that apply only to other sources, because the service itself sets these arguments. */
export function applicable(args: Arguments, { sources: { only } }: Profile): Arguments {
  const foreignFields = Object.entries(only).filter(([, { sources }]) => !isIn(args.source, sources));
  return foreignFields
    .map(([place]) => place.split("."))
    .filter((path) => !isAbsent(valueAt(args, path)))
    .reduce((remaining, path) => withValueAt(remaining, path, undefined), args);
}

/** Warnings that there is nothing to run; empty if the profile refuses the plan instead. A creation has no `before`. */
export function sourceDoubts(args: Arguments, profile: Profile, before?: Arguments): string[] {
  if (profile.sources.nothingToRun !== "warned") return [];
  const sourceCase = sourceCaseOf(args, profile, before === undefined ? "creation" : "update", before);
  return sourceCase === undefined ? [] : nothingToRunFaults(sourceCase).map(faultInWords);
}

/** The arguments with their source; undefined while the source is unknown. */
function sourceCaseOf(
  args: Arguments,
  profile: Profile,
  purpose: Purpose,
  before: Arguments | undefined,
): SourceCase | undefined {
  const knownArguments = normalizedRows(deploymentRows, withoutUnknown(args) as Properties);
  const { source } = knownArguments;
  return typeof source === "string" ? { args, before, knownArguments, source, profile, purpose } : undefined;
}

function misplacedFields({ args, knownArguments, source, profile, purpose }: SourceCase): Fault[] {
  const { revisionSource } = knownArguments;
  const isCreation = purpose === "creation";
  // Any field may fit an unknown revision source. A POST has no revision source.
  if (!isCreation && args.revisionSource === UNKNOWN) return [];
  const from = [source, ...(isCreation || typeof revisionSource !== "string" ? [] : [revisionSource])];
  return Object.entries(profile.sources.only).flatMap(([place, { sources, remedy }]) => {
    const path = place.split(".");
    if (valueAt(knownArguments, path) === undefined || from.some((each) => isIn(each, sources))) return [];
    const later = isCreation && isIn(revisionSource, sources);
    const advice = later
      ? "revisionSource applies only to updates: add this argument after the creation"
      : remedy;
    const words = `is only for source ${quoted(sources, " or ")} (profile "${profile.name}"), not for ${quoted(from, " with revisionSource ")}. ${advice}`;
    return [{ path, words }];
  });
}

function missingFields({ args, knownArguments, source, profile, purpose }: SourceCase): Fault[] {
  if (purpose !== "creation") return [];
  return Object.entries(profile.sources.requiredOnCreate).flatMap(([place, { sources, remedy }]) => {
    const path = place.split(".");
    if (!isIn(source, sources) || valueAt(knownArguments, path) !== undefined || mayAppear(args, path))
      return [];
    const words = `is missing; source "${source}" creates nothing without it (profile "${profile.name}"). ${remedy}`;
    return [{ path, words }];
  });
}

/** An update has this fault only if it removes the argument that names what to run, and sets no `revisionSource`. */
function nothingToRunFaults({ args, before, knownArguments, source, profile, purpose }: SourceCase): Fault[] {
  if (purpose === "adoption" || (purpose === "update" && !isAbsent(args.revisionSource))) return [];
  return Object.entries(profile.sources.runs).flatMap(([place, { sources, remedy }]) => {
    const path = place.split(".");
    const isKept = purpose === "update" && isAbsent(valueAt(before, path));
    if (
      isKept ||
      !isIn(source, sources) ||
      `${valueAt(knownArguments, path) ?? ""}`.trim() !== "" ||
      mayAppear(args, path)
    )
      return [];
    const words = `is missing; source "${source}" has nothing to run without it (profile "${profile.name}"). ${remedy}`;
    return [{ path, words }];
  });
}

/** Whether the value, or an object around the value, is unknown until the apply. */
function mayAppear(args: Arguments, path: readonly string[]): boolean {
  return path.some((_, index) => valueAt(args, path.slice(0, index + 1)) === UNKNOWN);
}

function conflictingValues({ knownArguments, profile }: SourceCase): Fault[] {
  return profile.sources.conflicts.flatMap(({ path, value, against, prefix, remedy }) => {
    const opposingValue = valueAt(knownArguments, against.split("."));
    if (valueAt(knownArguments, path.split(".")) !== value) return [];
    if (typeof opposingValue !== "string" || !opposingValue.startsWith(prefix)) return [];
    const words = `got ${value}; allowed: ${!value} where ${against} starts with ${prefix} (profile "${profile.name}"). ${remedy}`;
    return [{ path: path.split("."), words }];
  });
}

function isIn(source: unknown, sources: readonly Source[]): boolean {
  return sources.some((each) => each === source);
}

function quoted(names: readonly string[], separator: string): string {
  return names.map((name) => `"${name}"`).join(separator);
}

function withoutUnknown(value: unknown): unknown {
  if (value === UNKNOWN) return undefined;
  if (!isProperties(value) || !hasUnknown(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutUnknown(member)]));
}
