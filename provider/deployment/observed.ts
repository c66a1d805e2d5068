/**
 * Compares the recorded arguments with the service's answer, and makes the state's note `observed`. The note lists
 * the differences that are not drift, as of the last write or refresh.
 *
 * The note has the same structure as the arguments. For a managed argument, the note has the service's form of the sent
 * value, such as a rounded number. The note has null if the service dropped the value, or if the latest revision
 * has another tool's value. For a resource spec member that the program does not manage, the note has the member's
 * number, or null if the value is not a number. `secrets` lists the foreign variables, which the service has and the
 * program does not declare.
 */

import { classAt } from "../diff/changes";
import type { Profile } from "../profiles/profiles";
import type { Hidden } from "../schema/check";
import { COMMIT, type Difference, driftIn, isFormOf, sameValue } from "../schema/compare";
import { deploymentRows } from "../schema/deployment";
import type { Arguments, Inputs, State } from "../schema/recorded";
import { resourceSpecRows, SPEC } from "../schema/resourceSpec";
import {
  isAbsent,
  isProperties,
  mergedOver,
  type Properties,
  propertiesIn,
  valueAt,
  withValueAt,
} from "../schema/value";
import { isOpenlySent, rowsToWire, wirePath } from "../schema/wire";
import { branchName, type Live, liveEnvironment, placeOf, specIn } from "./live";
import { undeclaredVariables } from "./variables";

type Condition = (difference: Difference) => boolean;

interface Comparison {
  /** The values that have one form on the service and a different form in the program. */
  readonly spelled: readonly Difference[];
  /** The values that somebody has changed on the service. */
  readonly drift: readonly Difference[];
}

/**
 * Compares the managed arguments with an answer. `recorded`: the state before the answer. `isSent`: whether the service
 * has just received the program's value. If so, a difference only means that the service shows the value differently.
 */
export function compared(
  args: Arguments,
  recorded: State,
  live: Live,
  isSent: Condition = () => false,
): Comparison {
  const managedRows = Object.entries(deploymentRows).filter(
    ([name, field]) => isOpenlySent(field) && !isAbsent(args[name]),
  );
  const managedPart = Object.fromEntries(managedRows.map(([name]) => [name, args[name]]));
  const environment = liveEnvironment(args, live);
  const differences = driftIn(deploymentRows, managedPart, { ...live.args, environment }).filter(
    ({ path, field }) => classAt(path, field, live.profile) !== "replace",
  );
  // The note never has the value of a variable.
  const isSpelled = (difference: Difference) =>
    difference.names[0] !== "environment" &&
    (isSent(difference) || isSpelling(difference.names, difference.before, difference.after, recorded, live));
  return {
    spelled: differences.filter(isSpelled),
    drift: differences.filter((difference) => !isSpelled(difference)),
  };
}

/** Whether the live value is only the service's form of the program's value, such as a rounded number. */
export function isSpelling(
  names: readonly string[],
  sent: unknown,
  value: unknown,
  { observed, latestRevisionId }: State,
  { branch, outputs }: Live,
): boolean {
  const noted = valueAt(observed, names);
  if (sameValue(noted, value ?? null)) return true;
  const isRecorded = typeof latestRevisionId === "string" && latestRevisionId === outputs.latestRevisionId;
  // A revision never changes. Unless the note says otherwise, the revision has the program's settings.
  if (isRecorded && names[0] === "sourceRevisionConfig" && noted === undefined) return true;
  if (typeof sent !== "string" || typeof value !== "string") return isFormOf(value, sent);
  if (names[1] === "imageUri") return isDigestOf(value, sent);
  if (names[1] !== "repoRef") return false;
  if (branch !== undefined) return branch === branchName(sent);
  // A branch moves to other commits, but a tag does not.
  return COMMIT.test(value) && !sent.startsWith("refs/tags/") && isFormOf(value, sent);
}

/** Whether the live image is the sent image with a digest added. A different tag of an image is a different release. */
function isDigestOf(live: string, sent: string): boolean {
  const [digest, sentDigest] = [live, sent].map((image) => image.split("@")[1]);
  return digest !== undefined && (live === `${sent}@${digest}` || digest === sentDigest);
}

