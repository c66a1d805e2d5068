/** What is recorded of a deployment, and what a refresh finds changed in it. */

import { type Difference, differences } from "../fields/compare";
import { deploymentOutputRows, deploymentRows } from "../fields/deployment";
import type { Field, Kind } from "../fields/kind";
import { isAbsent, isProperties, type Properties, sameValue, valueAt } from "../fields/value";
import { everyRowFromWire, rowsFromWire, wireName } from "../fields/wire";
import { hiddenIn } from "../host/carried";
import type { Profile } from "../profiles/profiles";
import type { Connection } from "../service/configuration";
import { classAt } from "../verdict/changes";

/** Where the service answers another value than was asked for (a rounded number, a resolved image): path to answer. */
const REPORTED = "__reported";

/** The revision whose settings the recorded arguments describe; a push may have made a later one. */
const REVISION = "__revision";

/** Kept when an update sends nothing. */
export const BASELINE = [REPORTED, REVISION] as const;

/** What an apply has told the service, against which a refresh later looks for drift. */
export interface Told {
  /** The body of its PATCH; undefined after a POST, which sends everything. */
  readonly body: Properties | undefined;
  /** The state before. */
  readonly olds: Properties;
  /** The revision that it made, or undefined. */
  readonly revisionId: unknown;
}

export type RolloutState = "deployed" | "failed" | "unfinished" | "not awaited";

export interface Rollout {
  readonly status: string | undefined;
  readonly state: RolloutState;
}

export function isFailure(status: unknown): boolean {
  return typeof status === "string" && status.endsWith("_FAILED");
}

export function hasFailed(state: Properties): boolean {
  return state.rolloutState === "failed" || isFailure(state.latestRevisionStatus);
}

export function isUnfinished(state: Properties): boolean {
  return state.rolloutState === "unfinished";
}

/** Set in the outputs while it is not known whether an update was applied: when it was sent, in ms since 1970. */
export const UNCERTAIN_SINCE = "__uncertain";

export function isDoubtful(state: Properties): boolean {
  return typeof state[UNCERTAIN_SINCE] === "number";
}

/** The outputs after an apply: the inputs, what the service reports, and how the rollout stands. */
export function outputsOf(
  inputs: Properties,
  resource: Properties,
  rollout: Rollout,
  connection: Connection,
  told: Told,
): Properties {
  const reported = reportedOf(inputs, resource, connection.profile, told);
  const revision = told.revisionId ?? told.olds[REVISION];
  return {
    ...inputs,
    ...outputsIn(resource, inputs, connection.profile),
    latestRevisionStatus: rollout.status ?? null,
    rolloutState: rollout.state,
    serviceUrl: connection.baseUrl,
    ...(Object.keys(reported).length > 0 ? { [REPORTED]: reported } : {}),
    ...(isAbsent(revision) ? {} : { [REVISION]: revision }),
  };
}

/** What the service reports; not the address, where the program has marked the one that it gave secret. */
export function outputsIn(resource: Properties, inputs: Properties, profile: Profile): Properties {
  const outputs = everyRowFromWire(deploymentOutputRows, resource, profile);
  return hiddenIn(inputs)("sourceConfig.customUrl") ? { ...outputs, url: null } : outputs;
}

/** The arguments as the service reports them, never a secret's value. */
export function argumentsIn(resource: Properties, profile: Profile): Properties {
  const { secrets: _values, ...args } = rowsFromWire(deploymentRows, resource, profile);
  return args;
}

const secretRows = { secrets: deploymentRows.secrets };

/** What the service shows of the secrets, by name: values may be masked. Undefined where it shows none. */
export function shownSecrets(resource: Properties, profile: Profile): unknown {
  return rowsFromWire(secretRows, resource, profile).secrets;
}

/** Of what was not sent this time, another answer is drift that a refresh has to find: only the known spelling is kept. */
function reportedOf(inputs: Properties, resource: Properties, profile: Profile, told: Told): Properties {
  const hidden = hiddenIn(inputs);
  const before = isProperties(told.olds[REPORTED]) ? told.olds[REPORTED] : {};
  const reported: Properties = {};
  for (const { path, names, after } of unasked(inputs, resource, profile)) {
    if (hidden(path)) continue;
    if (wasSent(told.body, names, profile)) reported[path] = after ?? null;
    else if (Object.hasOwn(before, path)) reported[path] = before[path];
  }
  return reported;
}

