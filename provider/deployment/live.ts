/**
 * A deployment as the service returns it, but with the names that programs use. Includes parts that the program does
 * not manage. Variables are one list on the wire. A write that replaces the whole spec also sends unmanaged members.
 */
import type { Call } from "../call";
import { sameValue } from "../fields/compare";
import { deploymentOutputRows, deploymentRows, sourceConfigRows } from "../fields/deployment";
import { resourceSpecRows, SPEC } from "../fields/resourceSpec";
import { isAbsent, isProperties, type Properties, propertiesIn, valueAt, withValueAt } from "../fields/value";
import { everyRowFromWire, rowsFromWire, wireName } from "../fields/wire";
import { escapeControls } from "../fields/words";
import type { Profile } from "../profiles/profiles";
import { variablesOf } from "./variables";

export interface Live {
  readonly profile: Profile;
  /** The arguments that the answer shows, without the variables. */
  readonly args: Properties;
  /** Every output; null if the service does not report it. */
  readonly outputs: Properties;
  /** The variables that the service names; a variable's value may be null or masked. */
  readonly listed: Properties;
  /** The values that the service shows for variables, except masked values. */
  readonly shown: Properties;
  /** The resource spec, under its wire names. */
  readonly spec: Properties;
}

/** Decodes an answer. Throws if the answer cannot be read. */
export function liveIn(resource: Properties, profile: Profile): Live {
  const { secrets, ...args } = rowsFromWire(deploymentRows, resource, profile);
  const listed = propertiesIn(secrets);
  return {
    profile,
    args,
    outputs: everyRowFromWire(deploymentOutputRows, resource, profile),
    listed,
    shown: withoutMasks(listed, profile),
    spec: specIn(resource, profile),
  };
}

/** The resource spec's place in a body or an answer. */
export const placeOf = (profile: Profile): [section: string, name: string] => [
  wireName(deploymentRows.sourceConfig, "sourceConfig", profile),
  wireName(sourceConfigRows.resourceSpec, SPEC, profile),
];

/** The resource spec in a body or an answer, under its wire names. */
export const specIn = (body: Properties, profile: Profile): Properties =>
  propertiesIn(valueAt(body, placeOf(profile)));

const listRow = { secrets: deploymentRows.secrets };

/** The variables that the service names; a variable's value may be null or masked. */
export function listedIn(resource: Properties, profile: Profile): Properties {
  return propertiesIn(rowsFromWire(listRow, resource, profile).secrets);
}

/**
 * Whether the service names exactly the secrets in `secretNames`. If the service names no secrets, it hides them, and
 * that counts as a match.
 */
export function sameNames(secretNames: readonly string[], resource: Properties, profile: Profile): boolean {
  const names = Object.keys(listedIn(resource, profile)).sort();
  return names.length === 0 || names.join("\n") === [...secretNames].sort().join("\n");
}

/** A masked value: blank, words in brackets, one repeated character, or text with asterisks, bullets or an ellipsis. */
const MASK = /^\s*$|\*{3,}|[•●∙…]|^(.)\1{2,}$|^[[<(][\w -]+[\])>]$/su;

/** The unmasked values of the service, by name; none unless the profile says that the service shows values. */
export const shownIn = (resource: Properties, profile: Profile): Properties =>
  withoutMasks(listedIn(resource, profile), profile);

function withoutMasks(listed: Properties, { capabilities }: Profile): Properties {
  if (!capabilities.showsSecretValues) return {};
  const entries = Object.entries(listed).filter(([, value]) => typeof value === "string");
  const isOneMask = entries.length > 1 && new Set(entries.map(([, value]) => value)).size === 1;
  return isOneMask ? {} : Object.fromEntries(entries.filter(([, value]) => !MASK.test(value as string)));
}

/** The program's plain variables with the service's values. A value that the service hides counts as unchanged. */
export function liveEnvironment({ environment }: Properties, { listed, shown }: Live): unknown {
  if (!isProperties(environment)) return environment;
  // If the service names no variables, it hides them.
  if (Object.keys(listed).length === 0) return environment;
  const entries = Object.entries(environment).filter(([name]) => Object.hasOwn(listed, name));
  return Object.fromEntries(entries.map(([name, value]) => [name, valueAt(shown, [name]) ?? value]));
}

/** The names of the recorded secrets whose values differ on the service. */
export function alteredSecrets({ secrets }: Properties, { shown }: Live): string[] {
  return Object.entries(propertiesIn(secrets)).flatMap(([name, value]) =>
    typeof value === "string" && Object.hasOwn(shown, name) && `${shown[name]}`.trim() !== `${value}`.trim()
      ? [name]
      : [],
  );
}

