/** The recorded outputs of a deployment, after a write and after a refresh. */
import type { Call } from "../call";
import { isUnsupported } from "../client/errors";
import { UnfinishedError } from "../failure";
import type { Purpose } from "../journal/attempt";
import type { Profile } from "../profiles/profiles";
import type { Hidden } from "../schema/check";
import { type Difference, differences } from "../schema/compare";
import { deploymentRows, type ROLLOUT_STATES, ROLLOUT_TIMEOUT_SECONDS } from "../schema/deployment";
import type { Field } from "../schema/kind";
import { type Arguments, type Inputs, type State, stateOf } from "../schema/recorded";
import { isAbsent, isProperties, type Properties, propertiesIn, valueAt, withValueAt } from "../schema/value";
import { wirePath } from "../schema/wire";
import { sentence } from "../schema/words";
import { type Live, liveIn } from "./live";
import { compared, observedPart } from "./observed";
import { goodIn } from "./record";
import { goneFrom } from "./variables";

/** The creation or the update of a deployment. */
export interface Write {
  readonly call: Call;
  readonly id: string;
  /** The state before the write; empty for a creation. */
  readonly state: State;
  /** The state before the part of this write that was sent earlier; undefined if no part was sent earlier. */
  readonly before?: State;
  readonly inputs: Inputs;
  readonly body: Properties;
  /** Whether the write made a revision; undefined if that is not known. */
  readonly made?: boolean | undefined;
  /** Paths of the body's values that come from the service, not from the program. None by default. */
  readonly current?: readonly string[];
  /** The arguments that an earlier request of this update has sent, at least in part. None by default. */
  readonly carried?: readonly string[] | undefined;
  /** Defaults to `update`. */
  readonly purpose?: Purpose;
  /** The ids of the revisions that existed before the write. By default, the id of the latest revision. */
  readonly known?: readonly unknown[];
}

export type RolloutState = (typeof ROLLOUT_STATES)[number];

export interface Rollout {
  readonly status: string | undefined;
  readonly state: RolloutState;
  /** The id of the last good revision. By default, the id in the state before the write. */
  readonly lastGood?: unknown;
}

/** The outputs after a write: the inputs, the values that the service reports, and the state of the rollout. */
export function deploymentOutputs(write: Write, resource: Properties, rollout: Rollout): State {
  const { call, state, before = state, inputs } = write;
  const { observed: _recorded, ...args } = inputs;
  const live = liveIn(resource, call.profile);
  const comparison = compared(args, state, live, isSentIn(write));
  const lastGood = rollout.lastGood ?? goodIn(before);
  return stateOf(args, {
    ...reportedOutputs(live, call),
    latestRevisionStatus: rollout.status ?? null,
    rolloutState: rollout.state,
    serviceUrl: call.baseUrl,
    ...observedPart(args, live, comparison, call.hidden),
    ...(isAbsent(lastGood) ? {} : { lastGood }),
    ...(write.made === undefined ? {} : { proof: write.made }),
  });
}

/** The state after one part of the update. Only the arguments in the body have their new values. */
export function stateBetween(write: Write, resource: Properties): State {
  const { call, state, inputs, body } = write;
  const written = differences(deploymentRows, state, inputs)
    .filter(({ names }) => carries(body, names, call.profile))
    .reduce<Properties>((values, { names, after }) => withValueAt(values, names, after), state);
  return deploymentOutputs({ ...write, inputs: written }, resource, unawaitedRollout(state, undefined));
}

export function waits({ rollout }: Arguments): boolean {
  return !(isProperties(rollout) && rollout.wait === false);
}

export function rolloutSeconds(call: Call, { rollout }: Arguments): number {
  const { timeoutSeconds } = propertiesIn(rollout);
  return call.timeoutSeconds(typeof timeoutSeconds === "number" ? timeoutSeconds : ROLLOUT_TIMEOUT_SECONDS);
}

export const newRollout = (inputs: Inputs): Rollout => ({
  status: undefined,
  state: waits(inputs) ? "unfinished" : "not awaited",
});

