/** The recorded outputs of a deployment, and the drift that a refresh finds. */
import type { Call } from "../call";
import { UnfinishedError } from "../failure";
import { type Difference, driftIn, sameValue } from "../fields/compare";
import { deploymentOutputRows, deploymentRows, type ROLLOUT_STATES } from "../fields/deployment";
import type { Field } from "../fields/kind";
import {
  isAbsent,
  isProperties,
  mergedOver,
  type Properties,
  propertiesIn,
  valueAt,
  withValueAt,
} from "../fields/value";
import { isOpenlySent, rowsToWire, wireName } from "../fields/wire";
import { sentence } from "../fields/words";
import type { ResourceKey } from "../journal/entry";
import type { Profile } from "../profiles/profiles";
import { redacted } from "../run/secrecy";
import { classAt } from "../verdict/changes";
import { type Live, liveEnvironment, liveIn, notedMembers, notesOf } from "./live";
import { goodIn } from "./record";
import { foreignNames, variablesOf } from "./variables";

/**
 * Members that the state has in addition to the outputs. `respelled`: for each path, the value that the service
 * returned, if it differs from the value sent (a rounded number, a resolved image). `describedRevision`: the revision
 * whose settings the recorded arguments describe; a push may have made a later revision. `foreignSecrets`: names of
 * secrets that the service has and the program does not give, as far as the service names them. `unmanagedSpec`:
 * members of the resource spec that a write keeps although the program does not give them. `lastGood`: the id of
 * the last good revision. `story`: how the last rollout went, if it did not end well.
 */
export const NOTED = [
  "respelled",
  "describedRevision",
  "foreignSecrets",
  "unmanagedSpec",
  "lastGood",
  "story",
] as const;

/** A write of a deployment: the POST of a creation or the PATCH of an update. */
export interface Write {
  readonly call: Call;
  readonly id: string;
  /** The state before the write; empty for a creation. */
  readonly olds: Properties;
  /**
   * If an earlier run has sent a part of this write: the state before that part; `olds` is the state after that part.
   */
  readonly before?: Properties;
  /** The program's inputs. */
  readonly news: Properties;
  /** The request body in the wire's form. */
  readonly body: Properties;
  /** Paths of the values in the body that come from the service instead of the program; none by default. */
  readonly current?: readonly string[];
  /** The revision that the write made; undefined if there is none. */
  readonly revisionId?: unknown;
  /**
   * The key of the write's journal entry, and the ids of the revisions that existed before the write; by default, the
   * resource's key and the id of its latest revision.
   */
  readonly entry?: { readonly key: ResourceKey; readonly known: readonly unknown[] };
}

export type RolloutState = (typeof ROLLOUT_STATES)[number];

export interface Rollout {
  readonly status: string | undefined;
  readonly state: RolloutState;
  /** The id of the last good revision; by default, the id that the state before the write records. */
  readonly lastGood?: unknown;
  /** How the rollout went, if it did not end well. */
  readonly story?: string;
}

/** The outputs after a write: the inputs, the values that the service reports, and the state of the rollout. */
export function outputsOf(write: Write, resource: Properties, rollout: Rollout): Properties {
  const { call, olds, before = olds, news } = write;
  const live = liveIn(resource, call.profile);
  const respelled = respelledIn(write, live);
  // A revision with another tool's settings is not described by the program's arguments.
  const isOthers = (write.current ?? []).some((path) => path.startsWith("sourceRevisionConfig."));
  const describedRevision = (isOthers ? undefined : write.revisionId) ?? olds.describedRevision;
  const lastGood = rollout.lastGood ?? goodIn(before);
  return {
    ...news,
    ...reportedOutputs(live, call),
    latestRevisionStatus: rollout.status ?? null,
    rolloutState: rollout.state,
    serviceUrl: call.baseUrl,
    ...(Object.keys(respelled).length > 0 ? { respelled } : {}),
    ...(isAbsent(describedRevision) ? {} : { describedRevision }),
    ...(isAbsent(lastGood) ? {} : { lastGood }),
    ...(rollout.story === undefined ? {} : { story: redacted(rollout.story) }),
    ...notesOf(live, news),
  };
}

