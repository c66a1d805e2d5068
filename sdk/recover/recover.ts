/** Finds out what a killed run's pending operations did, and writes proven ones into the journal for the next `up`. */
import { Call } from "../../provider/call";
import { type Clock, systemClock } from "../../provider/client/clock";
import { argumentsOf } from "../../provider/deployment/arguments";
import {
  type Fate,
  pendingCreation,
  pendingUpdate,
  type StackFacts,
} from "../../provider/deployment/pending";
import { standardError } from "../../provider/engine/engine";
import { journalPlace } from "../../provider/journal/place";
import { RESOURCES } from "../../provider/resources";
import { eitherName, environmentOf } from "../../provider/run/configuration";
import { EngineRun } from "../../provider/run/run";
import { holds } from "../../provider/schema/compare";
import { keepSecret } from "../../provider/schema/secrecy";
import type { Operation, PendingState, ProviderSettings } from "./state";

export interface Options {
  /** A time, in ISO 8601, before which the killed run sent nothing; undefined if no such time is known. */
  readonly since: string | undefined;
  /** Whether to report only, without writing to the journal and without waiting. */
  readonly checks: boolean;
  readonly environment: NodeJS.ProcessEnv;
  /** Shows a line immediately. */
  readonly say: (line: string) => void;
  readonly clock?: Clock;
}

/**
 * `settled`: the state already has the resource that the operation creates. `underWay`: the request may still arrive.
 */
export type RecoveryOutcome =
  | Fate
  | { readonly kind: "settled" }
  | { readonly kind: "underWay"; readonly seconds: number };

export interface Recovered {
  readonly operation: Operation;
  /** The resource's label, such as `deployment "chat"`. */
  readonly label: string;
  readonly outcome: RecoveryOutcome;
}

/** Recovers the pending operations. Sends only reads, and writes only to the journal; with `checks`, writes nothing. */
export async function recover(state: PendingState, options: Options): Promise<Recovered[]> {
  const { clock = systemClock, environment, checks } = options;
  const runs = new Map<string, EngineRun>();
  const runOf = (provider: ProviderSettings): EngineRun => {
    const run = runs.get(provider.key) ?? begin(provider, environment, clock);
    runs.set(provider.key, run);
    return run;
  };
  const startedAt = clock.now();
  const since = Date.parse(options.since ?? "");
  const stack = { since: Number.isNaN(since) ? Number.POSITIVE_INFINITY : since, ids: state.ids };
  const pending = state.operations.map((operation) => ({
    operation,
    call: callOf(operation, runOf(operation.provider)),
  }));
  const settle = (each: Pending) => outcomeOf(each, stack);
  const outcomes = new Map(
    await Promise.all(pending.map(async (each) => [each, await settle(each)] as const)),
  );
  const absent = pending.filter((each) => outcomes.get(each)?.kind === "absent");
  const seconds = secondsLeft(absent, startedAt, clock);
  if (seconds > 0 && checks) for (const each of absent) outcomes.set(each, { kind: "underWay", seconds });
  else if (seconds > 0) {
    options.say(
      `waiting ${seconds} s: until then, what the killed run sent for ${labelsOf(absent)} may still arrive`,
    );
    await clock.sleep(seconds * 1000);
    await Promise.all(absent.map(async (each) => outcomes.set(each, await settle(each))));
  }
  for (const outcome of outcomes.values()) if (outcome.kind === "proven" && !checks) await outcome.record();
  return pending.map((each) => ({
    operation: each.operation,
    label: each.call.label,
    outcome: outcomes.get(each) as RecoveryOutcome,
  }));
}

interface Pending {
  readonly operation: Operation;
  readonly call: Call;
}

async function outcomeOf({ operation, call }: Pending, stack: StackFacts): Promise<RecoveryOutcome> {
  const { type, resource, inputs, recorded: old } = operation;
  const isInState = type === "creating" && old !== undefined && old.values.name === inputs.values.name;
  if (isInState && holds(old.values, argumentsOf(inputs.values))) return { kind: "settled" };
  if (resource !== "Deployment") return { kind: "repeatable" };
  if (type === "creating" && inputs.values.name === undefined)
    return { kind: "doubtful", why: "its name is a secret, and the export hides it" };
  if (type === "creating") {
    const fate = await pendingCreation(call, inputs.values, stack);
    if (!isInState) return fate;
    // A later run has created the resource with other arguments.
    if (!("id" in fate)) return { kind: "settled" };
    return { kind: "doubtful", why: "a later run created another deployment of its name", id: fate.id };
  }
  if (old === undefined) return { kind: "doubtful", why: "the state has no resource with its URN" };
  return pendingUpdate(call, old.id, old.values, inputs.values, stack);
}

/** For how many seconds the killed run's requests for the operations in `absent` may still arrive at the service. */
function secondsLeft(absent: readonly Pending[], startedAt: number, clock: Clock): number {
  const expiresAt = Math.max(0, ...absent.map(({ call }) => call.moment(startedAt).expiresAt));
  return Math.max(0, Math.ceil((expiresAt - clock.now()) / 1000));
}

const labelsOf = (pending: readonly Pending[]): string =>
  pending.length === 1 ? (pending[0]?.call.label ?? "") : `${pending.length} deployments`;

function callOf({ type, resource, urn, inputs, recorded }: Operation, run: EngineRun): Call {
  keepSecret([...inputs.secrets, ...(recorded?.secrets ?? [])]);
  const description = {
    urn,
    kind: RESOURCES[resource].kind,
    method: type === "creating" ? "create" : "update",
    secretPaths: [...inputs.secretPaths, ...(recorded?.secretPaths ?? [])],
    isPlan: false,
    service: () =>
      type === "creating" || recorded === undefined
        ? run.service(inputs.values.connection)
        : run.serviceOf(recorded.values),
  } as const;
  return new Call(run, description, inputs.values);
}

/** Begins the run of one provider: each provider of the program has its own run, as in the engine. */
function begin(
  { source, isExplicit }: ProviderSettings,
  environment: NodeJS.ProcessEnv,
  clock: Clock,
): EngineRun {
  const runEnvironment = environmentOf(source, isExplicit, environment);
  if (journalPlace(source, runEnvironment).folder === undefined)
    throw new Error(
      `the journal is off, so the next update could not take anything over. Set ${eitherName("journal")} to a folder`,
    );
  return new EngineRun(source, standardError, clock, undefined, runEnvironment);
}
