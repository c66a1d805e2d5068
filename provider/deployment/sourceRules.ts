/** The profile's rules about which arguments go with which source. Unknown values pass. */
import { type Fault, faultInWords, type Hidden } from "../fields/check";
import { deploymentRows } from "../fields/deployment";
import {
  hasUnknown,
  isAbsent,
  isProperties,
  normalizedRows,
  type Properties,
  UNKNOWN,
  valueAt,
  withValueAt,
} from "../fields/value";
import { escapeControls } from "../fields/words";
import type { Source } from "../profiles/profile";
import type { Profile } from "../profiles/profiles";

/** The purpose of the arguments. An `adoption` by name may turn out to be a creation. */
export type Purpose = "creation" | "adoption" | "update";

interface Checked {
  readonly args: Properties;
  /** The arguments before an update. */
  readonly olds: Properties | undefined;
  /** The arguments without unknown values. */
  readonly known: Properties;
  readonly source: string;
  readonly profile: Profile;
  readonly purpose: Purpose;
}

/** The faults of the arguments under the profile's rules for sources. Each argument by itself must be valid. */
export function sourceFaults(
  args: Properties,
  profile: Profile,
  purpose: Purpose,
  olds?: Properties,
): Fault[] {
  const checked = checkedOf(args, profile, purpose, olds);
  if (checked === undefined) return [];
  const nothingToRun = profile.sources.nothingToRun === "refused" ? idle(checked) : [];
  return [...misplaced(checked), ...missing(checked), ...nothingToRun, ...conflicting(checked)];
}

/** The arguments as read, without those that only other sources take: there the service shows values of its own. */
export function applicable(args: Properties, { sources: { only } }: Profile): Properties {
  const others = Object.entries(only).filter(([, { sources }]) => !isIn(args.source, sources));
  return others
    .map(([place]) => place.split("."))
    .filter((path) => !isAbsent(valueAt(args, path)))
    .reduce((rest, path) => withValueAt(rest, path, undefined) as Properties, args);
}

/** Warnings about what will run: perhaps nothing, or another image than today's. Without `olds`, for a creation. */
export function sourceDoubts(
  args: Properties,
  profile: Profile,
  hidden: Hidden,
  olds?: Properties,
): string[] {
  const checked = checkedOf(args, profile, olds === undefined ? "creation" : "update", olds);
  if (checked === undefined) return [];
  const nothingToRun = profile.sources.nothingToRun === "warned" ? idle(checked) : [];
  return [...nothingToRun, ...movingTag(checked, hidden)].map(faultInWords);
}

/** Undefined while the source is not known. */
function checkedOf(
  args: Properties,
  profile: Profile,
  purpose: Purpose,
  olds: Properties | undefined,
): Checked | undefined {
  const knownPart = normalizedRows(deploymentRows, withoutUnknown(args) as Properties);
  const { source } = knownPart;
  return typeof source === "string" ? { args, olds, known: knownPart, source, profile, purpose } : undefined;
}

function movingTag({ known, olds }: Checked, hidden: Hidden): Fault[] {
  const path = ["sourceRevisionConfig", "imageUri"];
  const image = valueAt(known, path);
  if (typeof image !== "string" || image === valueAt(olds, path)) return [];
  const [, tag = "none"] = /:([^:/@]+)$/.exec(image) ?? [];
  if (image.includes("@") || (tag !== "none" && tag !== "latest")) return [];
  const name = hidden(path.join(".")) ? "IMAGE" : escapeControls(image.replace(/:latest$/, ""));
  const words = `its tag is ${tag}, which moves: the plan does not see another image behind it, and a restart may run that one. To keep to one image, give its digest, as in ${name}@sha256:…`;
  return [{ path, words }];
}

function misplaced({ args, known, source, profile, purpose }: Checked): Fault[] {
  const { revisionSource } = known;
  const isCreation = purpose === "creation";
  // A POST has no revision source, so it takes none of that source's fields.
  if (!isCreation && args.revisionSource === UNKNOWN) return [];
  const from = [source, ...(isCreation || typeof revisionSource !== "string" ? [] : [revisionSource])];
  return Object.entries(profile.sources.only).flatMap(([place, { sources, remedy }]) => {
    const path = place.split(".");
    if (valueAt(known, path) === undefined || from.some((each) => isIn(each, sources))) return [];
    const later = isCreation && isIn(revisionSource, sources);
    const advice = later
      ? "A revisionSource counts for updates only: create the deployment without this first"
      : remedy;
    const words = `is only for source ${quoted(sources, " or ")} (profile "${profile.name}"); ${given(from)}. ${advice}`;
    return [{ path, words }];
  });
}

function given([source, revisionSource]: readonly string[]): string {
  const words = `this deployment's source is "${source}"`;
  return revisionSource === undefined ? words : `${words}, its revisionSource "${revisionSource}"`;
}

function missing({ args, known, source, profile, purpose }: Checked): Fault[] {
  if (purpose !== "creation") return [];
  return Object.entries(profile.sources.requiredOnCreate).flatMap(([place, { sources, remedy }]) => {
    const path = place.split(".");
    if (!isIn(source, sources) || valueAt(known, path) !== undefined || mayAppear(args, path)) return [];
    const words = `is missing; source "${source}" creates nothing without it (profile "${profile.name}"). ${remedy}`;
    return [{ path, words }];
  });
}

/** Missing arguments without which nothing runs. An update counts if it removes one and gives no `revisionSource`. */
function idle({ args, olds, known, source, profile, purpose }: Checked): Fault[] {
  if (purpose === "adoption" || (purpose === "update" && !isAbsent(args.revisionSource))) return [];
  return Object.entries(profile.sources.runs).flatMap(([place, { sources, remedy }]) => {
    const path = place.split(".");
    const isKept = purpose === "update" && isAbsent(valueAt(olds, path));
    if (
      isKept ||
      !isIn(source, sources) ||
      `${valueAt(known, path) ?? ""}`.trim() !== "" ||
      mayAppear(args, path)
    )
      return [];
    const words = `is missing; source "${source}" has nothing to run without it (profile "${profile.name}"). ${remedy}`;
    return [{ path, words }];
  });
}

/** Whether the value, or an object around it, is only known at the apply. */
function mayAppear(args: Properties, path: readonly string[]): boolean {
  return path.some((_, index) => valueAt(args, path.slice(0, index + 1)) === UNKNOWN);
}

function conflicting({ known, profile }: Checked): Fault[] {
  return profile.sources.conflicts.flatMap(({ path, value, against, prefix, remedy }) => {
    const other = valueAt(known, against.split("."));
    if (valueAt(known, path.split(".")) !== value) return [];
    if (typeof other !== "string" || !other.startsWith(prefix)) return [];
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