/**
 * The state after a write that was only a part of the update: the arguments in the body have their new values, and all
 * other arguments have their old values.
 */
export function stateBetween(write: Write, resource: Properties): Properties {
  const { call, olds, news, body } = write;
  const places = Object.entries(deploymentRows).flatMap(
    ([name, { group, kind }]: [string, Field<unknown>]) =>
      group && kind.type === "object" ? Object.keys(kind.rows).map((member) => [name, member]) : [[name]],
  );
  const withoutNotes = Object.entries(olds).filter(([name]) => !NOTED.some((note) => note === name));
  const inputs = places
    .filter((names) => carries(body, names, call.profile))
    .reduce<unknown>(
      (state, names) => withValueAt(state, names, valueAt(news, names)),
      Object.fromEntries(withoutNotes),
    );
  return outputsOf({ ...write, news: inputs as Properties }, resource, unawaitedRollout(olds, undefined));
}

/** Whether the program wants the write to wait until the new revision runs. */
export function waits({ rollout }: Properties): boolean {
  return !(isProperties(rollout) && rollout.wait === false);
}

/** The rollout of a new revision that has not been read yet. */
export const newRollout = (inputs: Properties): Rollout => ({
  status: undefined,
  state: waits(inputs) ? "unfinished" : "not awaited",
});

/** A rollout that nobody waits for. `revision`: the revision that the write made, as it was read. */
export function unawaitedRollout(olds: Properties, revision: Properties | undefined): Rollout {
  if (revision !== undefined) return { status: revision.status as string | undefined, state: "not awaited" };
  return {
    status: olds.latestRevisionStatus as string | undefined,
    state: (olds.rolloutState as RolloutState | undefined) ?? "not awaited",
  };
}

/** Runs `work` after a write. Turns an error into an UnfinishedError, which keeps the deployment in the state. */
export async function keepOnFailure<T>(
  write: Write,
  resource: Properties,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnfinishedError) throw error;
    const { call, id } = write;
    const why = sentence((error as Error).message);
    const outputs = unfinishedOutputs(write, resource);
    const reason = `was written (id ${id}), but its rollout could not be followed: ${why} The next up resumes`;
    throw call.unfinished(id, outputs, reason, error);
  }
}

/** The outputs of an unfinished write. If the answer is unreadable, returns the recorded state with the inputs. */
function unfinishedOutputs(write: Write, resource: Properties): Properties {
  try {
    return outputsOf(write, resource, { status: undefined, state: "unfinished" });
  } catch {
    const { call, olds, news } = write;
    return { ...olds, ...news, rolloutState: "unfinished", serviceUrl: call.baseUrl };
  }
}

/** The recorded deployment in the wire's form, for a write whose answer does not show the deployment. */
export function recordedDeployment(olds: Properties, profile: Profile): Properties {
  const { url: _within, repoCommitSha: _ofRevision, ...outputs } = deploymentOutputRows;
  const { secrets: _values, environment: _plain, ...args } = olds;
  const names = [...Object.keys(variablesOf(olds) ?? {}), ...foreignNames(olds)];
  const sourceConfig = {
    resource_spec: notedMembers(olds, profile),
    ...(isAbsent(olds.url) ? {} : { custom_url: olds.url }),
  };
  return {
    ...(mergedOver(rowsToWire(deploymentRows, args, profile), { source_config: sourceConfig }) as Properties),
    ...rowsToWire(outputs, olds, profile),
    secrets: names.map((name) => ({ name, value: null })),
  };
}

/** The outputs that the service reports, without the address if the program marked it secret. */
export function reportedOutputs({ outputs }: Live, { hidden }: Call): Properties {
  return hidden("sourceConfig.customUrl") ? { ...outputs, url: null } : outputs;
}

