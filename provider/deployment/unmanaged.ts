/**
 * What the service has and the program does not manage: variables that somebody else added, and members of the
 * resource spec, which a write that replaces the spec whole carries.
 */
import type { Call } from "../call";
import { sameValue } from "../fields/compare";
import { resourceSpecRows, SPEC } from "../fields/resourceSpec";
import { isAbsent, isProperties, type Properties, propertiesIn, valueAt, withValueAt } from "../fields/value";
import { wireName } from "../fields/wire";
import { escapeControls } from "../fields/words";
import type { Profile } from "../profiles/profiles";
import type { Change } from "../verdict/changes";
import { shown } from "../verdict/describe";
import { say } from "../verdict/sentences";
import { joined, type MarkedWords, marked, ours } from "../verdict/wording";
import { type Live, placeOf, specIn } from "./live";
import { variablesOf } from "./variables";

/** The arguments before and after. */
interface Update {
  readonly olds: Properties;
  readonly news: Properties;
}

/** The members of a spec, in the names of the wire, that none of these arguments give. */
function unmanaged(spec: Properties, args: readonly Properties[], profile: Profile): Properties {
  const names = args.flatMap((each) => Object.keys(propertiesIn(valueAt(each, SPEC.split(".")))));
  const managed = Object.keys(resourceSpecRows)
    .filter((name) => names.includes(name))
    .map((name) => wireOf(`${SPEC}.${name}`, profile));
  return Object.fromEntries(
    Object.entries(spec).filter(([wire, value]) => !isAbsent(value) && !managed.includes(wire)),
  );
}

/** Whether the service itself made the value from another one. */
function isDefault({ args, profile }: Live, path: string): boolean {
  const rule = profile.defaults[path];
  const base = rule && valueAt(args, rule.from.split("."));
  return typeof base === "number" && valueAt(args, path.split(".")) === base * (rule?.times ?? 1);
}

function wireOf(path: string, profile: Profile): string {
  const name = path.slice(SPEC.length + 1) as keyof typeof resourceSpecRows;
  return wireName(resourceSpecRows[name], path, profile);
}

/** The notes of all that the service has and these arguments do not manage. */
export function notesOf(live: Live, args: Properties): Properties {
  const declared = { ...propertiesIn(args.secretGenerations), ...variablesOf(args) };
  const names = Object.keys(live.listed).filter((name) => !Object.hasOwn(declared, name));
  return { ...(names.length === 0 ? {} : { foreignSecrets: names.sort() }), ...unmanagedNote(live, args) };
}

/** The note of what a write keeps in the spec: numbers by name, null for other values. Without what the service derives. */
export function unmanagedNote(live: Live, args: Properties): Properties {
  const { profile, spec } = live;
  if (!profile.capabilities.resourceSpecOverwrites || !isProperties(valueAt(args, SPEC.split("."))))
    return {};
  const nameOf = new Map(
    Object.keys(resourceSpecRows).map((name) => [wireOf(`${SPEC}.${name}`, profile), name]),
  );
  const members = Object.entries(unmanaged(spec, [args], profile))
    .map(([wire, value]) => [nameOf.get(wire) ?? wire, typeof value === "number" ? value : null] as const)
    .filter(([name]) => !isDefault(live, `${SPEC}.${name}`));
  return members.length === 0 ? {} : { unmanagedSpec: Object.fromEntries(members) };
}

/** Whether the body has a spec that the service replaces whole. */
export const replacesSpec = (body: Properties, profile: Profile): boolean =>
  profile.capabilities.resourceSpecOverwrites && isProperties(valueAt(body, placeOf(profile)));

/**
 * The body with what the program does not manage in the spec. `live`: the deployment, just read. A limit that the
 * service made from a request, and that the new request exceeds, is left to the service again.
 */
export function withUnmanaged(body: Properties, live: Live, { olds, news }: Update): Properties {
  const { profile, args, spec: liveSpec } = live;
  const rest = unmanaged(liveSpec, [olds, news], profile);
  for (const [lower, upper] of profile.ranges) {
    const [request, limit] = [valueAt(news, lower.split(".")), valueAt(args, upper.split("."))];
    if (Number(request) > Number(limit) && isDefault(live, upper)) delete rest[wireOf(upper, profile)];
  }
  const spec = { ...rest, ...specIn(body, profile) };
  return withValueAt(body, placeOf(profile), spec) as Properties;
}

/** Warns if the service answers other values than were sent along with a spec that it replaces whole. */
export async function warnOfChange(
  { call, body, olds, news }: Update & { readonly call: Call; readonly body: Properties },
  answer: Properties,
): Promise<void> {
  const { profile } = call;
  const sent = unmanaged(specIn(body, profile), [olds, news], profile);
  const live = specIn(answer, profile);
  // An answer may show no spec.
  if (Object.keys(live).length === 0) return;
  const names = Object.keys(sent)
    .filter((name) => !sameValue(sent[name], live[name]))
    .map(escapeControls);
  if (names.length === 0) return;
  await call.warn(
    `the service has changed what the program does not manage in resourceSpec since it was read: ${names.join(", ")}. To settle a value, give it in the program`,
  );
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