function wasSent(body: Properties | undefined, names: readonly string[], profile: Profile): boolean {
  if (body === undefined) return true;
  const [section, member] = names as [string, string | undefined];
  const field: Field<unknown> = deploymentRows[section as keyof typeof deploymentRows];
  const sent = valueAt(body, [wireName(field, section, profile)]);
  if (!field.group || field.kind.type !== "object" || member === undefined) return sent !== undefined;
  const row = field.kind.rows[member];
  return row !== undefined && isProperties(sent) && wireName(row, `${section}.${member}`, profile) in sent;
}

/** The arguments as a refresh finds them: drift of managed fields taken over, all else as it was asked for. */
export function refreshedArguments(state: Properties, resource: Properties, profile: Profile): Properties {
  const reported = isProperties(state[REPORTED]) ? state[REPORTED] : {};
  const sameRevision = !isAbsent(state[REVISION]) && state[REVISION] === resource.latest_revision_id;
  let args: Properties = state;
  for (const difference of unasked(state, resource, profile)) {
    const known = Object.hasOwn(reported, difference.path);
    if (known && sameValue(reported[difference.path], difference.after ?? null)) continue;
    // A revision never changes: another spelling of its values is the service's resolved form.
    if (sameRevision && difference.names[0] === "sourceRevisionConfig") continue;
    args = withValueAt(args, difference.names, difference.after) as Properties;
  }
  const latest = resource.latest_revision_id;
  const described = isAbsent(latest) ? args : { ...args, [REVISION]: latest };
  return withoutGoneSecrets(described, resource, profile);
}

/** Where the live values of managed fields are not what was asked for. What cannot change is not looked at. */
function unasked(state: Properties, resource: Properties, profile: Profile): Difference[] {
  const live = argumentsIn(resource, profile);
  const managed = Object.entries(deploymentRows).flatMap(([name, field]) =>
    field.wire === undefined || name === "secrets" || isAbsent(state[name]) || "patchOnly" in field
      ? []
      : [[name, state[name], seenThrough(field.kind, state[name], live[name])] as const],
  );
  const asked = Object.fromEntries(managed.map(([name, value]) => [name, value]));
  const found = Object.fromEntries(managed.map(([name, , value]) => [name, value]));
  return differences(deploymentRows, asked, found).filter(
    (difference) => classAt(difference.path, difference.field, profile) !== "replace",
  );
}

/** The live value reduced to what the managed one has: defaults that the service adds are no drift. */
function seenThrough(kind: Kind<unknown>, managed: unknown, live: unknown): unknown {
  if (Array.isArray(managed) && Array.isArray(live)) {
    if (managed.length !== live.length) return live;
    const of: Kind<unknown> = kind.type === "list" ? kind.of : { type: "json" };
    return managed.map((element, index) => seenThrough(of, element, live[index]) ?? null);
  }
  if (!isProperties(managed) || !isProperties(live)) return live ?? undefined;
  const members = Object.entries(managed).flatMap(([name, value]): [string, unknown][] => {
    const found = valueAt(live, [name]);
    return isAbsent(found) ? [] : [[name, seenThrough(memberKind(kind, name), value, found)]];
  });
  return Object.fromEntries(members);
}

function memberKind(kind: Kind<unknown>, name: string): Kind<unknown> {
  if (kind.type === "object") return kind.rows[name]?.kind ?? { type: "json" };
  return kind.type === "map" ? kind.of : { type: "json" };
}

/**
 * Without the secrets that the service no longer names. Their values are never compared: what a service shows of them
 * may be a mask. A service that names none hides them.
 */
function withoutGoneSecrets(state: Properties, resource: Properties, profile: Profile): Properties {
  const live = shownSecrets(resource, profile);
  if (!isProperties(live) || Object.keys(live).length === 0 || !isProperties(state.secrets)) return state;
  const gone = Object.keys(state.secrets).filter((name) => !Object.hasOwn(live, name));
  return gone.reduce(
    (args, name) =>
      withValueAt(
        withValueAt(args, ["secrets", name], undefined),
        ["secretGenerations", name],
        undefined,
      ) as Properties,
    state,
  );
}

function withValueAt(value: unknown, names: readonly string[], leaf: unknown): unknown {
  const [name, ...rest] = names;
  if (name === undefined) return leaf;
  const { [name]: _replaced, ...others } = isProperties(value) ? value : {};
  const changed = withValueAt(valueAt(value, [name]), rest, leaf);
  return changed === undefined ? others : { ...others, [name]: changed };
}