/** The sent values that the service returned in another form. Any other difference is drift, which a refresh finds. */
export function respelledIn(
  { call, olds, news, body, current = [] }: Pick<Write, "call" | "olds" | "news" | "body" | "current">,
  live: Live,
): Properties {
  const { profile, hidden } = call;
  const before = Object.entries(propertiesIn(olds.respelled));
  const unsent = before.filter(([path]) => !carries(body, path.split("."), profile));
  const respelled = driftOf(news, live)
    .filter(({ path, names }) => carries(body, names, profile) && !isAt(path, current))
    .map(({ path, after }): [string, unknown] => [path, after ?? null]);
  return Object.fromEntries([...unsent, ...respelled].filter(([path]) => !hidden(path)));
}

/** Whether one of the places is the path or contains it. */
export const isAt = (path: string, places: readonly string[]): boolean =>
  places.some((place) => `${path}.`.startsWith(`${place}.`));

/** Whether the body has the argument at the path `names`. */
function carries(body: Properties, names: readonly string[], profile: Profile): boolean {
  const [section, member] = names as [string, string | undefined];
  const field: Field<unknown> = deploymentRows[section as keyof typeof deploymentRows];
  const part = valueAt(body, [wireName(field, section, profile)]);
  if (!field.group || field.kind.type !== "object" || member === undefined) return part !== undefined;
  const row = field.kind.rows[member];
  return row !== undefined && isProperties(part) && wireName(row, `${section}.${member}`, profile) in part;
}

/**
 * The state after a refresh: with the live values of drifted arguments, otherwise unchanged. `concerns`: which
 * differences count as drift; all by default.
 */
export function refreshedState(
  state: Properties,
  live: Live,
  concerns: (difference: Difference) => boolean = () => true,
): Properties {
  const respelled = propertiesIn(state.respelled);
  const latest = live.outputs.latestRevisionId;
  const sameRevision = !isAbsent(state.describedRevision) && state.describedRevision === latest;
  const drift = driftOf(state, live);
  let drifted: Properties = state;
  for (const { path, names, after } of drift.filter(concerns)) {
    if (Object.hasOwn(respelled, path) && sameValue(respelled[path], after ?? null)) continue;
    // A revision never changes, so a value that differs is the service's resolved form of the value sent.
    if (sameRevision && names[0] === "sourceRevisionConfig") continue;
    drifted = withValueAt(drifted, names, after) as Properties;
  }
  const isOthers = drift.some((each) => each.names[0] === "sourceRevisionConfig" && !concerns(each));
  const {
    foreignSecrets: _names,
    unmanagedSpec: _members,
    ...described
  } = isAbsent(latest) || isOthers ? drifted : { ...drifted, describedRevision: latest };
  return withoutGoneSecrets({ ...described, ...notesOf(live, state) }, live);
}

/** The managed arguments that differ on the service, except those that cannot change. */
function driftOf(state: Properties, live: Live): Difference[] {
  const managedRows = Object.entries(deploymentRows).filter(
    ([name, field]) => isOpenlySent(field) && !isAbsent(state[name]),
  );
  const managedPart = Object.fromEntries(managedRows.map(([name]) => [name, state[name]]));
  const environment = liveEnvironment(state, live);
  return driftIn(deploymentRows, managedPart, { ...live.args, environment }).filter(
    ({ path, field }) => classAt(path, field, live.profile) !== "replace",
  );
}

/**
 * Removes the secrets that the service no longer names. If the service names no variables at all, that means that it
 * hides them, so all secrets stay.
 */
function withoutGoneSecrets(state: Properties, { listed }: Live): Properties {
  if (Object.keys(listed).length === 0) return state;
  const names = Object.keys({ ...propertiesIn(state.secretGenerations), ...propertiesIn(state.secrets) });
  const goneNames = names.filter((name) => !Object.hasOwn(listed, name));
  const places = goneNames.flatMap((name) => [
    ["secrets", name],
    ["secretGenerations", name],
  ]);
  return places.reduce((cleared, place) => withValueAt(cleared, place, undefined) as Properties, state);
}