/** A rollout that nobody waits for. `revision`: the revision that the write made, if known. */
export function unawaitedRollout(state: State, revision: Properties | undefined): Rollout {
  if (revision !== undefined) return { status: revision.status as string | undefined, state: "not awaited" };
  return {
    status: state.latestRevisionStatus as string | undefined,
    state: (state.rolloutState as RolloutState | undefined) ?? "not awaited",
  };
}

/** Runs `work` after a write. Turns an error into an UnfinishedError, which keeps the deployment in the state. */
export async function keepOnFailure<T>(
  write: Write,
  resource: Properties,
  work: () => Promise<T>,
): Promise<T> {
  const { call, id } = write;
  try {
    call.service.endpoints.refuseMisfit();
    return await work();
  } catch (error) {
    if (error instanceof UnfinishedError) throw error;
    const why = sentence((error as Error).message);
    const outputs = unfinishedOutputs(write, resource);
    const reason = `was written (id ${id}), but its rollout could not be followed: ${why} The next update resumes`;
    throw call.unfinished(id, outputs, reason, error);
  }
}

/**
 * Runs `work`, the rest of a partly sent update. Turns an error into an UnfinishedError. `done` says which part took
 * effect and which part did not.
 */
export async function keepPart<T>(
  { call, id }: Write,
  between: State,
  done: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnfinishedError || isUnsupported(error)) throw error;
    const reason = `${done}: ${sentence((error as Error).message)} The next plan shows what is left`;
    throw call.unfinished(id, between, reason, error);
  }
}

/** The outputs of an unfinished write, or the recorded state with the inputs if the answer is unreadable. */
function unfinishedOutputs(write: Write, resource: Properties): State {
  try {
    return deploymentOutputs(write, resource, { status: undefined, state: "unfinished" });
  } catch {
    const beforeAnswer: Properties = { ...write.state, ...write.inputs };
    return { ...beforeAnswer, rolloutState: "unfinished", serviceUrl: write.call.baseUrl };
  }
}

/** The outputs that the service reports. Hides the address if the program marked it secret. */
export function reportedOutputs({ outputs }: Live, { hidden }: Call): Properties {
  return hidden("sourceConfig.customUrl") ? { ...outputs, url: null } : outputs;
}

/** Returns a function that says, for each difference, whether the request sent the program's value. */
export const isSentIn =
  ({ call, body, current = [] }: Pick<Write, "call" | "body" | "current">) =>
  ({ path, names }: Difference): boolean =>
    carries(body, names, call.profile) && !isAt(path, current);

/** Whether any of the places equals the path or contains the path. */
export const isAt = (path: string, places: readonly string[]): boolean =>
  places.some((place) => `${path}.`.startsWith(`${place}.`));

/** Whether the body has the argument that contains the path `names`. In a group, checks the group's member instead. */
function carries(body: Properties, names: readonly string[], profile: Profile): boolean {
  const { group }: Field<unknown> = deploymentRows[names[0] as keyof typeof deploymentRows];
  const path = names.slice(0, group ? 2 : 1).join(".");
  return valueAt(body, wirePath(deploymentRows, path, profile)) !== undefined;
}

/**
 * The state after a refresh, with the live values of the arguments that drifted. `isSent` says which values the
 * service has just received. `concerns` says which differences count as drift.
 */
export function refreshedState(
  state: State,
  live: Live,
  hidden: Hidden,
  isSent?: (difference: Difference) => boolean,
  concerns: (difference: Difference) => boolean = () => true,
): State {
  const { observed: _before, ...recorded } = state;
  const { spelled, drift } = compared(recorded, state, live, isSent);
  const args = drift
    .filter(concerns)
    .reduce((drifted, { names, after }) => withValueAt(drifted, names, after), recorded);
  const comparison = { spelled, drift: drift.filter((difference) => !concerns(difference)) };
  return withoutGoneSecrets({ ...args, ...observedPart(args, live, comparison, hidden) }, live);
}

/** Drops secrets that are gone from the service. A service that lists no variables hides them, so all secrets stay. */
function withoutGoneSecrets(state: State, live: Live): State {
  const names = Object.keys({ ...propertiesIn(state.secretGenerations), ...propertiesIn(state.secrets) });
  const places = goneFrom(names, live).flatMap((name) => [
    ["secrets", name],
    ["secretGenerations", name],
  ]);
  return places.reduce((cleared, place) => withValueAt(cleared, place, undefined), state);
}