/** The arguments before and after an update. */
interface BothArguments {
  readonly olds: Properties;
  readonly news: Properties;
}

/** The members of a resource spec that none of these arguments give, under their wire names. */
function unmanaged(spec: Properties, args: readonly Properties[], profile: Profile): Properties {
  const names = args.flatMap((each) => Object.keys(propertiesIn(valueAt(each, SPEC.split(".")))));
  const managedNames = Object.keys(resourceSpecRows)
    .filter((name) => names.includes(name))
    .map((name) => wireOf(`${SPEC}.${name}`, profile));
  return Object.fromEntries(
    Object.entries(spec).filter(([wire, value]) => !isAbsent(value) && !managedNames.includes(wire)),
  );
}

/** Whether the value is the one that the service derives from another field. */
function isDefault({ args, profile }: Live, path: string): boolean {
  const rule = profile.defaults[path];
  const base = rule && valueAt(args, rule.from.split("."));
  return typeof base === "number" && valueAt(args, path.split(".")) === base * (rule?.times ?? 1);
}

function wireOf(path: string, profile: Profile): string {
  const name = path.slice(SPEC.length + 1) as keyof typeof resourceSpecRows;
  return wireName(resourceSpecRows[name], path, profile);
}

/** The state's notes of the secrets and spec members that the service has but these arguments do not give. */
export function notesOf(live: Live, args: Properties): Properties {
  const declared = { ...propertiesIn(args.secretGenerations), ...variablesOf(args) };
  const names = Object.keys(live.listed).filter((name) => !Object.hasOwn(declared, name));
  return { ...(names.length === 0 ? {} : { foreignSecrets: names.sort() }), ...unmanagedNote(live, args) };
}

/**
 * The state's `unmanagedSpec`: each spec member that a write keeps, with its number, or null if its value is not a
 * number. Values that the service derives are left out.
 */
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

/** Whether the body has a resource spec, and the service replaces the whole spec. */
export const replacesSpec = (body: Properties, profile: Profile): boolean =>
  profile.capabilities.resourceSpecOverwrites && isProperties(valueAt(body, placeOf(profile)));

/**
 * The body, with the unmanaged members of the spec added. `live`: the deployment as the caller has just read it. If the
 * service derived a limit from the old request, and the new request exceeds this limit, the body leaves the limit out,
 * so that the service derives a new one.
 */
export function withUnmanaged(body: Properties, live: Live, { olds, news }: BothArguments): Properties {
  const { profile, args, spec: liveSpec } = live;
  const unmanagedSpec = unmanaged(liveSpec, [olds, news], profile);
  for (const [lower, upper] of profile.ranges) {
    const [request, limit] = [valueAt(news, lower.split(".")), valueAt(args, upper.split("."))];
    if (Number(request) > Number(limit) && isDefault(live, upper))
      delete unmanagedSpec[wireOf(upper, profile)];
  }
  const spec = { ...unmanagedSpec, ...specIn(body, profile) };
  return withValueAt(body, placeOf(profile), spec) as Properties;
}

/** Warns if the answer's values for the unmanaged members differ from the values sent with the spec. */
export async function warnOfChange(
  { call, body, olds, news }: BothArguments & { readonly call: Call; readonly body: Properties },
  answer: Properties,
): Promise<void> {
  const { profile } = call;
  const sentSpec = unmanaged(specIn(body, profile), [olds, news], profile);
  const liveSpec = specIn(answer, profile);
  // An answer may show no spec.
  if (Object.keys(liveSpec).length === 0) return;
  const names = Object.keys(sentSpec)
    .filter((name) => !sameValue(sentSpec[name], liveSpec[name]))
    .map(escapeControls);
  if (names.length === 0) return;
  await call.warn(
    `since the last read, the service has changed members of resourceSpec that the program does not manage: ${names.join(", ")}. To fix a member's value, give the member in the program`,
  );
}

/**
 * The members of the state's `unmanagedSpec`, under their wire names; `true` stands for a value that the state does not
 * hold.
 */
export function notedMembers({ unmanagedSpec }: Properties, profile: Profile): Properties {
  const members = Object.entries(propertiesIn(unmanagedSpec));
  const wire = (name: string) =>
    Object.hasOwn(resourceSpecRows, name) ? wireOf(`${SPEC}.${name}`, profile) : name;
  return Object.fromEntries(members.map(([name, value]) => [wire(name), value ?? true]));
}