/** The note about these arguments, as a part of the state; empty if there is nothing to note. */
export function observedPart(
  args: Arguments,
  live: Live,
  { spelled, drift }: Comparison = { spelled: [], drift: [] },
  hidden: Hidden = () => false,
): Properties {
  const members = notedMembers(live, args);
  const foreign = undeclaredVariables([args], live);
  const entries: (readonly [names: readonly string[], value: unknown])[] = [
    ...spelled.flatMap(({ path, names, after }) => (hidden(path) ? [] : [[names, after ?? null] as const])),
    ...drift.flatMap(({ names }) => (names[0] === "sourceRevisionConfig" ? [[names, null] as const] : [])),
    ...members,
    ...(foreign.length === 0 ? [] : [[["secrets"], foreign.sort()] as const]),
  ];
  return entries.length === 0
    ? {}
    : { observed: entries.reduce<unknown>((note, [names, value]) => withValueAt(note, names, value), {}) };
}

const SPEC_NAMES = SPEC.split(".");

const specOf = (args: unknown): Properties => propertiesIn(valueAt(args, SPEC_NAMES));

/** The noted resource spec members that no argument set in `args` has. */
export function unmanagedNote({ observed }: State, args: readonly Arguments[]): Properties {
  const isManaged = (name: string) => args.some((each) => Object.hasOwn(specOf(each), name));
  return Object.fromEntries(Object.entries(specOf(observed)).filter(([name]) => !isManaged(name)));
}

/** The unmanaged spec members for the note, without values that the service derives from other fields. */
function notedMembers(live: Live, args: Arguments): [names: string[], value: number | null][] {
  const { profile, spec } = live;
  if (!profile.capabilities.resourceSpecOverwrites || !isProperties(valueAt(args, SPEC_NAMES))) return [];
  const nameOf = new Map(
    Object.keys(resourceSpecRows).map((name) => [
      wirePath(deploymentRows, `${SPEC}.${name}`, profile)[2],
      name,
    ]),
  );
  return Object.entries(unmanagedMembers(spec, [args], profile))
    .map(([wire, value]) => [nameOf.get(wire) ?? wire, value] as const)
    .filter(([name]) => !isDerived(live, `${SPEC}.${name}`) && !Object.hasOwn(specOf(args), name))
    .map(([name, value]) => [[...SPEC_NAMES, name], typeof value === "number" ? value : null]);
}

/** The members of a live resource spec that no argument set in `args` has, under their wire names. */
function unmanagedMembers(spec: Properties, args: readonly Arguments[], profile: Profile): Properties {
  const managed = args.map((each) => rowsToWire(resourceSpecRows, specOf(each), profile, SPEC));
  const members = Object.entries(spec).map(([wire, value]) => {
    const values = managed.flatMap((each) => (Object.hasOwn(each, wire) ? [each[wire]] : []));
    return [wire, values.length === 0 ? value : unmanagedKeys(value, values)] as const;
  });
  return Object.fromEntries(members.filter(([, value]) => !isAbsent(value)));
}

/** The entries of a live map, such as `labels`, that the program does not manage; undefined if there are none. */
function unmanagedKeys(value: unknown, managed: readonly unknown[]): Properties | undefined {
  const keys = Object.entries(propertiesIn(value)).filter(
    ([key]) => !managed.some((each) => Object.hasOwn(propertiesIn(each), key)),
  );
  return keys.length === 0 ? undefined : Object.fromEntries(keys);
}

/** Whether the live value equals the default that the service derives from another field. */
function isDerived({ args, profile }: Live, path: string): boolean {
  const rule = profile.defaults[path];
  const base = rule && valueAt(args, rule.from.split("."));
  return typeof base === "number" && valueAt(args, path.split(".")) === base * (rule?.times ?? 1);
}

/** Adds the unmanaged members of the spec to the body, except derived limits that the program's new value exceeds. */
export function withUnmanaged(
  body: Properties,
  live: Live,
  { state, inputs }: { readonly state: State; readonly inputs: Inputs },
): Properties {
  const { profile, args } = live;
  const unmanaged = Object.entries(unmanagedMembers(live.spec, [state, inputs], profile));
  const exceeded = profile.ranges.flatMap(([lower, upper]) => {
    const [request, limit] = [valueAt(inputs, lower.split(".")), valueAt(args, upper.split("."))];
    const isExceeded = Number(request) > Number(limit) && isDerived(live, upper);
    return isExceeded ? wirePath(deploymentRows, upper, profile).slice(-1) : [];
  });
  const spec = Object.fromEntries(unmanaged.filter(([wire]) => !exceeded.includes(wire)));
  return withValueAt(body, placeOf(profile), mergedOver(spec, specIn(body, profile)));
}
