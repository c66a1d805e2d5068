/** Members of a resource spec that the service has and the program does not manage. */
import { deploymentRows, sourceConfigRows } from "../fields/deployment";
import { resourceSpecRows, SPEC } from "../fields/resourceSpec";
import { isAbsent, isProperties, type Properties, propertiesIn, valueAt } from "../fields/value";
import { rowsFromWire, wireName } from "../fields/wire";
import { escapeControls } from "../fields/words";
import type { Profile } from "../profiles/profiles";
import type { Change } from "../verdict/changes";
import { shown } from "../verdict/describe";
import { say } from "../verdict/sentences";
import { joined, type MarkedWords, marked, ours } from "../verdict/wording";

/** The spec's place in a body or an answer. */
export const placeOf = (profile: Profile): [section: string, name: string] => [
  wireName(deploymentRows.sourceConfig, "sourceConfig", profile),
  wireName(sourceConfigRows.resourceSpec, SPEC, profile),
];

/** The answered members that none of these arguments give, by their names on the wire. */
export function unmanaged(resource: Properties, args: readonly Properties[], profile: Profile): Properties {
  const names = args.flatMap((each) => Object.keys(propertiesIn(valueAt(each, SPEC.split(".")))));
  const managed = Object.keys(resourceSpecRows)
    .filter((name) => names.includes(name))
    .map((name) => wireOf(`${SPEC}.${name}`, profile));
  const members = Object.entries(propertiesIn(valueAt(resource, placeOf(profile))));
  return Object.fromEntries(members.filter(([wire, value]) => !isAbsent(value) && !managed.includes(wire)));
}

/** Whether the service itself made the value from another one. */
export function isDefault(live: Properties, path: string, { defaults }: Profile): boolean {
  const rule = defaults[path];
  const base = rule && valueAt(live, rule.from.split("."));
  return typeof base === "number" && valueAt(live, path.split(".")) === base * (rule?.times ?? 1);
}

export const liveArguments = (resource: Properties, profile: Profile): Properties =>
  rowsFromWire({ sourceConfig: deploymentRows.sourceConfig }, resource, profile);

export function wireOf(path: string, profile: Profile): string {
  const name = path.slice(SPEC.length + 1) as keyof typeof resourceSpecRows;
  return wireName(resourceSpecRows[name], path, profile);
}

/** The note of what a write keeps in the spec: numbers by name, null for other values. Without what the service derives. */
export function unmanagedNote(resource: Properties, args: Properties, profile: Profile): Properties {
  if (!profile.capabilities.resourceSpecOverwrites || !isProperties(valueAt(args, SPEC.split("."))))
    return {};
  const live = liveArguments(resource, profile);
  const nameOf = new Map(
    Object.keys(resourceSpecRows).map((name) => [wireOf(`${SPEC}.${name}`, profile), name]),
  );
  const members = Object.entries(unmanaged(resource, [args], profile))
    .map(([wire, value]) => [nameOf.get(wire) ?? wire, typeof value === "number" ? value : null] as const)
    .filter(([name]) => !isDefault(live, `${SPEC}.${name}`, profile));
  return members.length === 0 ? {} : { unmanagedSpec: Object.fromEntries(members) };
}

/** Stands in for the noted members, on the wire. */
export function notedMembers({ unmanagedSpec }: Properties, profile: Profile): Properties {
  const members = Object.entries(propertiesIn(unmanagedSpec));
  const wire = (name: string) =>
    Object.hasOwn(resourceSpecRows, name) ? wireOf(`${SPEC}.${name}`, profile) : name;
  return Object.fromEntries(members.map(([name, value]) => [wire(name), value ?? true]));
}

/** The plan's line, with what the write keeps. `kept`: the note; undefined if the spec is not sent. */
export function withKept(line: MarkedWords, kept: Properties | undefined): MarkedWords {
  if (kept === undefined) return line;
  const members = Object.entries(kept).map(([name, value]) =>
    value === null ? escapeControls(name) : marked`${escapeControls(name)} ${shown(value)}`,
  );
  const rest = members.length === 0 ? ours("what else the service has") : joined(members, ", ");
  return say.keepsUnmanaged({ verdict: line, rest });
}

/** The note's members that a plan with these changes keeps; undefined if it does not send the spec, or does not replace it whole. */
export function keptMembers(
  { unmanagedSpec }: Properties,
  changes: readonly Change[],
  { capabilities }: Profile,
): Properties | undefined {
  const isSent = ({ path, effect }: Change) => effect !== "kept" && `${path}.`.startsWith(`${SPEC}.`);
  if (!capabilities.resourceSpecOverwrites || !changes.some(isSent)) return undefined;
  return propertiesIn(unmanagedSpec);
}
